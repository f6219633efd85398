import type { AttackedServer } from './attacked-server.ts';

/** Linux counts the time of a thread that runs on at its next tick, within 4 ms: a measurement must be many times that. */
const ENOUGH_MS = 24;
/** Rounds of a comparison whose least values are above its bar. */
const ROUNDS = 5;
/** Within what a caller may send in a minute, beside what else a test asks. */
const MOST_ASKS = 100;

/** Milliseconds of CPU that one call takes in this thread. */
export function cpuHere(call: () => unknown): number {
  const begun = process.threadCpuUsage();
  for (let calls = 1; ; calls++) {
    call();
    const { user, system } = process.threadCpuUsage(begun);
    const spentMs = (user + system) / 1e3;
    if (spentMs >= ENOUGH_MS) return spentMs / calls;
  }
}

/** Milliseconds of CPU that one of a server's answers takes in its main thread. */
export async function cpuThere(
  server: AttackedServer,
  ask: () => Promise<unknown>,
  mostAsks: number = MOST_ASKS,
): Promise<number> {
  await ask();
  await server.cpuMs();
  let spentMs = 0;
  let asks = 0;
  while (spentMs < ENOUGH_MS && asks < mostAsks) {
    const batch = Math.min(Math.max(2, asks), mostAsks - asks);
    for (let i = 0; i < batch; i++) await ask();
    asks += batch;
    spentMs += await server.cpuMs();
  }
  return spentMs / asks;
}

/** The lowest CPU of two things, each measured in turn. */
export interface Compared {
  /** How many times the second the first takes. */
  readonly times: number;
  /** Both, in milliseconds. */
  readonly words: string;
}

/**
 * Compares milliseconds of CPU by the lowest of several rounds: caches that other processes empty only add to them. Ends
 * with the first round in which the first is at most `enough` times the second.
 */
export async function compared(
  enough: number,
  first: () => number | Promise<number>,
  second: () => number | Promise<number>,
): Promise<Compared> {
  let lowest = [Infinity, Infinity] as const;
  let times = Infinity;
  for (let round = 0; round < ROUNDS && times > enough; round++) {
    lowest = [Math.min(lowest[0], await first()), Math.min(lowest[1], await second())];
    times = lowest[0] / lowest[1];
  }
  return { times, words: lowest.map((ms) => `${ms.toFixed(2)} ms`).join(' / ') };
}
