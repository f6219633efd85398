import type { MaybePromise } from '../../async/maybe-promise.ts';
import { ApiError } from '../../errors/api-error.ts';

/** What becomes of each key: its value, or the `ApiError` that it ends with. Rejects with any other error. */
export function settled<K, T>(
  keys: readonly K[],
  work: (key: K, position: number) => MaybePromise<T>,
): Promise<readonly (T | ApiError)[]> {
  return Promise.all(
    keys.map(async (key, position) => {
      try {
        return await work(key, position);
      } catch (error) {
        if (error instanceof ApiError) return error;
        throw error;
      }
    }),
  );
}
