import type { RestOperation } from './operation.ts';

/**
 * `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) fields of an operation. The contract says that it is deprecated but
 * not since when: the epoch, which is in the past, says just that.
 */
export function deprecationHeaders({
  deprecated,
  sunset,
}: RestOperation): Readonly<Record<string, string>> | undefined {
  if (!deprecated) return undefined;
  return { deprecation: '@0', ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }) };
}
