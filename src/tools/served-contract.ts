import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import { generatedContract } from '../runtime/generated-contract.ts';
import type { AnyHandlers } from '../runtime/wiring.ts';
import { CommandFailure } from './command-failure.ts';
import { keptFiles } from './kept-files.ts';
import { OWN_CONTRACTS, OWN_OUT, type StartOptions } from './start-options.ts';

/** The contract to serve: the generated one, or a folder compiled in memory. Throws `CommandFailure`. */
export function contractFor({ contracts }: StartOptions): Promise<CompiledContract> {
  return contracts === undefined ? generated() : compiled(contracts);
}

/** What `npm run generate` has written into the folder of the project. Throws `CommandFailure` when it has not. */
async function generated(): Promise<CompiledContract> {
  const folder = pathToFileURL(`${resolve(OWN_OUT)}/`);
  if (!(await stat(new URL('openapi.json', folder)).catch(() => undefined))) {
    const { hasContract, HOW_TO_NAME_A_CONTRACT } = await import('../compiler/read/index.ts');
    const toDo = (await hasContract(OWN_CONTRACTS)) ? 'Run `npm run generate`.' : HOW_TO_NAME_A_CONTRACT;
    throw new CommandFailure(`${OWN_OUT}/openapi.json does not exist. ${toDo}`);
  }
  return generatedContract(folder);
}

/** The compiler is loaded only when there is something to compile. */
async function compiled(folder: string): Promise<CompiledContract> {
  if (!(await stat(folder).catch(() => undefined))) throw new CommandFailure(`${folder} does not exist.`);
  const { modelContract } = await import('../compiler/compile-contract.ts');
  const { formatFindings, isSummary } = await import('../compiler/findings/index.ts');
  const { model, findings } = await modelContract(folder, keptFiles());
  const told = findings.filter((finding) => finding.severity === 'error' || isSummary(finding));
  if (!model) throw new CommandFailure(`${formatFindings(told)}\n\n${folder} cannot be served.`);
  if (told.length > 0) console.error(formatFindings(told));
  return model;
}

/** The hand-written code that goes with it; undefined: the default actions alone. Throws `CommandFailure`. */
export async function handlersFor({ handlers }: Pick<StartOptions, 'handlers'>): Promise<AnyHandlers | undefined> {
  if (handlers === undefined) return undefined;
  if (!existsSync(handlers)) {
    const toDo = 'Write an `index.ts` there with `export const handlers = {};`, which may be all.';
    throw new CommandFailure(`${handlers} does not exist. ${toDo}`);
  }
  const module = await importFile(handlers);
  if (typeof module['handlers'] !== 'object') throw new CommandFailure(`${handlers} does not export \`handlers\`.`);
  return module['handlers'] as AnyHandlers;
}

/** A module by its path, or the `index.ts` of a folder. Throws `CommandFailure` if it is missing. */
export const importFile = async <Module = Record<string, unknown>>(path: string): Promise<Module> =>
  import(pathToFileURL(await moduleFile(path)).href);

/** The whole path of that module. */
export async function moduleFile(path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  const file = stats?.isDirectory() ? join(path, 'index.ts') : path;
  if (!stats || !(await stat(file).catch(() => undefined))) throw new CommandFailure(`${file} does not exist.`);
  return resolve(file);
}
