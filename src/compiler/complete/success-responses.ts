import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument, Reference, Response } from '../../descriptor/document.ts';
import { resolveReference } from '../json-schema/references.ts';
import type { DecidedOperation } from './decided-operation.ts';

const ETAG = {
  description: 'Version of the resource, for If-Match and If-None-Match (RFC 9110, section 8.8.3).',
  schema: { type: 'string' },
};
const PAGE_ETAG = {
  description: 'Names this page as it is, for If-None-Match (RFC 9110, section 8.8.3).',
  schema: { type: 'string' },
};
const LOCATION = {
  description: 'Path of the new resource (RFC 9110, section 10.2.2).',
  schema: { type: 'string', format: 'uri-reference' },
};

/**
 * The declared responses of an operation; those of an action are completed with header fields and the 304 response,
 * and an operation that declares no success with a 200 without a body.
 */
export function successResponses(
  document: OpenApiDocument,
  { draft, model }: DecidedOperation,
): Record<string, Response | Reference> {
  const declared = draft.node.responses ?? {};
  switch (model.default?.action) {
    case 'list':
      return { 304: unchanged, ...declared, ...withHeaders(document, declared, 200, { ETag: PAGE_ETAG }) };
    case 'get':
      return { 304: notModified, ...declared, ...withHeaders(document, declared, 200, { ETag: ETAG }) };
    case 'create':
      return { ...declared, ...withHeaders(document, declared, 201, { ETag: ETAG, Location: LOCATION }) };
    case 'replace':
      return {
        ...declared,
        ...withHeaders(document, declared, 200, { ETag: ETAG }),
        ...withHeaders(document, declared, 201, { ETag: ETAG, Location: LOCATION }),
      };
    case 'update':
      return { ...declared, ...withHeaders(document, declared, 200, { ETag: ETAG }) };
    default:
      return isAnswered(declared) ? { ...declared } : { 200: undescribed, ...declared };
  }
}

/** Ordinary documents may list errors alone, and leave it to the reader how an operation succeeds. */
const isAnswered = (responses: object): boolean =>
  Object.keys(responses).some((status) => /^([23]|default$)/.test(status));

const undescribed: Response = { description: 'The operation succeeded; the document says no more.' };

const unchanged: Response = {
  description: 'The page that If-None-Match names is still current.',
  headers: { ETag: PAGE_ETAG },
};

const notModified: Response = {
  description: 'The version that If-None-Match names is still current.',
  headers: { ETag: ETAG },
};

function withHeaders(
  document: OpenApiDocument,
  declared: Readonly<Record<string, Response | Reference>>,
  status: number,
  headers: Record<string, unknown>,
): Record<string, Response> {
  const response = resolveReference<Response>(document, declared[status]);
  if (response === undefined) return {};
  return { [status]: { ...response, headers: { ...headers, ...response.headers } } };
}

/**
 * Whether completion made a header field or a success response, and not the author. Documents of earlier releases have
 * the words of their time: when the words above change, the former ones stay among those known here.
 */
export const isImpliedHeader = (header: unknown): boolean =>
  [ETAG, PAGE_ETAG, LOCATION].some((one) => isDeepStrictEqual(one, header));
export const isImpliedSuccess = (response: Response): boolean =>
  [unchanged, notModified].some((one) => isDeepStrictEqual(one, response));
