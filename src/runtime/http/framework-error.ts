import type { StandardErrorCode } from '../../descriptor/standard-errors.ts';
import { ApiError } from '../errors/api-error.ts';

/** Fastify's and Node's own errors that a caller causes (https://fastify.dev/docs/latest/Reference/Errors/). */
const BY_CODE: Readonly<Record<string, readonly [StandardErrorCode, string]>> = {
  FST_ERR_BAD_URL: ['MALFORMED_REQUEST', 'The percent-encoding of the path is not valid.'],
  FST_ERR_MAX_PARAM_LENGTH: ['URI_TOO_LONG', 'A path parameter is longer than the server accepts.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'The Content-Type is malformed or not accepted.'],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['MALFORMED_REQUEST', 'The body is empty.'],
  FST_ERR_CTP_INVALID_JSON_BODY: ['MALFORMED_REQUEST', 'The body is not valid JSON.'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'The body needs a Content-Type.'],
  FST_ERR_HANDLER_TIMEOUT: ['SERVICE_UNAVAILABLE', 'The server could not answer in time.'],
  ECONNRESET: ['MALFORMED_REQUEST', 'The connection ended before the request did.'],
};

/** Codes for errors of plugins, by their status. */
const BY_STATUS: Readonly<Record<number, StandardErrorCode>> = {
  400: 'MALFORMED_REQUEST',
  401: 'UNAUTHENTICATED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  406: 'NOT_ACCEPTABLE',
  408: 'REQUEST_TIMEOUT',
  413: 'CONTENT_TOO_LARGE',
  414: 'URI_TOO_LONG',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  417: 'EXPECTATION_FAILED',
  429: 'TOO_MANY_REQUESTS',
  431: 'HEADERS_TOO_LARGE',
  503: 'SERVICE_UNAVAILABLE',
};

/**
 * Maps any thrown value to an error of the catalogue. An unexpected value becomes `INTERNAL_ERROR`: it is the cause of
 * the error, and nothing of it is in the detail.
 */
export function toApiError(thrown: unknown): ApiError<string> {
  if (thrown instanceof ApiError) return thrown;
  const { code, statusCode } = (typeof thrown === 'object' ? (thrown ?? {}) : {}) as Record<string, unknown>;
  const known = typeof code === 'string' ? BY_CODE[code] : undefined;
  if (known) return new ApiError(known[0], { detail: known[1], cause: thrown });
  const byStatus = typeof statusCode === 'number' ? BY_STATUS[statusCode] : undefined;
  return new ApiError(byStatus ?? 'INTERNAL_ERROR', { cause: thrown });
}
