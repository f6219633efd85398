import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Session } from '../../admission/session.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Prepared } from '../endpoint/endpoint.ts';
import type { GraphqlResult } from '../endpoint/request.ts';
import type { Transport } from '../endpoint/transport.ts';
import type { ReplyWithEvents } from '../http/http-route.ts';
import { callAt } from './call-at.ts';
import { KEEP_ALIVE_MS } from './keep-alive.ts';
import { Outbox } from './outbox.ts';
import { responseSink } from './sinks.ts';

/** The message of a result, as JSON. */
const next = (json: string): string => `event: next\ndata: ${json}\n\n`;

const COMPLETE = 'event: complete\ndata:\n\n';

/** How a stream ends. That of a server that stops is cut: its client connects again, to another one. */
type Ending = 'complete' | 'stopped';

type End = (ending: Ending) => void;

/**
 * Answers an operation as server-sent events: GraphQL over SSE, distinct connections mode
 * (https://github.com/enisdenjo/graphql-sse, PROTOCOL.md). A stream ends when the client disconnects, its token expires,
 * it reads nothing for too long, or, without `complete`, the server stops. A query or a mutation is a stream of one result.
 */
export function createEventReply(app: FastifyInstance, transport: Transport): ReplyWithEvents {
  const open = new Set<End>();
  app.addHook('preClose', (done) => {
    void transport.turns.idle().then(() => {
      for (const end of open) end('stopped');
    });
    done();
  });
  return async (request, reply, prepared, session) => {
    const outbox = outboxOf(request, reply, transport);
    let ending: Ending = 'complete';
    if (prepared.kind === 'subscription')
      ending = await stream(request, reply, prepared, session, transport, outbox, open);
    else await outbox.send(next(JSON.stringify(await answer(reply, prepared, session, transport))));
    if (ending === 'complete') await outbox.send(COMPLETE);
    else outbox.flush();
    reply.raw.end();
  };
}

/** The result of a query or a mutation. Its response has begun. */
async function answer(
  reply: FastifyReply,
  prepared: Prepared,
  session: Session,
  { endpoint }: Transport,
): Promise<GraphqlResult> {
  const result = await endpoint.execute(prepared, session);
  begin(reply);
  return result;
}

/** Sends the results of a subscription until it ends. */
async function stream(
  request: FastifyRequest,
  reply: FastifyReply,
  prepared: Prepared,
  session: Session,
  transport: Transport,
  outbox: Outbox,
  open: Set<End>,
): Promise<Ending> {
  const { endpoint, budget, guards } = transport;
  const { promise: ended, resolve: end } = Promise.withResolvers<Ending>();
  const release = budget.take({ subject: session.subject, address: request.ip }, prepared);
  const complete = (): void => end('complete');
  reply.raw.once('close', complete);
  const results = outbox.stream(next);
  // Results come in later turns of the event loop: the response has begun by then.
  const started = await endpoint.subscribe(prepared, session, { next: results.push, complete });
  begin(reply);
  let ending: Ending = 'complete';
  if (typeof started === 'function') {
    guards.admission.turns.release(reply.raw);
    open.add(end);
    const stopExpiry = expiry(session, transport, (result) => {
      results.close();
      void outbox.send(next(JSON.stringify(result)));
      complete();
    });
    const stopHeartbeat = heartbeat(reply.raw);
    ending = await ended;
    stopHeartbeat();
    stopExpiry();
    open.delete(end);
    started();
  } else void outbox.send(next(JSON.stringify(started)));
  release();
  return ending;
}

function outboxOf({ log }: FastifyRequest, { raw }: FastifyReply, { limits, turns }: Transport): Outbox {
  const sink = responseSink(raw, () => log.info('stream aborted: the client does not keep up'));
  const outbox = new Outbox(sink, limits, (task) => turns.add(task));
  raw.once('close', () => outbox.close());
  return outbox;
}

function begin(reply: FastifyReply): void {
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  const { raw } = reply;
  if (raw.destroyed) return;
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
}

/** Calls back with the last result of a stream whose token has expired. */
function expiry(
  { expiresAtMs, ...session }: Session,
  { clock, endpoint }: Transport,
  expired: (result: GraphqlResult) => void,
): () => void {
  if (expiresAtMs === undefined) return () => {};
  return callAt(expiresAtMs, clock, () => {
    const error = new ApiError('UNAUTHENTICATED', { detail: 'The token has expired.' });
    expired({ errors: [endpoint.formatError(error, session)] });
  });
}

/** Sends a comment regularly, except to a client that has not read what was sent before. */
function heartbeat(response: ServerResponse): () => void {
  const timer = setInterval(() => {
    if (response.writableLength === 0) response.write(':\n\n');
  }, KEEP_ALIVE_MS);
  return () => clearInterval(timer);
}
