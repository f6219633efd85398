import type { ErrorCatalogue, ErrorDescriptor } from './error.ts';

/**
 * The codes that the server itself answers with. A contract that declares `ErrorCode` may change their status and texts;
 * these are the defaults.
 */
const entries = [
  ['MALFORMED_REQUEST', 400, false, 'Malformed request', 'The request is not valid HTTP, JSON or UTF-8.'],
  [
    'VALIDATION_FAILED',
    400,
    false,
    'Validation failed',
    'A parameter or the body does not match the contract; `errors` has the details.',
  ],
  [
    'INVALID_CURSOR',
    400,
    false,
    'Invalid cursor',
    'The cursor does not belong to this list with these filters and this order.',
  ],
  [
    'UNAUTHENTICATED',
    401,
    false,
    'Authentication required',
    'The bearer token is missing, malformed, expired or not accepted.',
  ],
  ['FORBIDDEN', 403, false, 'Forbidden', 'The caller is authenticated, but not allowed to do this.'],
  ['NOT_FOUND', 404, false, 'Not found', 'The resource does not exist, or the caller may not see it.'],
  [
    'METHOD_NOT_ALLOWED',
    405,
    false,
    'Method not allowed',
    'The resource does not support this method; `Allow` lists those that it does.',
  ],
  ['NOT_ACCEPTABLE', 406, false, 'Not acceptable', 'None of the media types that `Accept` allows is available.'],
  ['REQUEST_TIMEOUT', 408, true, 'Request timeout', 'The request did not arrive in time.'],
  ['ALREADY_EXISTS', 409, false, 'Already exists', 'Another resource has the same value of a unique property.'],
  [
    'ILLEGAL_TRANSITION',
    409,
    false,
    'Illegal transition',
    'The state machine of the property does not allow this transition.',
  ],
  [
    'STILL_REFERENCED',
    409,
    false,
    'Still referenced',
    'The resource cannot be deleted, because other resources refer to it.',
  ],
  [
    'CONFLICT',
    409,
    true,
    'Conflict',
    'The request conflicts with a concurrent change; read the resource again and retry.',
  ],
  [
    'PRECONDITION_FAILED',
    412,
    false,
    'Precondition failed',
    'The version of the resource is not the one that the request expects.',
  ],
  ['CONTENT_TOO_LARGE', 413, false, 'Content too large', 'The body is larger than the server accepts.'],
  ['URI_TOO_LONG', 414, false, 'URI too long', 'The request target is longer than the server accepts.'],
  ['UNSUPPORTED_MEDIA_TYPE', 415, false, 'Unsupported media type', 'The operation does not accept this Content-Type.'],
  [
    'EXPECTATION_FAILED',
    417,
    false,
    'Expectation failed',
    'The server cannot meet the expectation of the Expect header.',
  ],
  ['REFERENCE_NOT_FOUND', 422, false, 'Reference not found', 'A property refers to a resource that does not exist.'],
  [
    'IMMUTABLE_PROPERTY',
    422,
    false,
    'Immutable property',
    'The property can only be set when the resource is created.',
  ],
  [
    'IDEMPOTENCY_KEY_REUSED',
    422,
    false,
    'Idempotency key reused',
    'The `Idempotency-Key` has been used with a different request before.',
  ],
  [
    'REFUSED_BY_DATABASE',
    422,
    false,
    'Refused by the database',
    'A constraint or trigger of the database refuses the change.',
  ],
  [
    'TOO_MANY_REQUESTS',
    429,
    true,
    'Too many requests',
    'The caller has exceeded its rate limit; `Retry-After` says when to try again.',
  ],
  [
    'HEADERS_TOO_LARGE',
    431,
    false,
    'Request header fields too large',
    'The header section is larger than the server accepts.',
  ],
  [
    'INTERNAL_ERROR',
    500,
    false,
    'Internal server error',
    'The server failed; its log has the cause under the id of the request.',
  ],
  [
    'NOT_IMPLEMENTED',
    501,
    false,
    'Not implemented',
    'The contract declares this operation, but the server has no handler for it.',
  ],
  [
    'SERVICE_UNAVAILABLE',
    503,
    true,
    'Service unavailable',
    'The server is starting, stopping or overloaded; `Retry-After` says when to try again.',
  ],
  ['LIMIT_EXCEEDED', 400, false, 'Limit exceeded', 'The request exceeds a limit of the contract.'],
  [
    'PERSISTED_QUERY_NOT_FOUND',
    404,
    false,
    'Persisted query not found',
    'The server does not know the hash; send the request again with the document.',
  ],
  [
    'EVENTS_MISSED',
    503,
    true,
    'Events missed',
    'The subscription continues, but events may have been missed; read the resources again.',
  ],
  ['INSUFFICIENT_STORAGE', 507, true, 'Insufficient storage', 'The server has no space left to store the change.'],
] as const;

/** Codes that only GraphQL answers with. */
export const GRAPHQL_ERROR_CODES: ReadonlySet<string> = new Set([
  'LIMIT_EXCEEDED',
  'PERSISTED_QUERY_NOT_FOUND',
  'EVENTS_MISSED',
]);

/** Codes of writes of tables of others: only contracts with such writes have them. */
export const MAPPED_ERROR_CODES: ReadonlySet<string> = new Set(['REFUSED_BY_DATABASE']);

export type StandardErrorCode = (typeof entries)[number][0];

export const standardErrors: Readonly<Record<StandardErrorCode, ErrorDescriptor>> & ErrorCatalogue = Object.fromEntries(
  entries.map(([code, status, retryable, title, description]) => [
    code,
    { code, status, title, description, retryable },
  ]),
) as Record<StandardErrorCode, ErrorDescriptor>;
