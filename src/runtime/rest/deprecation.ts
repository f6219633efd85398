import type { Deprecation } from '../../descriptor/rest.ts';

/** The epoch, for an operation that does not declare since when it is deprecated. */
const UNKNOWN_DATE = 0;

/**
 * The `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link` fields of an operation. Links lead to its documentation
 * and to the successor version (RFC 5829).
 */
export function deprecationHeaders({ since, sunset, docs, successor }: Deprecation): Readonly<Record<string, string>> {
  const links = [
    ...(docs === undefined ? [] : [`<${URL.parse(docs)?.href ?? encodeURI(docs)}>; rel="deprecation"`]),
    ...(successor === undefined ? [] : [`<${encodeURI(successor)}>; rel="successor-version"`]),
  ];
  return {
    deprecation: `@${since === undefined ? UNKNOWN_DATE : Date.parse(since) / 1_000}`,
    ...(sunset !== undefined && { sunset: new Date(sunset).toUTCString() }),
    ...(links.length > 0 && { link: links.join(', ') }),
  };
}
