import type { RestOperation } from './operation.ts';

/** The epoch, which is in the past: deprecated, and nobody said since when. */
const LONG_AGO = 0;

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and, where there is something to read, `Link` fields of an operation. */
export function deprecationHeaders({
  deprecated,
  deprecatedSince,
  sunset,
  docs,
}: RestOperation): Readonly<Record<string, string>> | undefined {
  if (!deprecated) return undefined;
  const since = deprecatedSince === undefined ? LONG_AGO : Date.parse(deprecatedSince) / 1_000;
  return {
    deprecation: `@${since}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
    ...(docs !== undefined && { link: `<${URL.parse(docs)?.href ?? encodeURI(docs)}>; rel="deprecation"` }),
  };
}
