import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Counter } from '../http/rate-limiter.ts';
import type { Lease } from './lease-book.ts';

/** How much of a limit workers may hold that others would need. */
const STRANDED_SHARE = 0.05;

export interface LeasedCounterOptions {
  readonly limit: number;
  readonly workers: number;
  /** Asks for more of a count; undefined if nobody answers any more. */
  readonly ask: (key: string, wanted: number) => Promise<Lease | undefined>;
}

interface Count {
  /** What this worker may still count without asking. */
  left: number;
  taken: number;
  waiting: number;
  /** Nothing is left, for anybody. */
  isExhausted: boolean;
  asking: Promise<void> | undefined;
}

/**
 * Counts requests together with the other workers of the instance, of which each has a part of a caller's limit at a time:
 * together they never count more, and at most a twentieth of the limit is left with workers that do not need it.
 */
export class LeasedCounter implements Counter {
  readonly #options: LeasedCounterOptions;
  /** What is asked for at once. */
  readonly #part: number;
  readonly #counts = new Map<string, Count>();
  #window = '';

  constructor(options: LeasedCounterOptions) {
    this.#options = options;
    const { limit, workers } = options;
    this.#part = Math.max(1, Math.floor((limit * STRANDED_SHARE) / Math.max(1, workers - 1)));
  }

  add(key: string): MaybePromise<number | undefined> {
    const count = this.#countOf(key);
    return count.left > 0 ? used(count) : this.#addLater(key, count);
  }

  /** Whether it has counted, or is to count, these requests. */
  has(key: string): boolean {
    return windowOf(key) === this.#window && this.#counts.has(key);
  }

  /** It is to count them, unless their window is over. */
  begin(key: string): void {
    if (Number(windowOf(key)) >= Number(this.#window)) this.#countOf(key);
  }

  async #addLater(key: string, count: Count): Promise<number | undefined> {
    count.waiting++;
    try {
      while (count.left === 0) {
        if (count.isExhausted) return this.#options.limit + 1;
        count.asking ??= this.#ask(key, count);
        await count.asking;
      }
      return used(count);
    } catch {
      return undefined;
    } finally {
      count.waiting--;
    }
  }

  async #ask(key: string, count: Count): Promise<void> {
    // Those that wait use theirs at once.
    const lease = await this.#options.ask(key, Math.max(this.#part, count.waiting));
    count.asking = undefined;
    if (!lease) throw new Error('Nobody leads the workers any more.');
    count.left = lease.granted;
    count.taken = lease.taken;
    count.isExhausted = lease.granted === 0;
  }

  #countOf(key: string): Count {
    const window = windowOf(key);
    if (window !== this.#window) {
      this.#window = window;
      this.#counts.clear();
    }
    const known = this.#counts.get(key);
    if (known) return known;
    const count: Count = { left: 0, taken: 0, waiting: 0, isExhausted: false, asking: undefined };
    this.#counts.set(key, count);
    return count;
  }
}

/** What all workers together have counted, as far as is known here. */
function used(count: Count): number {
  count.left--;
  return count.taken - count.left;
}

/** Keys begin with the number of their window. */
export const windowOf = (key: string): string => key.slice(0, key.indexOf(':'));
