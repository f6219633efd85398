export const JSON_TYPE = 'application/json';
export const PATCH_TYPE = 'application/merge-patch+json';

/** The text of a request without a body; each of the `fields` ends with a line break. */
export function head(method: string, target: string, fields = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${fields}\r\n`;
}

export const bearer = (token: string): string => `Authorization: Bearer ${token}\r\n`;

/** The text of a request with a JSON body, of an anonymous caller if it has no token. */
export function withBody(
  method: string,
  target: string,
  token: string | undefined,
  type: string,
  value: object,
): string {
  const body = JSON.stringify(value);
  const credentials = token === undefined ? '' : bearer(token);
  const fields = `${credentials}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${head(method, target, fields)}${body}`;
}
