/** A value that is known at once, or soon. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value, at once if it is known: a promise and its turn of the queue cost more than many an answer. */
export function whenKnown<T, U>(value: MaybePromise<T>, next: (value: T) => MaybePromise<U>): MaybePromise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** What work comes to. What it throws, or rejects with, goes to `recover`. */
export function rescued<T>(work: () => MaybePromise<T>, recover: (error: unknown) => MaybePromise<T>): MaybePromise<T> {
  try {
    const result = work();
    return result instanceof Promise ? result.catch(recover) : result;
  } catch (error) {
    return recover(error);
  }
}
