import type { RestOperation } from './operation.ts';

/** The epoch, which is in the past: deprecated, and nobody said since when. */
const LONG_AGO = 0;

/**
 * `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` fields of an operation: what there is to read, and the version that
 * comes after (RFC 5829).
 */
export function deprecationHeaders({
  deprecated,
  deprecatedSince,
  sunset,
  docs,
  successor,
}: RestOperation): Readonly<Record<string, string>> | undefined {
  if (!deprecated) return undefined;
  const links = [
    ...(docs === undefined ? [] : [`<${URL.parse(docs)?.href ?? encodeURI(docs)}>; rel="deprecation"`]),
    ...(successor === undefined ? [] : [`<${encodeURI(successor)}>; rel="successor-version"`]),
  ];
  const since = deprecatedSince === undefined ? LONG_AGO : Date.parse(deprecatedSince) / 1_000;
  return {
    deprecation: `@${since}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
    ...(links.length > 0 && { link: links.join(', ') }),
  };
}
