/** Remembers what was made of a header field; forgets all when it is full, so that no caller can fill the memory. */
export class BoundedCache<T> {
  readonly #maxEntries: number;
  readonly #entries = new Map<string, T>();

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  add(key: string, value: T): T {
    if (this.#entries.size >= this.#maxEntries) this.#entries.clear();
    this.#entries.set(key, value);
    return value;
  }
}
