import { LRUCache } from 'lru-cache';

/** A few megabytes. */
const MAX_ANSWERED = 10_000;

/**
 * The idempotency keys that requests to this server use, so that it can refuse a second create without asking the store.
 * Once a key has an answer, all who repeat it may have that at the same time.
 */
export class KeysUnderWay {
  readonly #begun = new Set<string>();
  readonly #answered = new LRUCache<string, true>({ max: MAX_ANSWERED });

  /** False while a request that may be the first with this key is in progress. */
  begin(key: string): boolean {
    if (this.#answered.has(key)) return true;
    if (this.#begun.has(key)) return false;
    this.#begun.add(key);
    return true;
  }

  /** The store has kept an answer under the key. */
  answered(key: string): void {
    this.#answered.set(key, true);
  }

  end(key: string): void {
    this.#begun.delete(key);
  }
}
