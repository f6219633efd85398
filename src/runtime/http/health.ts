import { ApiError } from '../errors/api-error.ts';
import type { Store } from '../storage/store.ts';
import type { ServePage } from './pages.ts';
import { type Readiness, stopping } from './readiness.ts';

/** A server whose database takes longer to answer should not get requests. */
const PING_TIMEOUT_MS = 1_000;

/** Paths that are served even while other requests are refused. */
export const HEALTH_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz']);

/**
 * `/livez` answers 200 while the process runs; `/readyz` while it accepts requests and its store answers, else 503.
 * Neither requires a token, and neither is part of the contract.
 */
export function registerHealth(serve: ServePage, store: Store, readiness: Readiness): void {
  const ok = JSON.stringify({ status: 'ok' });
  serve('/livez', (_request, reply) => reply.type('application/json').send(ok));
  serve('/readyz', async (_request, reply) => {
    if (!readiness.isReady) throw stopping();
    try {
      await withTimeout(Promise.resolve(store.ping()));
    } catch (cause) {
      throw unready(cause);
    }
    return reply.type('application/json').header('cache-control', 'no-store').send(ok);
  });
}

async function withTimeout(answer: Promise<void>): Promise<void> {
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
