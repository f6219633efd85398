import { execFileSync } from 'node:child_process';
import { dirname, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { codegenPlaces } from '../compiler/emit/codegen/index.ts';
import { HOW_TO_NAME_A_CONTRACT, hasContract } from '../compiler/read/index.ts';
import { readConfig } from '../runtime/settings/index.ts';
import { CommandFailure } from '../tools/command-failure.ts';
import { OWN_CONTRACTS, OWN_OUT, type StartFlags, startOptions } from '../tools/start-options.ts';
import { DevDatabase } from './dev/dev-database.ts';
import { type Changes, DevSession } from './dev/dev-session.ts';
import { isFollowed, TypeCheck } from './dev/type-check.ts';
import { watchPlaces } from './dev/watch.ts';
import { databaseFor } from './start/database-for.ts';

export interface DevelopFlags extends StartFlags {
  /** Folder to write what is generated to; undefined: `generated` for the project's own contract, else none. */
  readonly out?: string | undefined;
  /** Whether the types of the project are checked as well; only beside its own contract. */
  readonly types?: boolean | undefined;
  /** Whether its own database is deleted first. */
  readonly reset?: boolean | undefined;
}

/** Serves a contract and follows every change until a signal ends the process. */
export async function develop({ out, types = true, reset = false, ...flags }: DevelopFlags): Promise<void> {
  const start = startOptions(flags);
  const { contracts = OWN_CONTRACTS, handlers, sample } = start;
  if (!(await hasContract(contracts)))
    throw new CommandFailure(`The contract was not found. ${HOW_TO_NAME_A_CONTRACT}`);
  const config = databaseFor(start, readConfig(process.env));
  const { host, port } = config;
  const isOwn = start.contracts === undefined;
  const database = new DevDatabase(config);
  if (reset) database.reset();
  const session = new DevSession({ contracts, out: out ?? (isOwn ? OWN_OUT : undefined), start, host, port, database });
  const typeCheck = new TypeCheck();
  const code = ['src', handlers, sample && dirname(sample)].filter((folder) => folder !== undefined);
  const codegen = codegenPlaces(contracts);
  const head = gitHead();
  const files = [...codegen.slice(0, 1), ...(head === undefined ? [] : [head])];
  const hasTypes = isOwn && types;
  let isClosing = false;
  const follow = async (paths: readonly string[]): Promise<void> => {
    const changed = paths.filter((path) => path !== head);
    // `tsc --watch` of TypeScript 5 loses track of files and folders that git replaces, and starts anew after that.
    const isAnew = hasTypes && (paths.length > 1 || changed.length === 0 || !isFollowed());
    if (isAnew) await typeCheck.stop();
    if (changed.length > 0) await session.update(changesOf(changed, contracts, codegen));
    if (isAnew && !isClosing) typeCheck.start();
  };
  watchPlaces({ folders: [contracts, ...new Set(code)], files }, (paths) => void follow(paths));
  // npm passes on the signal that a terminal has sent already.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      if (isClosing) return;
      isClosing = true;
      void Promise.all([session.close(), typeCheck.stop()]).then(() => process.exit(0));
    });
  await session.update({ files: [], contract: true, code: true });
  if (hasTypes) typeCheck.start();
  if (process.stdin.isTTY)
    createInterface({ input: process.stdin }).on('line', (line) => line === 'r' && session.reset());
}

/** The file that changes after git has switched to another branch. */
function gitHead(): string | undefined {
  try {
    const asked = ['rev-parse', '--git-path', 'HEAD'];
    return resolve(execFileSync('git', asked, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim());
  } catch {
    return undefined;
  }
}

/** `codegen.ts` changes what is written, and nothing that is served. */
function changesOf(paths: readonly string[], contracts: string, codegen: readonly string[]): Changes {
  const isCodegen = (path: string): boolean => codegen.includes(resolve(path));
  const isContract = (path: string): boolean => !relative(contracts, path).startsWith('..') && !isCodegen(path);
  return {
    files: paths.map((path) => relative('.', path)),
    contract: paths.some(isContract),
    code: paths.some((path) => !isContract(path) && !isCodegen(path)),
  };
}
