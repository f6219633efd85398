const END = { value: undefined, done: true } as const;

/**
 * A bounded queue of values that arrive over time, for one reader. When it is full, one value takes the place of all that
 * wait, and the stream goes on.
 */
export class EventStream<T> implements AsyncGenerator<T, void, void> {
  readonly #maxQueued: number;
  readonly #overflow: T;
  readonly #onEnd: () => void;
  #queue: T[] = [];
  #reader: PromiseWithResolvers<IteratorResult<T, void>> | undefined;
  #hasEnded = false;

  /** `overflow` stands for the values of a full queue. `onEnd` is called once. */
  constructor(maxQueued: number, overflow: T, onEnd: () => void) {
    this.#maxQueued = maxQueued;
    this.#overflow = overflow;
    this.#onEnd = onEnd;
  }

  push(value: T): void {
    if (this.#hasEnded) return;
    if (this.#reader) {
      this.#reader.resolve({ value, done: false });
      this.#reader = undefined;
      return;
    }
    if (this.#queue.length >= this.#maxQueued) this.#queue = [this.#overflow];
    this.#queue.push(value);
  }

  next(): Promise<IteratorResult<T, void>> {
    const value = this.#queue.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    if (this.#hasEnded) return Promise.resolve(END);
    this.#reader ??= Promise.withResolvers();
    return this.#reader.promise;
  }

  return(): Promise<IteratorResult<T, void>> {
    this.#close();
    return Promise.resolve(END);
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#close();
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
  }

  #close(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#queue = [];
    this.#onEnd();
    this.#reader?.resolve(END);
    this.#reader = undefined;
  }
}
