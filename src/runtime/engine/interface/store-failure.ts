import { ApiError, type FieldError } from '../../errors/api-error.ts';
import { LastingFault } from '../../errors/failure-log.ts';
import { StoreError } from '../../storage/store-error.ts';

const RETRY_AFTER_SECONDS = '1';
const UNUSABLE = 'The database cannot be used at the moment.';

/** The `ApiError` for a failure of the database that a caller can act on; any other error is returned as it is. */
export function unavailable(error: unknown): unknown {
  if (!(error instanceof StoreError)) return error;
  const details = { headers: { 'retry-after': RETRY_AFTER_SECONDS }, cause: error };
  switch (error.failure.kind) {
    case 'unavailable':
      return new ApiError('SERVICE_UNAVAILABLE', { detail: 'The database is busy.', ...details });
    case 'faulty':
      return new ApiError('SERVICE_UNAVAILABLE', { detail: UNUSABLE, ...details });
    case 'missing': {
      const cause = new LastingFault(`the database has no ${error.failure.what}`, { cause: error });
      return new ApiError('SERVICE_UNAVAILABLE', { detail: UNUSABLE, ...details, cause });
    }
    case 'full':
      return new ApiError('INSUFFICIENT_STORAGE', { detail: 'The database is full.', ...details });
    case 'size':
      return new ApiError('VALIDATION_FAILED', {
        detail: 'A value is too long, or nested too deeply, to be stored.',
        cause: error,
      });
    case 'refused':
      return refusedByDatabase('change', error);
    case 'text':
      return new ApiError('VALIDATION_FAILED', {
        detail: 'A text has a character that the database cannot hold.',
        cause: error,
      });
    default:
      return error;
  }
}

/** For a value that a table of others does not hold, if none alone can be meant. */
export const invalidValue = (cause: StoreError): ApiError =>
  new ApiError('VALIDATION_FAILED', { detail: 'The database does not accept a value.', cause });

/** For a change that constraints or triggers of a table of others do not allow. */
export const refusedByDatabase = (noun: string, cause: StoreError, errors: readonly FieldError[] = []): ApiError =>
  new ApiError('REFUSED_BY_DATABASE', {
    detail: `A rule of the database refuses this ${noun}.`,
    ...(errors.length > 0 && { errors }),
    cause,
  });

/** Returns the result of the work; throws what `unavailable` makes of its error. */
export async function available<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(error);
  }
}
