import type { ApiError } from './api-error.ts';

/**
 * Reports an unexpected error to the developer of the server. The text that it returns becomes part of the response, which
 * otherwise reveals nothing of such an error: it is for development only.
 */
export type ReportFailure = (thrown: unknown) => string | undefined;

/** Reports the cause of an `INTERNAL_ERROR`. Returns the text for the response, if there is one. */
export function reportedFailure(error: ApiError<string>, report: ReportFailure | undefined): string | undefined {
  return error.code === 'INTERNAL_ERROR' ? report?.(error.cause ?? error) : undefined;
}
