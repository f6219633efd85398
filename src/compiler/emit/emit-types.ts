import type { OpenAPI3 } from 'openapi-typescript';
import { HTTP_METHODS, type OpenApiDocument } from '../../descriptor/document.ts';
import { inlineScalars } from './inline-scalars.ts';
import { HEADER } from './print.ts';
import { sealedDocument } from './sealed-document.ts';
import { typesOf } from './types-of.ts';

/** `types/openapi.ts`: a document's schemas and operations as TypeScript (openapi-typescript). Throws `TypesFault`. */
export async function openapiTypes(document: OpenApiDocument): Promise<string> {
  const sealed = sealedDocument(document);
  inlineScalars(sealed);
  const aliases = aliasOperations(sealed);
  let types = await typesOf(sealed as unknown as OpenAPI3);
  for (const [alias, operationId] of aliases)
    types = types.replaceAll(JSON.stringify(alias), JSON.stringify(operationId));
  return `${HEADER}\n${types.replace(WITH_REQUIRED, WITH_REQUIRED_OR_NULL)}`;
}

/** openapi-typescript's own does not take a schema that may be null: none of its keys is known. */
const WITH_REQUIRED = /^type WithRequired<T, K extends keyof T> = T & \{\s*\[P in K\]-\?: T\[P\];?\s*\};$/m;
const WITH_REQUIRED_OR_NULL = `type WithRequired<T, K extends PropertyKey> = T extends null | undefined ? T : T & {
    [P in K & keyof T]-?: T[P];
};`;

/** openapi-typescript turns the `#` of an operationId into `/`, which another one may have: it gets others meanwhile. */
function aliasOperations(document: OpenApiDocument): ReadonlyMap<string, string> {
  const aliases = new Map<string, string>();
  for (const item of Object.values(document.paths ?? {}))
    for (const method of HTTP_METHODS) {
      const operation = item[method] as { operationId?: string } | undefined;
      if (!operation?.operationId?.includes('#')) continue;
      const alias = `an operation, the ${aliases.size + 1}.`;
      aliases.set(alias, operation.operationId);
      operation.operationId = alias;
    }
  return aliases;
}
