import { setTimeout as delay } from 'node:timers/promises';

/** Times of requests in milliseconds, each from when it was due. */
export interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/**
 * Sends a request every `everyMs` until `isDone`. A request is due at its time, even if the loop is held up: what holds
 * one up counts for each that had to wait.
 */
export async function latenciesUntil(
  isDone: () => boolean,
  request: () => Promise<unknown>,
  everyMs: number,
): Promise<Latencies> {
  const times: number[] = [];
  for (let due = performance.now(); !isDone(); due += everyMs) {
    const early = due - performance.now();
    if (early > 0) await delay(early);
    await request();
    times.push(performance.now() - due);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => Math.round((times[Math.floor(share * (times.length - 1))] ?? 0) * 10) / 10;
  return { count: times.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
}
