import { createServer } from 'node:http';

/** The response to send, a copy of another server's. */
export interface ConstantResponse {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

let answer = { status: 200, headers: {} as Record<string, string | number>, body: '' };

process.on('message', (message: ConstantResponse | 'usage') => {
  if (message === 'usage') return;
  const { status, contentType, body } = message;
  const headers = { 'content-type': contentType, etag: '"1"', 'content-length': Buffer.byteLength(body) };
  answer = { status, headers: status === 304 ? { etag: '"1"' } : headers, body };
});

/** The cost of HTTP itself on this machine: a server without routes or database that always sends the same bytes. */
createServer((_, response) => {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}).listen(Number(process.env['PORT']), '127.0.0.1');
