import fastify from 'fastify';

let answer;

// Messages are of the type `ConstantResponse`.
process.on('message', (message) => {
  if (message === 'usage') return;
  answer = { ...message, headers: { 'content-type': message.contentType, etag: '"1"', 'cache-control': 'no-cache' } };
});

/** The cost of Fastify: a server with one route that always sends the same bytes. */
const app = fastify();
app.all('/*', (_request, reply) => {
  reply.code(answer.status).headers(answer.headers).send(answer.body);
});
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
