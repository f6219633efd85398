import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ApiError } from '../../errors/api-error.ts';
import type { Prepared } from '../endpoint/endpoint.ts';
import type { GraphqlResult } from '../endpoint/request.ts';
import type { Session } from '../endpoint/session.ts';
import type { Transport } from '../endpoint/transport.ts';
import type { ReplyWithEvents } from '../http/register-http.ts';
import { callAt } from './call-at.ts';
import { KEEP_ALIVE_MS } from './keep-alive.ts';

type Results = AsyncGenerator<GraphqlResult, void, void>;

/**
 * Answers an operation as server-sent events: GraphQL over SSE, distinct connections mode
 * (https://github.com/enisdenjo/graphql-sse, PROTOCOL.md). A stream ends when the client disconnects, its token expires,
 * it reads nothing for too long, or the server stops.
 */
export function createEventReply(app: FastifyInstance, transport: Transport): ReplyWithEvents {
  const open = new Set<() => void>();
  app.addHook('preClose', (done) => {
    for (const end of open) end();
    done();
  });
  return async (request, reply, prepared, session) => {
    const results = await resultsOf(prepared, session, transport);
    const response = start(reply);
    const end = (): void => void results.return();
    if (prepared.kind === 'subscription') {
      transport.guards.pressure.release(response);
      open.add(end);
    }
    request.raw.socket.once('close', end);
    const stopExpiry = expiry(session, transport, response, end);
    const heartbeat = setInterval(() => response.write(':\n\n'), KEEP_ALIVE_MS);
    try {
      for await (const result of results)
        await write(response, `event: next\ndata: ${JSON.stringify(result)}\n\n`, transport.limits.stallTimeoutMs);
      if (!response.writableEnded) response.end('event: complete\ndata:\n\n');
    } catch (error) {
      request.log.info({ err: error }, 'stream aborted');
      response.destroy();
    } finally {
      clearInterval(heartbeat);
      stopExpiry();
      open.delete(end);
      request.raw.socket.off('close', end);
      end();
    }
  };
}

/** A query or a mutation is a stream of one result. */
async function resultsOf(prepared: Prepared, session: Session, { endpoint }: Transport): Promise<Results> {
  const { kind } = prepared;
  const result = await (kind === 'subscription'
    ? endpoint.subscribe(prepared, session)
    : endpoint.execute(prepared, session));
  return Symbol.asyncIterator in result ? result : only(result);
}

async function* only(result: GraphqlResult): Results {
  yield result;
}

function start(reply: FastifyReply): ServerResponse {
  const headers = reply.getHeaders() as Record<string, string>;
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-accel-buffering': 'no',
  });
  raw.flushHeaders();
  return raw;
}

function expiry(
  { expiresAtMs, ...session }: Session,
  { clock, endpoint }: Transport,
  response: ServerResponse,
  end: () => void,
): () => void {
  if (expiresAtMs === undefined) return () => {};
  return callAt(expiresAtMs, clock, () => {
    const error = new ApiError('UNAUTHENTICATED', { detail: 'The token has expired.' });
    const result = { errors: [endpoint.formatError(error, session)] };
    response.write(`event: next\ndata: ${JSON.stringify(result)}\n\n`);
    end();
  });
}

/** Waits until the client has read what was sent. Rejects when that takes too long. */
function write(response: ServerResponse, text: string, stallTimeoutMs: number): Promise<void> {
  if (response.write(text)) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(new Error('The client does not keep up.')), stallTimeoutMs);
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      response.off('drain', onDrain);
      response.off('close', onDrain);
      if (error) reject(error);
      else resolve();
    };
    const onDrain = (): void => settle();
    response.once('drain', onDrain);
    response.once('close', onDrain);
  });
}
