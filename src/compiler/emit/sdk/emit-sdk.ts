import { readdir, readFile } from 'node:fs/promises';
import type { ContractModel } from '../../model/model.ts';
import { publicationOf } from '../clients/publication.ts';
import type { OutputFiles } from '../output-files.ts';
import { HEADER } from '../print.ts';
import { sdkDocuments } from './sdk-documents.ts';
import { sdkErrors } from './sdk-errors.ts';
import { sdkPackage } from './sdk-package.ts';
import { sdkReadme } from './sdk-readme.ts';
import { sdkResources } from './sdk-resources.ts';
import { transpiled } from './transpile.ts';

/** What every client does alike, as source. */
const RUNTIME = new URL('../../../tools/sdk/', import.meta.url);
/** Of the runtime, what a client without GraphQL has no use for. */
const GRAPHQL_ONLY = new Set(['graphql.ts', 'last-versions.ts', 'subscribe.ts']);

type OutputFile = [path: string, text: string];

/**
 * `sdk/`: a package of plain JavaScript with types, ready to be published. `types` is the text of `types/openapi.ts`,
 * `license` that of the project's LICENSE.
 */
export async function emitSdk(model: ContractModel, types: string, license?: string): Promise<OutputFiles> {
  const { graphql } = model;
  const documents = graphql && (await sdkDocuments(graphql));
  const sources = new Map([
    ['errors.ts', sdkErrors(model)],
    ['index.ts', sdkResources(model)],
    ...(documents ? ([['graphql.ts', documents.source]] as const) : []),
  ]);
  const files = [
    ...(await runtime(graphql !== undefined)),
    ...[...sources].flatMap(([path, text]) => transpiled(path, text)),
    ['openapi.d.ts', types],
    ...(documents ? [['documents.d.ts', `${HEADER}${documents.types}`] as const] : []),
    ['package.json', sdkPackage(model, publicationOf(model.document, license))],
    ...(license === undefined ? [] : [['LICENSE', license] as const]),
    ['README.md', sdkReadme(model)],
  ] as const;
  return new Map(files.map(([path, text]) => [`sdk/${path}`, text]));
}

let common: Promise<ReadonlyMap<string, OutputFile[]>> | undefined;

/** The runtime is the same for all contracts, so it is transpiled once. */
async function runtime(hasGraphql: boolean): Promise<OutputFile[]> {
  common ??= transpiledRuntime();
  return [...(await common)].flatMap(([name, files]) => (hasGraphql || !GRAPHQL_ONLY.has(name) ? files : []));
}

/** By the names of its sources, in their order. */
async function transpiledRuntime(): Promise<ReadonlyMap<string, OutputFile[]>> {
  const names = (await readdir(RUNTIME)).filter((name) => name.endsWith('.ts')).sort();
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, RUNTIME), 'utf8')));
  return new Map(names.map((name, i) => [name, transpiled(`runtime/${name}`, texts[i]!)]));
}
