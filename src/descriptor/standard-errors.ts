import type { ErrorCatalogue, ErrorDescriptor } from './error.ts';

/**
 * The codes the server itself answers with. A contract that declares `ErrorCode` says their status and words;
 * one that does not gets these.
 */
const entries = [
  ['MALFORMED_REQUEST', 400, false, 'Malformed request', 'The request is not well-formed HTTP, JSON or UTF-8.'],
  [
    'VALIDATION_FAILED',
    400,
    false,
    'Validation failed',
    'A parameter or the body does not match the contract; `errors` names every place.',
  ],
  [
    'INVALID_CURSOR',
    400,
    false,
    'Invalid cursor',
    'The cursor was not issued by this list with these filters and this order.',
  ],
  [
    'UNAUTHENTICATED',
    401,
    false,
    'Authentication required',
    'The bearer token is missing, malformed, expired or not accepted here.',
  ],
  ['FORBIDDEN', 403, false, 'Forbidden', 'The caller is known but may not do this.'],
  ['NOT_FOUND', 404, false, 'Not found', 'Nothing is here, or nothing that this caller may see.'],
  [
    'METHOD_NOT_ALLOWED',
    405,
    false,
    'Method not allowed',
    'The resource does not offer this method; `Allow` lists those it does.',
  ],
  ['NOT_ACCEPTABLE', 406, false, 'Not acceptable', 'No media type that `Accept` allows is offered here.'],
  ['REQUEST_TIMEOUT', 408, true, 'Request timeout', 'The request did not arrive in time.'],
  ['ALREADY_EXISTS', 409, false, 'Already exists', 'Another resource has this value of a unique property.'],
  [
    'ILLEGAL_TRANSITION',
    409,
    false,
    'Illegal transition',
    'The state machine of the property does not allow this move.',
  ],
  [
    'STILL_REFERENCED',
    409,
    false,
    'Still referenced',
    'Other resources refer to this one, so that it cannot be deleted.',
  ],
  ['CONFLICT', 409, true, 'Conflict', 'A concurrent change got in the way; read again and retry.'],
  [
    'PRECONDITION_FAILED',
    412,
    false,
    'Precondition failed',
    'The resource has another version than the request expects.',
  ],
  ['CONTENT_TOO_LARGE', 413, false, 'Content too large', 'The body is larger than the server accepts.'],
  ['URI_TOO_LONG', 414, false, 'URI too long', 'The request target is longer than the server accepts.'],
  ['UNSUPPORTED_MEDIA_TYPE', 415, false, 'Unsupported media type', 'The operation does not accept this Content-Type.'],
  ['EXPECTATION_FAILED', 417, false, 'Expectation failed', 'The server cannot meet the Expect header.'],
  ['REFERENCE_NOT_FOUND', 422, false, 'Reference not found', 'A property refers to a resource that does not exist.'],
  ['IMMUTABLE_PROPERTY', 422, false, 'Immutable property', 'The property can only be set on creation.'],
  [
    'IDEMPOTENCY_KEY_REUSED',
    422,
    false,
    'Idempotency key reused',
    'The `Idempotency-Key` was used with another input before.',
  ],
  [
    'TOO_MANY_REQUESTS',
    429,
    true,
    'Too many requests',
    'The caller has used up its allowance; `Retry-After` says when to try again.',
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
    'The server failed; the request id finds the cause in its log.',
  ],
  [
    'NOT_IMPLEMENTED',
    501,
    false,
    'Not implemented',
    'The contract declares this operation, but this server has no handler for it.',
  ],
  [
    'SERVICE_UNAVAILABLE',
    503,
    true,
    'Service unavailable',
    'The server is starting, stopping or overloaded; `Retry-After` says when to try again.',
  ],
  ['LIMIT_EXCEEDED', 400, false, 'Limit exceeded', 'The GraphQL request goes beyond a limit of the contract.'],
  [
    'PERSISTED_QUERY_NOT_FOUND',
    404,
    false,
    'Persisted query not found',
    'The server does not know the hash; the same request with the document succeeds.',
  ],
  [
    'EVENTS_MISSED',
    503,
    true,
    'Events missed',
    'The subscription goes on, but events before this may be missing; read again what they would have told.',
  ],
  ['INSUFFICIENT_STORAGE', 507, true, 'Insufficient storage', 'The server has no room to keep the change.'],
] as const;

/** Codes that only GraphQL answers with. */
export const GRAPHQL_ERROR_CODES: ReadonlySet<string> = new Set([
  'LIMIT_EXCEEDED',
  'PERSISTED_QUERY_NOT_FOUND',
  'EVENTS_MISSED',
]);

export type StandardErrorCode = (typeof entries)[number][0];

export const standardErrors: Readonly<Record<StandardErrorCode, ErrorDescriptor>> & ErrorCatalogue = Object.fromEntries(
  entries.map(([code, status, retryable, title, description]) => [
    code,
    { code, status, title, description, retryable },
  ]),
) as Record<StandardErrorCode, ErrorDescriptor>;
