import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument, Reference, Response } from '../../../descriptor/document.ts';
import { resolveReference } from '../../json-schema/references.ts';

/** Header objects by name, or references to them. */
export type Headers = Readonly<Record<string, unknown>>;

export const ETAG = {
  description: 'Version of the resource, for If-Match and If-None-Match (RFC 9110, section 8.8.3).',
  schema: { type: 'string' },
};
export const PAGE_ETAG = {
  description: 'Names this page as it is, for If-None-Match (RFC 9110, section 8.8.3).',
  schema: { type: 'string' },
};
export const LOCATION = {
  description: 'Path of the new resource (RFC 9110, section 10.2.2).',
  schema: { type: 'string', format: 'uri-reference' },
};

/** Header fields that many responses have: they are components, unless the contract has its own of that name. */
export const SHARED_HEADERS = {
  'Retry-After': {
    description: 'Seconds after which the request may be sent again (RFC 9110, section 10.2.3).',
    schema: { type: 'integer', minimum: 0 },
  },
  RateLimit: {
    description:
      'Requests that the caller has left in this window, and seconds until the next; where requests are limited (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"caller";r=299;t=60'] },
  },
  'RateLimit-Policy': {
    description:
      'Requests in a window and its seconds; where requests are limited (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string', examples: ['"caller";q=300;w=60'] },
  },
  'Consistency-Token': {
    description: 'Sent with a later request in a header of the same name, it lets that request see this change.',
    schema: { type: 'string', examples: ['p3w5e'] },
  },
} as const;

const sharedHeaders = (...names: readonly (keyof typeof SHARED_HEADERS)[]): Headers =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** What every answer has where requests are limited. */
const LIMITED = sharedHeaders('RateLimit', 'RateLimit-Policy');

/** Those of a response by its status, whatever the operation is. */
export function headersOfStatus(status: string): Headers {
  if (status === '429') return { ...sharedHeaders('Retry-After'), ...LIMITED };
  if (status === '503') return sharedHeaders('Retry-After');
  return /^2/.test(status) ? LIMITED : {};
}

/** Those of a successful response to a method that may write (RFC 9110, 9.2.1). */
export const headersOfWrite = (status: string, method: string): Headers =>
  /^2/.test(status) && !SAFE.has(method) ? sharedHeaders('Consistency-Token') : {};

const SAFE = new Set(['get', 'head', 'options', 'trace']);

/** A response with header fields, unless it has them. */
export function withHeaders(
  document: OpenApiDocument,
  declared: Response | Reference,
  headers: Headers,
): Response | Reference {
  const response = resolveReference<Response>(document, declared);
  if (response === undefined) return declared;
  const own = new Set(Object.keys(response.headers ?? {}).map((name) => name.toLowerCase()));
  const missing = Object.entries(headers).filter(([name]) => !own.has(name.toLowerCase()));
  if (missing.length === 0) return declared;
  return { ...response, headers: { ...response.headers, ...Object.fromEntries(missing) } };
}

/**
 * Whether completion made a header field, and not the author. Documents of earlier releases have the words of their time:
 * when the words above change, the former ones stay among those known here.
 */
export const isImpliedHeader = (header: unknown): boolean =>
  [ETAG, PAGE_ETAG, LOCATION, ...Object.values(SHARED_HEADERS)].some((one) => isDeepStrictEqual(one, header));
