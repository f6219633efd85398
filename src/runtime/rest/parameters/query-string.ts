import { ApiError } from '../../errors/api-error.ts';

/** Raw values by decoded name, in the order they came. Values are still percent-encoded, for delimiters to be seen. */
export type RawQuery = Map<string, string[]>;

/** The query of a request target. Throws `MALFORMED_REQUEST` on a broken name. */
export function parseQueryString(target: string): RawQuery {
  const start = target.indexOf('?');
  const query: RawQuery = new Map();
  if (start === -1) return query;
  for (const pair of target.slice(start + 1).split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decodeQueryText(split === -1 ? pair : pair.slice(0, split));
    const value = split === -1 ? '' : pair.slice(split + 1);
    const values = query.get(name);
    if (values) values.push(value);
    else query.set(name, [value]);
  }
  return query;
}

/** Decodes a name or value (`application/x-www-form-urlencoded`, URL Standard 5.1), refusing what is not UTF-8. */
export function decodeQueryText(raw: string): string {
  if (!raw.includes('%') && !raw.includes('+')) return raw;
  try {
    return decodeURIComponent(raw.replaceAll('+', ' '));
  } catch {
    throw new ApiError('MALFORMED_REQUEST', { detail: 'The query has a broken percent-encoding.' });
  }
}
