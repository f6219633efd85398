import type { Counter } from '../http/rate-limiter.ts';
import { type RedisLog, Resilient } from './resilient.ts';

/** Beyond this the request goes on, counted by this server alone. */
const PATIENCE_MS = 250;

/** Counts, and lets a count that has begun end by itself. */
const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

interface Counting {
  lockstepCount(key: string, keptMs: number): Promise<number>;
}

/** Counts shared by all servers of a prefix. */
export class RedisCounter implements Counter {
  readonly #prefix: string;
  readonly #link: Resilient;

  constructor({ url, prefix, log }: { readonly url: string; readonly prefix: string; readonly log: RedisLog }) {
    this.#prefix = prefix;
    this.#link = new Resilient({ url, log, purpose: 'counting requests', onReady: () => {}, onLost: () => {} });
    this.#link.client.defineCommand('lockstepCount', { numberOfKeys: 1, lua: COUNT });
  }

  add(key: string, keptMs: number): Promise<number | undefined> | undefined {
    if (!this.#link.isReady) return undefined;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const giveUp = (): void => {
      if (isSettled) return;
      this.#link.suspect();
      resolve(undefined);
    };
    let isSettled = false;
    // When it was this server that took its time, the answer waits: it is read before anything is given up.
    const timer = setTimeout(() => setImmediate(giveUp), PATIENCE_MS);
    (this.#link.client as unknown as Counting)
      .lockstepCount(`${this.#prefix}:rate:${key}`, keptMs)
      .then(resolve, () => resolve(undefined))
      .finally(() => {
        isSettled = true;
        clearTimeout(timer);
      });
    return promise;
  }

  get isReady(): boolean {
    return this.#link.isReady;
  }

  close(): void {
    this.#link.close();
  }
}
