import { buildModel } from './build-model.ts';
import { projectCodegen } from './codegen/project-codegen.ts';
import { emitErrors } from './emit/emit-errors.ts';
import { LIBRARY } from './emit/library.ts';
import type { OutputFiles } from './emit/output-files.ts';
import { emit } from './emit-output.ts';
import type { ContractModel, Modelled } from './model/model.ts';
import { entryOf, readContract } from './read/read-contract.ts';

/** Reads and judges a contract: a folder with `openapi.yaml`, or the file itself. */
export async function modelContract(path: string): Promise<Modelled> {
  return buildModel(await readContract(path));
}

export interface Compiled extends Modelled {
  /** Undefined when a finding is an error. */
  readonly files: OutputFiles | undefined;
}

/**
 * From a contract to the text of its output, in memory. `library` is what the output imports Lockstep from.
 * Throws `ConfigError` when the project's `codegen.ts` is not right.
 */
export async function compileContract(path: string, library = LIBRARY): Promise<Compiled> {
  const modelled = await modelContract(path);
  const { model } = modelled;
  return { ...modelled, files: model && (await outputOf(model, path, library)) };
}

/** All output of a model, which was read from the contract at `path`. Throws as `compileContract` does. */
export async function outputOf(model: ContractModel, path: string, library = LIBRARY): Promise<OutputFiles> {
  const { folder } = await entryOf(path);
  return emit(model, library, await projectCodegen(folder));
}

/** The part of the output that hand-written code runs, and not only has its types from; path and text. */
export const runOutputOf = (model: ContractModel, library: string): readonly [path: string, text: string] => [
  'errors.ts',
  emitErrors(model, library),
];
