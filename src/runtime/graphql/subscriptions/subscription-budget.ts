import { callerKey, type LimitedCaller } from '../../http/caller-key.ts';
import { limitExceeded } from '../documents/limits.ts';
import type { Budget } from '../endpoint/transport.ts';

/** What the open subscriptions of each caller cost together, over all connections to this server. */
export class SubscriptionBudget implements Budget {
  readonly #limit: number;
  readonly #open = new Map<string, number>();

  /** `limit`: the cost that one caller may have open, in the units of `@limits(cost:)`. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** One that costs nothing counts as 1. */
  take(caller: LimitedCaller, cost: number): () => void {
    const key = callerKey(caller);
    const counted = Math.max(cost, 1);
    const total = (this.#open.get(key) ?? 0) + counted;
    if (total > this.#limit) throw limitExceeded("cost of the caller's open subscriptions", total, this.#limit);
    this.#open.set(key, total);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = this.#open.get(key)! - counted;
      if (left === 0) this.#open.delete(key);
      else this.#open.set(key, left);
    };
  }
}
