import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Counter } from '../http/rate-limiter.ts';
import { type LeasedCounter, windowOf } from './leased-counter.ts';

/**
 * Counts by Redis. A caller whom it could not count for one of the workers is counted by leases until the window ends, from
 * where Redis was.
 */
export class CounterWithLeases implements Counter {
  readonly #redis: Counter;
  readonly #leases: LeasedCounter;
  /** What Redis has counted in the window. */
  readonly #known = new Map<string, number>();
  #window = '';

  constructor(redis: Counter, leases: LeasedCounter) {
    this.#redis = redis;
    this.#leases = leases;
  }

  add(key: string, lifetimeMs: number): MaybePromise<number | undefined> {
    if (this.#leases.has(key)) return this.#leases.add(key);
    return whenKnown(this.#redis.add(key, lifetimeMs), (count) => this.#counted(key, count));
  }

  /** What Redis has counted of a caller, who is counted by leases from now on. */
  recall(key: string): number {
    this.#leases.begin(key);
    return this.#known.get(key) ?? 0;
  }

  #counted(key: string, count: number | undefined): MaybePromise<number | undefined> {
    if (count === undefined || this.#leases.has(key)) return this.#leases.add(key);
    const window = windowOf(key);
    if (window !== this.#window) this.#known.clear();
    this.#window = window;
    this.#known.set(key, Math.max(count, this.#known.get(key) ?? 0));
    return count;
  }
}
