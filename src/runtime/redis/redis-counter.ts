import type { Cluster, Redis, Result } from 'ioredis';
import type { Counter } from '../http/rate-limiter.ts';
import { keyClient } from './redis-clients.ts';
import { type RedisLog, ResilientConnection } from './resilient-connection.ts';

/** When Redis takes longer, the request proceeds and is counted by this server alone. */
const TIMEOUT_MS = 250;

/** Increments a count, which expires by itself. It has one key, so that any node of a cluster that has this can run it. */
const COUNT = `
local count = redis.call('INCR', KEYS[1])
if count == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return count`;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** Runs `COUNT`. */
    lockstepCount(key: string, lifetimeMs: number): Result<number, Context>;
  }
}

/** Counts shared by all servers with the same prefix. */
export class RedisCounter implements Counter {
  readonly #prefix: string;
  readonly #connection: ResilientConnection<Redis | Cluster>;

  constructor({ url, prefix, log }: { readonly url: string; readonly prefix: string; readonly log: RedisLog }) {
    this.#prefix = prefix;
    this.#connection = new ResilientConnection({
      client: keyClient(url),
      log,
      purpose: 'counting requests',
      onReady: () => {},
      onLost: () => {},
    });
    this.#connection.client.defineCommand('lockstepCount', { numberOfKeys: 1, lua: COUNT });
  }

  add(key: string, lifetimeMs: number): Promise<number | undefined> | undefined {
    if (!this.#connection.isReady) return undefined;
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    const giveUp = (): void => {
      if (isSettled) return;
      this.#connection.markLost();
      resolve(undefined);
    };
    let isSettled = false;
    // If this server was the slow one, the answer has arrived already: it is read before `giveUp` runs.
    const timer = setTimeout(() => setImmediate(giveUp), TIMEOUT_MS);
    this.#connection.client
      .lockstepCount(`${this.#prefix}:rate:${key}`, lifetimeMs)
      .then(resolve, () => resolve(undefined))
      .finally(() => {
        isSettled = true;
        clearTimeout(timer);
      });
    return promise;
  }

  get isReady(): boolean {
    return this.#connection.isReady;
  }

  close(): void {
    this.#connection.close();
  }
}
