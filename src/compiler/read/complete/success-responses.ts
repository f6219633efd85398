import { isDeepStrictEqual } from 'node:util';
import type { OpenApiDocument, Reference, Response } from '../../../descriptor/document.ts';
import type { DecidedOperation } from './decided-operation.ts';
import {
  ETAG,
  type Headers,
  headersOfStatus,
  headersOfWrite,
  LOCATION,
  PAGE_ETAG,
  withHeaders,
} from './implied-headers.ts';

type Responses = Readonly<Record<string, Response | Reference>>;

/**
 * The declared responses of an operation, with the header fields that their status implies; those of an action are
 * completed with its own and the 304 response, and an operation that declares no success with a 200 without a body.
 */
export function successResponses(document: OpenApiDocument, decided: DecidedOperation): Responses {
  const responses = actionResponses(document, decided);
  const entries = Object.entries(responses).map(([status, response]) => [
    status,
    withHeaders(document, response, { ...headersOfStatus(status), ...headersOfWrite(status, decided.draft.method) }),
  ]);
  return Object.fromEntries(entries);
}

function actionResponses(document: OpenApiDocument, { draft, model }: DecidedOperation): Responses {
  const declared: Responses = draft.node.responses ?? {};
  const completed = (status: number, headers: Headers): Responses => {
    const response = declared[status];
    return response === undefined ? {} : { [status]: withHeaders(document, response, headers) };
  };
  switch (model.default?.action) {
    case 'list':
    case 'totals':
      return { 304: unchanged, ...declared, ...completed(200, { ETag: PAGE_ETAG }) };
    case 'get':
      return { 304: notModified, ...declared, ...completed(200, { ETag: ETAG }) };
    case 'create':
      return { ...declared, ...completed(201, { ETag: ETAG, Location: LOCATION }) };
    case 'replace':
      return { ...declared, ...completed(200, { ETag: ETAG }), ...completed(201, { ETag: ETAG, Location: LOCATION }) };
    case 'update':
      return { ...declared, ...completed(200, { ETag: ETAG }) };
    default:
      return isAnswered(declared) ? declared : { 200: undescribed, ...declared };
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

/**
 * Whether completion made a success response, and not the author. Documents of earlier releases have the words of their
 * time: when the words above change, the former ones stay among those known here.
 */
export const isImpliedSuccess = (response: Response): boolean =>
  [unchanged, notModified].some((one) => isDeepStrictEqual(one, response));
