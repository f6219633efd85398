import type { MaybePromise } from '../../async/maybe-promise.ts';
import { ApiError } from '../../errors/api-error.ts';

/** The outcome for each key: its value, or the `ApiError` that was thrown. Rejects with any other error. */
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
