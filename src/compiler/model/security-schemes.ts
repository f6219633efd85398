import type { OpenApiDocument, SecurityScheme } from '../../descriptor/document.ts';
import { resolveReference } from '../json-schema/references.ts';

/** The security schemes that a document declares, by name. */
export const securitySchemes = ({ components }: OpenApiDocument): Readonly<Record<string, SecurityScheme>> =>
  components?.securitySchemes ?? {};

/** The security scheme of a name, where it may be a reference. */
export const securityScheme = (document: OpenApiDocument, name: string): SecurityScheme | undefined =>
  resolveReference<SecurityScheme>(document, securitySchemes(document)[name]);

/**
 * All scopes that the OAuth 2 schemes of a contract declare; undefined when it has none, so that any scope is allowed.
 */
export function declaredScopes(document: OpenApiDocument): ReadonlySet<string> | undefined {
  const names = Object.keys(securitySchemes(document));
  const sets = names.flatMap((name) => scopesOf(document, name) ?? []);
  return sets.length === 0 ? undefined : new Set(sets.flatMap((scopes) => [...scopes]));
}

/** The scopes that the flows of an OAuth 2 scheme declare; undefined for schemes of other types. */
export function scopesOf(document: OpenApiDocument, name: string): ReadonlySet<string> | undefined {
  const scheme = securityScheme(document, name);
  if (scheme?.type !== 'oauth2') return undefined;
  const flows = Object.values((scheme['flows'] ?? {}) as Record<string, { scopes?: Record<string, string> }>);
  return new Set(flows.flatMap(({ scopes }) => Object.keys(scopes ?? {})));
}
