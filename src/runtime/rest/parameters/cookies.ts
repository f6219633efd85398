import { parseCookie } from 'cookie';

/** Values by name from a Cookie field (RFC 6265, 4.2.1), quotes removed; of a repeated name the first. */
export function parseCookies(field = ''): Readonly<Record<string, string | undefined>> {
  return parseCookie(field, { decode: unquoted });
}

/** As it was sent: percent signs are the contract's to decode. */
const unquoted = (value: string): string => (/^".*"$/.test(value) ? value.slice(1, -1) : value);
