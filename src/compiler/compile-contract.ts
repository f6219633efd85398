import { ConfigError } from '../descriptor/config-error.ts';
import { pointerTokens } from '../descriptor/json-pointer.ts';
import { KEEP_NOTHING, type Keep } from '../descriptor/keep.ts';
import { once } from '../descriptor/once.ts';
import { buildModel } from './build-model.ts';
import { projectLicense } from './emit/clients/publication.ts';
import { projectCodegen } from './emit/codegen/project-codegen.ts';
import { emitErrors } from './emit/emit-errors.ts';
import { LIBRARY } from './emit/folder/library.ts';
import type { OutputFiles } from './emit/folder/output-folder.ts';
import { TypesFault } from './emit/types-fault.ts';
import { emit } from './emit-output.ts';
import { type Finding, isError, type Location } from './findings/finding.ts';
import { formatFindings } from './findings/report.ts';
import type { ContractModel, Modelled } from './model/model.ts';
import type { ContractSource } from './model/source.ts';
import { nodesBelow } from './read/grammar.ts';
import { entryOf, readContract } from './read/read-contract.ts';

/** Reads and judges a contract: a folder with `openapi.yaml`, or the file itself. */
export async function modelContract(path: string, keep?: Keep): Promise<Modelled> {
  return buildModel(await readContract(path, { keep }));
}

/** A contract without errors. Throws `ConfigError` with those that it has, and with what follows from them, if that is given. */
export async function soundContract(
  path: string,
  isTerminal = false,
  consequence?: string,
  keep?: Keep,
): Promise<Sound> {
  const { model, parity, findings } = await modelContract(path, keep);
  if (model) return { model, parity };
  const errors = formatFindings(findings.filter(isError), { colour: isTerminal });
  throw new ConfigError(consequence === undefined ? [errors] : [errors, '', consequence]);
}

export interface Sound extends Pick<Modelled, 'parity'> {
  readonly model: ContractModel;
}

export interface Compiled extends Modelled {
  /** Undefined when a finding is an error. */
  readonly files: OutputFiles | undefined;
}

/**
 * From a contract to the text of its output, in memory. `library` is what the output imports Lockstep from. What `keep` has is not made
 * again.
 * What has no types is a finding. Throws `ConfigError` when the project's `codegen.ts` is not right.
 */
export async function compileContract(path: string, library = LIBRARY, keep = KEEP_NOTHING): Promise<Compiled> {
  return contractSteps(path, library, keep).compiled();
}

/** A contract that is read, judged and compiled when it is asked for, each at most once. */
export interface ContractSteps {
  readonly source: () => Promise<ContractSource>;
  readonly modelled: () => Promise<Modelled>;
  readonly compiled: () => Promise<Compiled>;
}

export function contractSteps(path: string, library: string, keep: Keep = KEEP_NOTHING): ContractSteps {
  const source = once(() => readContract(path, { keep }));
  const modelled = once(async () => buildModel(await source()));
  const output = (model: ContractModel) => outputOf(model, path, library, keep);
  const compiled = once(async () => compileSource(await source(), await modelled(), output));
  return { source, modelled, compiled };
}

async function compileSource(
  source: ContractSource,
  modelled: Modelled,
  output: (model: ContractModel) => Promise<OutputFiles>,
): Promise<Compiled> {
  const untyped = untypedReferences(source);
  const findings = [...modelled.findings, ...untyped];
  if (!modelled.model || untyped.length > 0) return { ...modelled, files: undefined, findings };
  try {
    return { ...modelled, files: await output(modelled.model) };
  } catch (error) {
    if (!(error instanceof TypesFault)) throw error;
    return { ...modelled, files: undefined, findings: [...findings, typesFinding(source, error)] };
  }
}

/** References to the whole document, which is not a schema: they are found beside other errors, each at its place. */
const untypedReferences = ({ document, locate }: ContractSource): Finding[] =>
  [...nodesBelow(document, 'document')]
    .filter(({ node }) => node['$ref'] === '#')
    .map(({ node }) => noTypes('`$ref: "#"` refers to the whole document', locate(node, '$ref')));

/** A part of the document that has no types, at the nearest place that the author has written. */
function typesFinding({ document, locate }: ContractSource, { pointer, message }: TypesFault): Finding {
  let node: object = document;
  let key: string | undefined;
  for (const token of pointerTokens(pointer)) {
    const next: unknown = (node as Readonly<Record<string, unknown>>)[token];
    if (next === undefined) break;
    key = token;
    if (typeof next !== 'object' || next === null) break;
    [node, key] = [next, undefined];
  }
  return noTypes(message, locate(node, key));
}

const noTypes = (reason: string, location: Location): Finding => ({
  rule: 'types',
  severity: 'error',
  message: `The TypeScript types cannot express this:  ${reason}.`,
  hint: 'Write it in another way, or leave it out.',
  location,
});

/** All output of a model, which was read from the contract at `path`. Throws as `compileContract` does. */
export async function outputOf(model: ContractModel, path: string, library: string, keep: Keep): Promise<OutputFiles> {
  const { folder } = await entryOf(path);
  return emit(model, library, await projectCodegen(folder), keep, await projectLicense(folder));
}

/** The part of the output that hand-written code runs, and not only has its types from; path and text. */
export const runOutputOf = (model: ContractModel, library: string): readonly [path: string, text: string] => [
  'errors.ts',
  emitErrors(model, library),
];
