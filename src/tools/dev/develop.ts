import { dirname, relative, resolve } from 'node:path';
import { codegenPlaces } from '../../compiler/codegen/project-codegen.ts';
import { HOW_TO_NAME_A_CONTRACT, hasContract } from '../../compiler/read/read-contract.ts';
import { readConfig } from '../../runtime/settings/config.ts';
import { CommandFailure } from '../command/command-failure.ts';
import { OWN_CONTRACTS, type StartFlags, startOptions } from '../command/start-options.ts';
import { type Changes, DevSession } from './dev-session.ts';
import { TypeCheck } from './type-check.ts';
import { watchPlaces } from './watch.ts';

const OWN_OUT = 'generated';

export interface DevelopFlags extends StartFlags {
  /** Folder to write what is generated to; undefined: `generated` for the project's own contract, else none. */
  readonly out?: string | undefined;
  /** Whether the types of the project are checked as well; only beside its own contract. */
  readonly types?: boolean | undefined;
}

/** Serves a contract and follows every change until a signal ends the process. */
export async function develop({ out, types = true, ...flags }: DevelopFlags): Promise<void> {
  const start = startOptions(flags);
  const { contracts = OWN_CONTRACTS, handlers, sample } = start;
  if (!(await hasContract(contracts))) throw new CommandFailure(`There is no contract. ${HOW_TO_NAME_A_CONTRACT}`);
  const { host, port } = readConfig(process.env);
  const isOwn = start.contracts === undefined;
  const session = new DevSession({ contracts, out: out ?? (isOwn ? OWN_OUT : undefined), start, host, port });
  const typeCheck = new TypeCheck();
  const code = ['src', handlers, sample && dirname(sample)].filter((folder) => folder !== undefined);
  const codegen = codegenPlaces(contracts);
  watchPlaces({ folders: [contracts, ...new Set(code)], files: codegen.slice(0, 1) }, (paths) => {
    void session.update(changesOf(paths, contracts, codegen));
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void Promise.all([session.close(), typeCheck.stop()]).then(() => process.exit(0)));
  await session.update({ files: [], contract: true, code: true });
  if (isOwn && types) typeCheck.start();
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
