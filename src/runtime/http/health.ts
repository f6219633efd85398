import type { Store } from '../storage/store.ts';
import { StoreError } from '../storage/store-error.ts';
import type { ServePage } from './pages.ts';
import { notReady, type Readiness, type Unready } from './readiness.ts';

/** A server whose database takes longer to answer should not get requests. */
const PING_TIMEOUT_MS = 1_000;

/** Paths that are served even while other requests are refused. */
export const HEALTH_PATHS: readonly string[] = ['/livez', '/readyz'];

/** What a server of reads is ready in spite of. */
const ON_PURPOSE: ReadonlySet<Unready> = new Set(['standby', 'read-only']);

/**
 * `/livez` answers 200 while the process runs; `/readyz` while it accepts requests and its store answers and takes writes,
 * else 503 with the reason. Neither requires a token, and neither is part of the contract. `servesReadsOnly`: the store may
 * be one that takes no writes on purpose.
 */
export function registerHealth(serve: ServePage, store: Store, readiness: Readiness, servesReadsOnly = false): void {
  const ok = JSON.stringify({ status: 'ok' });
  serve('/livez', (_request, reply) => reply.type('application/json').send(ok));
  serve('/readyz', async (_request, reply) => {
    if (!readiness.isReady) throw notReady('stopping');
    try {
      await withTimeout((async () => store.ping())());
    } catch (cause) {
      const why = wordFor(cause);
      if (!servesReadsOnly || !ON_PURPOSE.has(why)) throw notReady(why, cause);
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

function wordFor(cause: unknown): Unready {
  const failure = cause instanceof StoreError ? cause.failure : undefined;
  if (failure?.kind === 'faulty' && failure.why) return failure.why;
  return failure?.kind === 'full' ? 'full' : 'unreachable';
}
