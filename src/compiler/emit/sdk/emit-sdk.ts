import { readdir, readFile } from 'node:fs/promises';
import { KEEP_NOTHING, type Keep } from '../../../descriptor/keep.ts';
import type { ContractModel } from '../../model/model.ts';
import { publicationOf } from '../clients/publication.ts';
import type { OutputFiles } from '../folder/output-folder.ts';
import { HEADER } from '../print.ts';
import { sdkDocuments } from './sdk-documents.ts';
import { sdkErrors } from './sdk-errors.ts';
import { sdkPackage } from './sdk-package.ts';
import { sdkReadme } from './sdk-readme.ts';
import { sdkBound, sdkResources } from './sdk-resources.ts';
import { type Transpiled, transpiled, transpiledParts } from './transpile.ts';

/** What every client does alike, as source. */
const RUNTIME = new URL('../../../readers/sdk/', import.meta.url);
/** Of the runtime, what a client without GraphQL has no use for. */
const GRAPHQL_ONLY = new Set(['graphql.ts', 'last-versions.ts', 'subscribe.ts', 'tanstack-events.ts']);

type OutputFile = [path: string, text: string];

/**
 * `sdk/`: a package of plain JavaScript with types, ready to be published. `types` is the text of `types/openapi.ts`,
 * `license` that of the project's LICENSE.
 */
export async function emitSdk(
  model: ContractModel,
  types: string,
  license?: string,
  keep = KEEP_NOTHING,
): Promise<OutputFiles> {
  const { graphql } = model;
  const documents = graphql && (await sdkDocuments(graphql, keep));
  const files = [
    ...(await runtime(graphql !== undefined, keep)),
    ...filesOf('errors', await transpiled('errors.ts', sdkErrors(model), keep)),
    ...filesOf('index', await transpiledParts('index.ts', sdkResources(model), keep)),
    ...filesOf('bound', await transpiled('bound.ts', sdkBound(model), keep)),
    ...filesOf('tanstack', await transpiled('tanstack.ts', tanstackEntry(documents !== undefined), keep)),
    ...(documents
      ? [['graphql.js', documents.script] as const, ['graphql.d.ts', documents.declarations] as const]
      : []),
    ['openapi.d.ts', types],
    ...(documents ? [['documents.d.ts', `${HEADER}${documents.types}`] as const] : []),
    ['package.json', sdkPackage(model, publicationOf(model.document, license))],
    ...(license === undefined ? [] : [['LICENSE', license] as const]),
    ['README.md', sdkReadme(model)],
  ] as const;
  return new Map(files.map(([path, text]) => [`sdk/${path}`, text]));
}

/** The entry `tanstack`. */
const tanstackEntry = (hasGraphql: boolean): string => `export {
  changeOptions, createOptions, deleteOptions, getOptions, infiniteOptions, listOptions, replaceOptions, type ResourceMutation,
  type ResourcePages, type ResourceQuery, updateOptions,
} from './runtime/tanstack.ts';
export { type AnyQueryClient, resourceKey } from './runtime/tanstack-cache.ts';
${hasGraphql ? "export { type InvalidateOptions, invalidateOn } from './runtime/tanstack-events.ts';\n" : ''}`;

let common: Promise<ReadonlyMap<string, OutputFile[]>> | undefined;

/** The runtime is the same for all contracts, so it is transpiled once. */
async function runtime(hasGraphql: boolean, keep: Keep): Promise<OutputFile[]> {
  common ??= transpiledRuntime(keep);
  return [...(await common)].flatMap(([name, files]) => (hasGraphql || !GRAPHQL_ONLY.has(name) ? files : []));
}

/** By the names of its sources, in their order. */
async function transpiledRuntime(keep: Keep): Promise<ReadonlyMap<string, OutputFile[]>> {
  const names = (await readdir(RUNTIME)).filter((name) => name.endsWith('.ts')).sort();
  const files = names.map(async (name): Promise<[string, OutputFile[]]> => {
    const text = await readFile(new URL(name, RUNTIME), 'utf8');
    const path = `runtime/${name}`;
    return [name, filesOf(path.replace(/\.ts$/, ''), await transpiled(path, text, keep))];
  });
  return new Map(await Promise.all(files));
}

const filesOf = (path: string, { script, declarations }: Transpiled): OutputFile[] => [
  [`${path}.js`, script],
  [`${path}.d.ts`, declarations],
];
