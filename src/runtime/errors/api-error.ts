import type { StandardErrorCode } from '../../descriptor/standard-errors.ts';

/**
 * One fault in a request, and its place: a JSON pointer into the body (RFC 6901), a parameter, a header, or a path into
 * the arguments of a GraphQL field (`input.tags.0`).
 * @example
 * import type { FieldError } from 'lockstep';
 *
 * const tooMany: FieldError = { pointer: '/quantity', code: 'OUT_OF_STOCK', detail: 'Only 2 left.' };
 */
export type FieldError = { readonly code?: string; readonly detail: string } & (
  | { readonly pointer: string }
  | { readonly parameter: string }
  | { readonly header: string }
  | { readonly argument: string }
);

/**
 * The details of an error.
 * @example
 * import type { ErrorDetails } from 'lockstep';
 *
 * const outOfStock = (left: number): ErrorDetails => ({
 *   detail: `Only ${left} left.`,
 *   errors: [{ pointer: '/quantity', detail: `Only ${left} left.` }],
 * });
 */
export interface ErrorDetails {
  /** What went wrong in this request, for humans. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Response header fields that the error requires, such as `Allow` or `Retry-After`. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/**
 * An error with a code of the contract; both protocols render it from the catalogue. Any other thrown value is masked as
 * `INTERNAL_ERROR`. `ApiError` in `generated/errors.ts` is this class with types for the codes of the contract: throw
 * that one.
 * @example
 * import { ApiError } from 'lockstep';
 *
 * const isMissing = (error: unknown): boolean => error instanceof ApiError && error.code === 'NOT_FOUND';
 */
export class ApiError<Code extends string = StandardErrorCode> extends Error {
  declare readonly code: Code;
  declare readonly detail: string | undefined;
  declare readonly errors: readonly FieldError[] | undefined;
  declare readonly headers: Readonly<Record<string, string>> | undefined;

  constructor(code: Code, details: ErrorDetails = {}) {
    // These errors are expected and need no stack trace, which would cost more than the rest of the response.
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

/** For hand-written code: throws the error of a code. */
export const refuse = (code: string, details?: ErrorDetails): never => {
  throw new ApiError<string>(code, details);
};

/** For what the contract declares and hand-written code does not answer, over either protocol. */
export const notImplemented = (): ApiError =>
  new ApiError('NOT_IMPLEMENTED', { detail: 'This server has no handler for the operation.' });

/**
 * The constructor of `ApiError` for the codes of one contract.
 * @example
 * import { ApiError as AnyApiError, type ApiErrorConstructor } from 'lockstep';
 *
 * const ApiError = AnyApiError as unknown as ApiErrorConstructor<'NOT_FOUND' | 'OUT_OF_STOCK'>;
 * const error = new ApiError('OUT_OF_STOCK', { detail: 'None is left.' });
 */
export type ApiErrorConstructor<Code extends string> = new (code: Code, details?: ErrorDetails) => ApiError<Code>;

/** The same error with other details. */
export const remade = ({ code, detail, errors, headers, cause }: ApiError, changes: ErrorDetails): ApiError =>
  new ApiError(code, {
    ...(detail !== undefined && { detail }),
    ...(errors && { errors }),
    ...(headers && { headers }),
    cause,
    ...changes,
  });
