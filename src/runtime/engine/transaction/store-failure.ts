import { ApiError } from '../../errors/api-error.ts';
import { StoreError } from '../../storage/store-error.ts';

const RETRY_AFTER_SECONDS = '1';

/** What a failure of the database means to a caller: the store is away or full; anything else is itself. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const details = { headers: { 'retry-after': RETRY_AFTER_SECONDS }, cause: error };
  switch (error.failure.kind) {
    case 'unavailable':
      return new ApiError('SERVICE_UNAVAILABLE', { detail: 'The database is busy.', ...details });
    case 'full':
      return new ApiError('INSUFFICIENT_STORAGE', { detail: 'The database is full.', ...details });
    case 'size':
      return new ApiError('VALIDATION_FAILED', {
        detail: 'A value is too long or too deep to be stored.',
        cause: error,
      });
    default:
      return error;
  }
}
