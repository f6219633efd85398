/** The parts of a request; its body goes as JSON unless the fields say otherwise. */
export interface RequestParts {
  readonly token?: string | undefined;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** The bytes of a request. */
export function request(method: string, target: string, { token, fields, body }: RequestParts = {}): Buffer {
  const lines = Object.entries({
    Host: 'localhost',
    ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    ...(body !== undefined && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
    ...fields,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `${method} ${target} HTTP/1.1\r\n${lines.join('')}\r\n`;
  return body === undefined ? Buffer.from(head) : Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}
