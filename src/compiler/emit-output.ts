import { emitDocument } from './emit/emit-document.ts';
import { emitErrors } from './emit/emit-errors.ts';
import { emitGraphql } from './emit/emit-graphql.ts';
import { emitHandlers } from './emit/emit-handlers.ts';
import { emitHttp } from './emit/emit-http.ts';
import { emitPostman } from './emit/emit-postman.ts';
import { emitResourceTypes } from './emit/emit-resource-types.ts';
import { emitResources } from './emit/emit-resources.ts';
import { openapiTypes } from './emit/emit-types.ts';
import { emitVersions } from './emit/emit-versions.ts';
import type { OutputFiles } from './emit/output-files.ts';
import { emitSdk } from './emit/sdk/emit-sdk.ts';
import type { ContractModel } from './model/model.ts';

/** Everything the compiler writes. `library` is where the output imports Lockstep's `src/` from. */
export async function emit(model: ContractModel, library: string): Promise<OutputFiles> {
  const types = await openapiTypes(model.document);
  const files = [
    ['errors.ts', emitErrors(model, library)],
    ['handlers.ts', emitHandlers(model, library)],
    ['openapi.json', emitDocument(model)],
    ['postman.json', emitPostman(model)],
    ['requests.http', emitHttp(model)],
    ['resources.ts', emitResources(model, library)],
    ['types/openapi.ts', types],
    ['types/resources.ts', emitResourceTypes(model, library)],
  ] as const;
  const graphql = model.graphql ? await emitGraphql(model.graphql, library) : [];
  const versions = await emitVersions(model, library);
  return new Map<string, string>([...files, ...graphql, ...versions, ...(await emitSdk(model, types))]);
}
