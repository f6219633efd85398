export { ApiError, type ApiErrorConstructor, type ErrorDetails, type FieldError } from './api-error.ts';
export type { ReportFailure } from './report-failure.ts';
