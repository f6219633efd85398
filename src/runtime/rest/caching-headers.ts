import type { OperationDescriptor, RestDescriptor, SchemeDescriptor } from '../../descriptor/rest.ts';

/**
 * Allows caches to store the responses of an operation that reads a resource, if they revalidate them each time
 * (RFC 9111, 5.2.2.4). A response that depends on the caller names the fields that identify the caller (RFC 9110,
 * 12.5.5), and must not be stored by shared caches.
 */
export function cachingHeaders(
  { method, access }: OperationDescriptor,
  { securitySchemes }: RestDescriptor,
): Readonly<Record<string, string>> | undefined {
  if (method !== 'get') return undefined;
  const schemes = new Set(access.anyOf.flatMap((alternative) => alternative.schemes.map(({ name }) => name)));
  if (schemes.size === 0) return { 'cache-control': 'no-cache' };
  const fields = new Set([...schemes].flatMap((name) => fieldOf(securitySchemes[name])));
  return { 'cache-control': 'private, no-cache', ...(fields.size > 0 && { vary: [...fields].join(', ') }) };
}

/** The header field with the credentials of a scheme; none for a query parameter, which is part of the URL. */
function fieldOf(scheme: SchemeDescriptor | undefined): string[] {
  if (!scheme) return ['authorization'];
  if (scheme.in === 'header') return [scheme.name.toLowerCase()];
  return scheme.in === 'cookie' ? ['cookie'] : [];
}
