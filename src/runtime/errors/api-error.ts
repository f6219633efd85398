import type { StandardErrorCode } from '../../descriptor/standard-errors.ts';

/**
 * One fault in a request, and its place: a JSON pointer into the body (RFC 6901), a parameter, a header, or a path into
 * the arguments of a GraphQL field (`input.tags.0`).
 */
export type FieldError = { readonly code?: string; readonly detail: string } & (
  | { readonly pointer: string }
  | { readonly parameter: string }
  | { readonly header: string }
  | { readonly argument: string }
);

export interface ErrorDetails {
  /** What went wrong this time, for people. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Response header fields that the error asks for, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * A failure that the contract knows by code; both protocols render it from the catalogue.
 * Anything else that is thrown is masked as `INTERNAL_ERROR`.
 */
export class ApiError<Code extends string = StandardErrorCode> extends Error {
  declare readonly code: Code;
  declare readonly detail: string | undefined;
  declare readonly errors: readonly FieldError[] | undefined;
  declare readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: Code, details: ErrorDetails = {}) {
    // It is answered, not investigated: a stack trace would cost more than the rest of the answer.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    const { detail, cause } = details;
    super(detail === undefined ? code : `${code}: ${detail}`, cause === undefined ? undefined : { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.detail = detail;
    this.errors = details.errors;
    this.headers = details.headers;
  }
}

ApiError.prototype.name = 'ApiError';

/** The constructor of `ApiError` for the codes of one contract. */
export type ApiErrorConstructor<Code extends string> = new (code: Code, details?: ErrorDetails) => ApiError<Code>;
