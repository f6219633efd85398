import type { MaybePromise } from '../../async/maybe-promise.ts';

/**
 * The stream with each of its values mapped. Unlike an async generator, it closes the source even when it is closed
 * before the first value was read. A mapping that throws ends both.
 */
export function mapped<T, U>(
  source: AsyncGenerator<T, void, void>,
  map: (value: T) => MaybePromise<U>,
): AsyncGenerator<U, void, void> {
  const stream: AsyncGenerator<U, void, void> = {
    async next() {
      const { done, value } = await source.next();
      if (done) return { done, value: undefined };
      try {
        const mapped = map(value as T);
        return { done: false, value: mapped instanceof Promise ? await mapped : mapped };
      } catch (error) {
        await source.return();
        throw error;
      }
    },
    async return() {
      await source.return();
      return { done: true, value: undefined };
    },
    async throw(error) {
      await source.return();
      throw error;
    },
    [Symbol.asyncIterator]: () => stream,
    async [Symbol.asyncDispose]() {
      await source.return();
    },
  };
  return stream;
}
