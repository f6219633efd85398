import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { RestOperation } from './operation.ts';

/**
 * What caches may do with the answers of an operation that reads a resource: keep them, and ask each time whether they
 * are still current (RFC 9111, 5.2.2.4). An answer that depends on the caller names the fields that say who asks
 * (RFC 9110, 12.5.5), and is for no shared cache.
 */
export function cachingHeaders(
  { method, access }: RestOperation,
  document: OpenApiDocument,
): Readonly<Record<string, string>> | undefined {
  if (method !== 'get') return undefined;
  const schemes = new Set(access.anyOf.flatMap((alternative) => alternative.schemes.map(({ name }) => name)));
  if (schemes.size === 0) return { 'cache-control': 'no-cache' };
  const fields = new Set([...schemes].flatMap((name) => fieldOf(document, name)));
  return { 'cache-control': 'private, no-cache', ...(fields.size > 0 && { vary: [...fields].join(', ') }) };
}

/** The request's header field that carries the credentials; none for a query parameter, which is part of the URL. */
function fieldOf(document: OpenApiDocument, name: string): string[] {
  const scheme = document.components?.securitySchemes?.[name];
  if (scheme?.type !== 'apiKey') return ['authorization'];
  if (scheme['in'] === 'header') return [String(scheme['name']).toLowerCase()];
  return scheme['in'] === 'cookie' ? ['cookie'] : [];
}
