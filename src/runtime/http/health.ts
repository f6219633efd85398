import type { FastifyInstance } from 'fastify';
import { ApiError } from '../errors/api-error.ts';
import type { Store } from '../storage/store.ts';
import { type Readiness, stopping } from './readiness.ts';

/** A database that takes longer to answer is no database to send requests to. */
const PING_TIMEOUT_MS = 1_000;

/** Answered even when nothing else is. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/**
 * `/livez`: the process answers. `/readyz`: it takes requests and its store answers, else 503.
 * Neither needs a token; both stand outside the contract and its version.
 */
export function registerHealth(app: FastifyInstance, store: Store, readiness: Readiness): void {
  const ok = JSON.stringify({ status: 'ok' });
  app.get('/livez', (_request, reply) => reply.type('application/json').send(ok));
  app.get('/readyz', async (_request, reply) => {
    if (!readiness.isReady) throw stopping();
    try {
      await inTime(Promise.resolve(store.ping()));
    } catch (cause) {
      throw unready(cause);
    }
    return reply.type('application/json').header('cache-control', 'no-store').send(ok);
  });
}

async function inTime(answer: Promise<void>): Promise<void> {
  const timer = AbortSignal.timeout(PING_TIMEOUT_MS);
  const late = new Promise<never>((_resolve, reject) => {
    timer.addEventListener('abort', () => reject(new Error(`No answer in ${PING_TIMEOUT_MS} ms.`)), { once: true });
  });
  await Promise.race([answer, late]);
}

function unready(cause: unknown): ApiError {
  const detail = 'The store does not answer.';
  return new ApiError('SERVICE_UNAVAILABLE', { detail, headers: { 'retry-after': '1' }, cause });
}
