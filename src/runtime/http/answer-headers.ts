import type { FastifyInstance } from 'fastify';

/**
 * Adds the fields that every answer has: `X-Request-Id`, by which its lines in the log are found, and a ban on guessing
 * another media type (https://fetch.spec.whatwg.org/#x-content-type-options-header).
 */
export function addAnswerHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('x-request-id', request.id);
    done();
  });
}
