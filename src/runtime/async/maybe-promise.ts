/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, synchronously if it is not a promise: a promise can cost more than answering a request. */
export function whenKnown<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/**
 * A promise that rejects one microtask later, when its handlers are there. One that has rejected before is registered by Node
 * as unhandled, and then again as handled, which costs more than all else about it.
 */
export const rejected = (error: unknown): Promise<never> =>
  new Promise((_, reject) => void SETTLED.then(() => reject(error)));

const SETTLED = Promise.resolve();

/** Returns the result of the work. If it throws or rejects, rejects with what `translate` makes of the error. */
export function withError<T>(work: () => MaybePromise<T>, translate: (error: unknown) => unknown): MaybePromise<T> {
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    return new Promise((resolve, reject) => result.then(resolve, (error) => reject(translate(error))));
  } catch (error) {
    return rejected(translate(error));
  }
}

/** Returns the result of the work. If it throws or rejects, returns the result of `recover`. */
export function rescued<T>(work: () => MaybePromise<T>, recover: (error: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
