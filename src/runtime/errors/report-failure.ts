import type { ApiError } from './api-error.ts';

/**
 * Reports an error that nobody foresaw to the developer of the server. What it returns goes into the answer, which says nothing
 * of such an error otherwise: for development alone.
 */
export type ReportFailure = (thrown: unknown) => string | undefined;

/** Reports the cause of an `INTERNAL_ERROR`; the text for the answer, if there is one. */
export function reportedFailure(error: ApiError<string>, report: ReportFailure | undefined): string | undefined {
  return error.code === 'INTERNAL_ERROR' ? report?.(error.cause ?? error) : undefined;
}
