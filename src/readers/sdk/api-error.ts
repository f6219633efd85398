/** One fault within a request; exactly one of the places is given. */
export interface FieldError {
  /** JSON pointer into the body (RFC 6901). */
  readonly pointer?: string;
  /** Query or path parameter. */
  readonly parameter?: string;
  readonly header?: string;
  /** Path into the arguments of a GraphQL field. */
  readonly argument?: string;
  readonly code?: string;
  readonly detail: string;
}

/** The body of a failure: a problem (RFC 9457), or the extensions of a GraphQL error. */
export interface ErrorDetails {
  readonly code: string;
  readonly status: number;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly requestId?: string;
}

/** The description of a code in the contract. */
export interface ErrorEntry {
  readonly status: number;
  readonly title: string;
  readonly retryable: boolean;
}

/** A failure that the contract names. Each code has a class of its own; a code of a later contract has this one. */
export class ApiError extends Error {
  override readonly name: string = 'ApiError';
  readonly code: string;
  /** HTTP status code. */
  readonly status: number;
  readonly title: string;
  /** The cause of this failure. */
  readonly detail: string | undefined;
  /** Every fault of the request, with its place. */
  readonly errors: readonly FieldError[];
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;
  /** The same request may succeed later, unchanged. */
  readonly retryable: boolean;
  /** The answer it came with; undefined when it came over a socket. */
  readonly response: Response | undefined;

  constructor(details: ErrorDetails, entry?: ErrorEntry, response?: Response) {
    const { code, status, title = entry?.title ?? code, detail, errors = [], requestId } = details;
    super(errors.length > 0 ? faultsOf(errors) : (detail ?? title));
    this.code = code;
    this.status = status;
    this.title = title;
    this.detail = detail;
    this.errors = errors;
    this.requestId = requestId;
    this.retryable = entry?.retryable ?? false;
    this.response = response;
  }
}

/** Faults that a message names; `errors` has all of them. */
const MAX_NAMED = 3;

/** `price: must be at least 0`. */
function faultsOf(errors: readonly FieldError[]): string {
  const named = errors.slice(0, MAX_NAMED).map((error) => [placeOf(error), error.detail].filter(Boolean).join(': '));
  const more = errors.length - named.length;
  return named.join('; ') + (more > 0 ? `; and ${more} more` : '');
}

const placeOf = ({ pointer, parameter, header, argument }: FieldError): string =>
  pointer?.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~') ??
  parameter ??
  header ??
  argument ??
  '';

/** A request without a response; `cause` has the reason. The request may have had its effect. */
export class ConnectionError extends Error {
  override readonly name: string = 'ConnectionError';
}

/** Something answered that does not keep to the contract: a proxy for one. */
export class UnexpectedAnswerError extends Error {
  override readonly name: string = 'UnexpectedAnswerError';
  readonly response: Response;
  readonly body: string;

  constructor(response: Response, body: string) {
    super(`${response.status} ${response.statusText} is no answer of this API`.replace(/ {2,}/g, ' '));
    this.response = response;
    this.body = body;
  }
}

/** Makes the error of a code's own class. */
export type ErrorFactory = (details: ErrorDetails, response?: Response) => ApiError;

/** The error in the body of an answer: JSON as a value, anything else as its text. */
export function errorOf(body: unknown, response: Response, make: ErrorFactory): Error {
  if (isDetails(body)) return make(body, response);
  return new UnexpectedAnswerError(response, typeof body === 'string' ? body : JSON.stringify(body ?? ''));
}

function isDetails(value: unknown): value is ErrorDetails {
  const { code, status } = (value ?? {}) as Partial<ErrorDetails>;
  return typeof code === 'string' && typeof status === 'number';
}
