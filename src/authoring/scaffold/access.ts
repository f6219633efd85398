import { securitySchemes } from '../../compiler/model/index.ts';
import { isBearer } from '../../descriptor/bearer.ts';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { Json } from '../sync/openapi-resource.ts';
import type { Noun } from './noun.ts';

/** The Security Requirement Objects for reading and for writing a new resource; undefined without a scheme for tokens. */
export function securityOf(
  document: OpenApiDocument,
  { collection }: Pick<Noun, 'collection'>,
): { readonly read: readonly Json[] | undefined; readonly write: readonly Json[] | undefined } {
  const bearer = bearerOf(document);
  if (!bearer) return { read: undefined, write: undefined };
  const of = (scope: string): readonly Json[] => [{ [bearer.name]: bearer.hasScopes ? [scope] : [] }];
  return { read: of(`${collection}:read`), write: of(`${collection}:write`) };
}

/**
 * The security scheme that takes bearer tokens, and whether operations can name scopes that it does not declare;
 * undefined when there is none.
 */
function bearerOf(document: OpenApiDocument): { readonly name: string; readonly hasScopes: boolean } | undefined {
  const found = Object.entries(securitySchemes(document)).find(([, scheme]) => isBearer(scheme));
  return found && { name: found[0], hasScopes: found[1].type !== 'oauth2' };
}
