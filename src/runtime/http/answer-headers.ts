import type { FastifyInstance } from 'fastify';
import type { Readiness } from './readiness.ts';

/**
 * Adds the fields that every answer has: `X-Request-Id`, by which its lines in the log are found, and a ban on guessing
 * another media type (https://fetch.spec.whatwg.org/#x-content-type-options-header). A server that stops asks its callers
 * to connect again, which leads them elsewhere.
 */
export function addAnswerHeaders(app: FastifyInstance, readiness: Readiness): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff');
    reply.header('x-request-id', request.id);
    if (!readiness.isReady) reply.header('connection', 'close');
    done();
  });
}
