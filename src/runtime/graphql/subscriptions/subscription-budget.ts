import { callerKey, type LimitedCaller } from '../../async/caller-key.ts';
import { Holdings } from '../../async/holdings.ts';
import { limitExceeded } from '../documents/limits.ts';
import type { Prepared } from '../endpoint/endpoint.ts';
import type { Budget } from '../endpoint/transport.ts';

/** Characters of an open subscription that nothing is counted for. */
const FREE_CHARACTERS = 1_000;
/** Characters that count as much as an object: what is kept of a document is many times its text. */
const CHARACTERS_OF_ONE = 16;

/** What the open subscriptions of each caller cost together, over all connections to this server. */
export class SubscriptionBudget implements Budget {
  readonly #open: Holdings;

  /** `limit`: the cost that one caller may have open, in the units of `@limits(cost:)`. */
  constructor(limit: number) {
    this.#open = new Holdings(limit);
  }

  /** One that costs nothing counts as 1, and a long one as more than it costs. */
  take(caller: LimitedCaller, { cost, text, variables }: Prepared): () => void {
    const key = callerKey(caller);
    const characters = text.length + JSON.stringify(variables).length;
    const kept = Math.floor(Math.max(0, characters - FREE_CHARACTERS) / CHARACTERS_OF_ONE);
    const counted = Math.max(cost, 1) + kept;
    const release = this.#open.take(key, counted);
    if (release) return release;
    throw limitExceeded("cost of the caller's open subscriptions", this.#open.of(key) + counted, this.#open.limit);
  }
}
