import { ApiError } from '../../errors/api-error.ts';

/** The error for a document that exceeds a limit. */
export function limitExceeded(what: string, measure: number | string, limit: number): ApiError<string> {
  return new ApiError<string>('LIMIT_EXCEEDED', { detail: `The ${what} is ${measure}; the limit is ${limit}.` });
}
