import type { ApiError } from '../../errors/api-error.ts';

/** Values that arrive over time, for one reader; at most so many wait for it. */
export class EventStream<T> implements AsyncGenerator<T, void, void> {
  readonly #maxWaiting: number;
  readonly #overflow: () => ApiError;
  readonly #onEnd: () => void;
  #waiting: T[] = [];
  #reader: PromiseWithResolvers<IteratorResult<T, void>> | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** `overflow`: what a reader is told that has let too many wait. `onEnd` is called once. */
  constructor(maxWaiting: number, overflow: () => ApiError, onEnd: () => void) {
    this.#maxWaiting = maxWaiting;
    this.#overflow = overflow;
    this.#onEnd = onEnd;
  }

  push(value: T): void {
    if (this.#end) return;
    if (this.#reader) {
      this.#reader.resolve({ value, done: false });
      this.#reader = undefined;
    } else if (this.#waiting.length < this.#maxWaiting) this.#waiting.push(value);
    else this.fail(this.#overflow());
  }

  /** Ends the stream with an error; what waits is dropped. */
  fail(error: unknown): void {
    this.#close({ error });
  }

  next(): Promise<IteratorResult<T, void>> {
    const value = this.#waiting.shift();
    if (value !== undefined) return Promise.resolve({ value, done: false });
    if (this.#end) return this.#ended(this.#end);
    this.#reader ??= Promise.withResolvers();
    return this.#reader.promise;
  }

  return(): Promise<IteratorResult<T, void>> {
    this.#close({});
    return Promise.resolve({ value: undefined, done: true });
  }

  throw(error: unknown): Promise<IteratorResult<T, void>> {
    this.#close({});
    return Promise.reject(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close({});
  }

  #close(end: { readonly error?: unknown }): void {
    if (this.#end) return;
    this.#end = end;
    this.#waiting = [];
    this.#onEnd();
    if (!this.#reader) return;
    const reader = this.#reader;
    this.#reader = undefined;
    this.#ended(end).then(reader.resolve, reader.reject);
  }

  /** The error is told once. */
  #ended(end: { readonly error?: unknown }): Promise<IteratorResult<T, void>> {
    if (!('error' in end)) return Promise.resolve({ value: undefined, done: true });
    this.#end = {};
    return Promise.reject(end.error);
  }
}
