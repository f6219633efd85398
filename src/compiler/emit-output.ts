import { ConfigError } from '../descriptor/config-error.ts';
import type { Keep } from '../descriptor/keep.ts';
import { emitClientDocument } from './emit/clients/emit-client-document.ts';
import { emitClientGraphql } from './emit/clients/emit-client-graphql.ts';
import type { ProjectCodegen } from './emit/codegen/project-codegen.ts';
import { emitDocument, emitGraphql, emitResources, emitRest, emitTools } from './emit/emit-data.ts';
import { emitEditor } from './emit/emit-editor.ts';
import { emitErrors } from './emit/emit-errors.ts';
import { emitGraphqlTypes } from './emit/emit-graphql-types.ts';
import { emitHandlers } from './emit/emit-handlers.ts';
import { emitResolvers } from './emit/emit-resolvers.ts';
import { emitResourceTypes } from './emit/emit-resource-types.ts';
import { emitRoutes } from './emit/emit-routes.ts';
import { openapiTypes } from './emit/emit-types.ts';
import { emitVersions } from './emit/emit-versions.ts';
import { withFilledParameters } from './emit/filled-parameters.ts';
import type { OutputFiles } from './emit/folder/output-folder.ts';
import { emitSdk } from './emit/sdk/emit-sdk.ts';
import type { ContractModel } from './model/model.ts';

/**
 * Everything the compiler writes, with what the project's `codegen.ts` adds. `library` is what the output imports Lockstep
 * from, seen from its folder; `license` is the text of the project's LICENSE. Throws `ConfigError` when `codegen.ts` asks for what cannot be made, or for one of the
 * compiler's own files.
 */
export async function emit(
  model: ContractModel,
  library: string,
  project: ProjectCodegen,
  keep: Keep,
  license?: string,
): Promise<OutputFiles> {
  const types = await openapiTypes(model.document, keep);
  const filled = withFilledParameters(model);
  const serverTypes = filled === model.document ? types : await openapiTypes(filled, keep);
  const files = [
    ['clients/openapi.json', emitClientDocument(model)],
    ['errors.ts', emitErrors(model, library)],
    ['handlers.ts', emitHandlers(model, library)],
    ['openapi.json', emitDocument(model)],
    ['resources.ts', emitResources(model, library)],
    ['rest.json', emitRest(model)],
    ['routes.ts', emitRoutes(model, library)],
    ['types/openapi.ts', serverTypes],
    ['types/resources.ts', emitResourceTypes(model, library)],
  ] as const;
  const graphql = model.graphql
    ? [
        ...(await emitClientGraphql(model.graphql, keep)),
        ...emitGraphql(model.graphql, library),
        ['resolvers.ts', emitResolvers(model, library)] as const,
      ]
    : [];
  const versions = await emitVersions(model, library, keep);
  const own = new Map<string, string>([
    ...files,
    ...emitEditor(),
    ...emitTools(model),
    ...graphql,
    ...versions,
    ...(await emitSdk(model, types, license, keep)),
  ]);
  const graphqlTypes = model.graphql ? await emitGraphqlTypes(model.graphql, project, library, keep) : [];
  for (const [path] of graphqlTypes)
    if (own.has(path)) throw new ConfigError([`codegen.ts: Lockstep itself writes ${path}; choose another path.`]);
  return new Map([...own, ...graphqlTypes]);
}
