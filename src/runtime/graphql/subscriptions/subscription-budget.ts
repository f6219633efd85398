import { Holdings } from '../../async/holdings.ts';
import { callerKey, type LimitedCaller } from '../../http/caller-key.ts';
import { limitExceeded } from '../documents/limits.ts';
import type { Budget } from '../endpoint/transport.ts';

/** What the open subscriptions of each caller cost together, over all connections to this server. */
export class SubscriptionBudget implements Budget {
  readonly #open: Holdings;

  /** `limit`: the cost that one caller may have open, in the units of `@limits(cost:)`. */
  constructor(limit: number) {
    this.#open = new Holdings(limit);
  }

  /** One that costs nothing counts as 1. */
  take(caller: LimitedCaller, cost: number): () => void {
    const key = callerKey(caller);
    const counted = Math.max(cost, 1);
    const release = this.#open.take(key, counted);
    if (release) return release;
    throw limitExceeded("cost of the caller's open subscriptions", this.#open.of(key) + counted, this.#open.limit);
  }
}
