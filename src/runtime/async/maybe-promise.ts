/** A value, or a promise of it. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, synchronously if it is not a promise: a promise can cost more than answering a request. */
export function whenKnown<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
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
