import { parseCookie } from 'cookie';

/** Values by name from a Cookie field (RFC 6265, 4.2.1), without quotes. The first of several values of a name wins. */
export function parseCookies(field = ''): Readonly<Record<string, string | undefined>> {
  return parseCookie(field, { decode: unquoted });
}

/** Does not decode percent-encoding: that depends on the schema of the parameter. */
const unquoted = (value: string): string => (/^".*"$/.test(value) ? value.slice(1, -1) : value);
