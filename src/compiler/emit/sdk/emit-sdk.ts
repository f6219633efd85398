import { readdir, readFile } from 'node:fs/promises';
import type { ContractModel } from '../../model/model.ts';
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
const GRAPHQL_ONLY = new Set(['graphql.ts', 'subscribe.ts']);

/**
 * `sdk/`: a package of plain JavaScript with types, ready to be published. `types` is the text of `types/openapi.ts`.
 */
export async function emitSdk(model: ContractModel, types: string): Promise<OutputFiles> {
  const { graphql } = model;
  const documents = graphql && (await sdkDocuments(graphql));
  const sources = new Map([
    ...(await runtime(graphql !== undefined)),
    ['errors.ts', sdkErrors(model)],
    ['index.ts', sdkResources(model)],
    ...(documents ? ([['graphql.ts', documents.source]] as const) : []),
  ]);
  const files = [
    ...[...sources].flatMap(([path, text]) => transpiled(path, text)),
    ['openapi.d.ts', types],
    ...(documents ? [['documents.d.ts', `${HEADER}${documents.types}`] as const] : []),
    ['package.json', sdkPackage(model)],
    ['README.md', sdkReadme(model)],
  ] as const;
  return new Map(files.map(([path, text]) => [`sdk/${path}`, text]));
}

async function runtime(hasGraphql: boolean): Promise<[path: string, text: string][]> {
  const names = (await readdir(RUNTIME)).filter(
    (name) => name.endsWith('.ts') && (hasGraphql || !GRAPHQL_ONLY.has(name)),
  );
  const texts = names.sort().map(async (name): Promise<[string, string]> => {
    const text = await readFile(new URL(name, RUNTIME), 'utf8');
    return [`runtime/${name}`, text];
  });
  return Promise.all(texts);
}
