export const JSON_TYPE = 'application/json';
export const PATCH_TYPE = 'application/merge-patch+json';

/** A request without a body, as it goes over the wire; `fields` end with a line break each. */
export function head(method: string, target: string, fields = ''): string {
  return `${method} ${target} HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n${fields}\r\n`;
}

export const bearer = (token: string): string => `Authorization: Bearer ${token}\r\n`;

/** A request with a JSON body. */
export function withBody(method: string, target: string, token: string, type: string, value: object): string {
  const body = JSON.stringify(value);
  const fields = `${bearer(token)}Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${head(method, target, fields)}${body}`;
}
