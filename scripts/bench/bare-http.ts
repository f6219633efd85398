import { createServer } from 'node:http';

/** The answer to give, as long as another server's. */
export interface ConstantAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

let answer = { status: 200, headers: {} as Record<string, string | number>, body: '' };

process.on('message', (message: ConstantAnswer | 'usage') => {
  if (message === 'usage') return;
  const { status, contentType, body } = message;
  const headers = { 'content-type': contentType, etag: '"1"', 'content-length': Buffer.byteLength(body) };
  answer = { status, headers: status === 304 ? { etag: '"1"' } : headers, body };
});

/** What HTTP itself costs on this machine: no route, no database, the same bytes each time. */
createServer((_, response) => {
  response.writeHead(answer.status, answer.headers);
  response.end(answer.body);
}).listen(Number(process.env['PORT']), '127.0.0.1');
