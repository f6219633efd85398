import type { FastifyInstance } from 'fastify';
import { addressOf } from '../../async/caller-key.ts';
import { type AllowedMethods, allowOf } from '../../http/allowed-methods.ts';
import { collectBodies } from '../../http/collect-body.ts';
import { MAX_MESSAGE_BYTES, type Transport } from '../endpoint/transport.ts';
import { HttpRoute, type ReplyWithEvents } from './http-route.ts';

/** HEAD is answered as GET is, without a body. */
const SERVED = new Set(['GET', 'HEAD', 'POST']);
const ALLOW = allowOf(SERVED);

/**
 * Serves GraphQL over HTTP (https://graphql.github.io/graphql-over-http/draft/) at the path of the transport; the methods
 * of that path. `fields` are the header fields that every request may have.
 */
export function registerHttp(
  app: FastifyInstance,
  transport: Transport,
  replyWithEvents: ReplyWithEvents,
  fields: readonly string[],
): AllowedMethods {
  const { path } = transport;
  const route = new HttpRoute(transport, replyWithEvents);
  const takes = new Map<string, readonly string[]>([...SERVED].map((method) => [method, fields]));
  takes.set('POST', [...fields, 'Content-Type', 'Idempotency-Key']);
  const limit = Math.min(MAX_MESSAGE_BYTES, app.initialConfig.bodyLimit!);
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    const { turns } = transport.guards.admission;
    collectBodies(scope, {
      limit,
      turnOf: (request) => turns.turnOf(request.opened?.session ?? addressOf(request)),
    });
    scope.setErrorHandler(route.fail);
    scope.route({ method: 'POST', url: path, onRequest: route.admit, handler: route.serve });
    scope.route({ method: ['GET', 'HEAD'], url: path, exposeHeadRoute: false, handler: route.serve });
  });
  return { url: path, served: SERVED, allow: ALLOW, replyProblem: route.fail, takes };
}
