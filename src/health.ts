import type { FastifyInstance } from 'fastify';
import { ApiError } from './errors/api-error.ts';
import type { Store } from './storage/store.ts';

/** Whether the server still takes new work; false from the moment it is told to stop. */
export interface Readiness {
  isReady: boolean;
}

/**
 * `/livez`: the process answers. `/readyz`: it takes requests and its store answers, else 503.
 * Neither needs a token; both stand outside the contract and its version.
 */
export function registerHealth(app: FastifyInstance, store: Store, readiness: Readiness): void {
  const ok = JSON.stringify({ status: 'ok' });
  app.get('/livez', (_request, reply) => reply.type('application/json').send(ok));
  app.get('/readyz', async (_request, reply) => {
    if (!readiness.isReady) throw unready('The server is stopping.');
    try {
      await store.ping();
    } catch (cause) {
      throw unready('The store does not answer.', cause);
    }
    return reply.type('application/json').header('cache-control', 'no-store').send(ok);
  });
}

function unready(detail: string, cause?: unknown): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { detail, headers: { 'retry-after': '1' }, cause });
}
