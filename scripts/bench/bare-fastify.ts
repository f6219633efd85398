import fastify from 'fastify';
import type { ConstantResponse } from './bare-http.ts';

let answer: ConstantResponse & { readonly headers: Readonly<Record<string, string>> };

process.on('message', (message: ConstantResponse | 'usage') => {
  if (message === 'usage') return;
  answer = { ...message, headers: { 'content-type': message.contentType, etag: '"1"', 'cache-control': 'no-cache' } };
});

/** The cost of Fastify: a server with one route that always sends the same bytes. */
const app = fastify();
app.get('/*', (_request, reply) => {
  reply.code(answer.status).headers(answer.headers).send(answer.body);
});
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) });
