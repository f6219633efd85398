import { setTimeout as delay } from 'node:timers/promises';
import type { Store } from './store.ts';

export interface ExpiryOptions {
  readonly clock: () => number;
  /** How long to wait when nothing more has expired. */
  readonly intervalMs: number;
  /** Called with the number of keys of each batch. */
  readonly onDeleted?: ((count: number) => void) | undefined;
  /** The database could not delete; it is asked again after the interval. */
  readonly onFailure: (error: unknown) => void;
}

/** Keys that one statement deletes. It takes some milliseconds, for which other writes to SQLite wait. */
const BATCH = 500;
/** Between two batches the database is free for a while, by the share of what the batch has taken. */
const PAUSE_SHARE = 0.5;
const MIN_PAUSE_MS = 5;

/**
 * Deletes idempotency keys that have expired, time and again, in batches with pauses between them, so that no other
 * statement waits for long. Returns how to stop it, which waits for the running batch. Any number of servers may do this on
 * one database.
 */
export function deleteExpiredKeys(store: Store, options: ExpiryOptions): () => Promise<void> {
  const { clock, intervalMs, onDeleted, onFailure } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const batch = async (): Promise<number> => {
    const startedMs = performance.now();
    const count = await store.deleteExpired(new Date(clock()), BATCH);
    if (count > 0) onDeleted?.(count);
    const isLast = count < BATCH;
    return isLast ? intervalMs : Math.max(MIN_PAUSE_MS, PAUSE_SHARE * (performance.now() - startedMs));
  };
  const work = async (): Promise<void> => {
    let pauseMs = intervalMs;
    for (;;) {
      await delay(pauseMs, undefined, { ref: false, signal });
      pauseMs = await batch().catch((error: unknown) => {
        onFailure(error);
        return intervalMs;
      });
    }
  };
  // Ends by the signal alone, which interrupts a pause.
  const ended = work().catch(() => {});
  return () => {
    ending.abort();
    return ended;
  };
}
