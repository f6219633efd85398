import type { ApiError } from '../../errors/api-error.ts';

/** A bounded queue of values that arrive over time, for one reader. */
export class EventStream<T> implements AsyncGenerator<T, void, void> {
  readonly #maxQueued: number;
  readonly #overflow: () => ApiError;
  readonly #onEnd: () => void;
  #queue: T[] = [];
  #reader: PromiseWithResolvers<IteratorResult<T, void>> | undefined;
  #end: { readonly error?: unknown } | undefined;

  /** `overflow` makes the error for a reader whose queue is full. `onEnd` is called once. */
  constructor(maxQueued: number, overflow: () => ApiError, onEnd: () => void) {
    this.#maxQueued = maxQueued;
    this.#overflow = overflow;
    this.#onEnd = onEnd;
  }

  push(value: T): void {
    if (this.#end) return;
    if (this.#reader) {
      this.#reader.resolve({ value, done: false });
      this.#reader = undefined;
    } else if (this.#queue.length < this.#maxQueued) this.#queue.push(value);
    else this.fail(this.#overflow());
  }

  /** Ends the stream with an error and drops the queue. */
  fail(error: unknown): void {
    this.#close({ error });
  }

  next(): Promise<IteratorResult<T, void>> {
    const value = this.#queue.shift();
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
    this.#queue = [];
    this.#onEnd();
    if (!this.#reader) return;
    const reader = this.#reader;
    this.#reader = undefined;
    this.#ended(end).then(reader.resolve, reader.reject);
  }

  /** The error is reported once; a stream that is read on has simply ended. */
  #ended(end: { readonly error?: unknown }): Promise<IteratorResult<T, void>> {
    if (!('error' in end)) return Promise.resolve({ value: undefined, done: true });
    this.#end = {};
    return Promise.reject(end.error);
  }
}
