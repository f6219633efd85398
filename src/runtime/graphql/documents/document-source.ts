import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors/api-error.ts';
import type { GraphqlRequest } from '../endpoint/request.ts';
import { RequestFaults } from './request-fault.ts';

/** Finds the text of the document for a request. Throws `RequestFaults`. */
export type SourceOf = (request: GraphqlRequest) => string;

const MAX_PERSISTED_CHARACTERS = 1_000_000;
const SHA256 = /^[\da-f]{64}$/;
const DOCUMENT_ID = /^sha256:([\da-f]{64})$/;

/** Accepts any document, as text, or by its hash once the server knows it (automatic persisted queries). */
export function openSources(maxBytes: number): SourceOf {
  const persisted = new LRUCache<string, string>({
    maxSize: MAX_PERSISTED_CHARACTERS,
    sizeCalculation: (query, hash) => query.length + hash.length,
  });
  return (request) => {
    const { query } = request;
    const hash = hashOf(request);
    if (hash === undefined) return query ?? fail('The request has no `query`.');
    if (query === undefined) return persisted.get(hash) ?? unknown();
    if (query.length > maxBytes) return query;
    if (sha256(query) !== hash) fail('`sha256Hash` is not the hash of the document.');
    persisted.set(hash, query);
    return query;
  };
}

/** Accepts only registered documents, by text, hash or id. */
export function registeredSources(registered: ReadonlyMap<string, string>): SourceOf {
  return (request) => {
    const hash = hashOf(request) ?? (request.query === undefined ? undefined : sha256(request.query));
    if (hash === undefined) return fail('The request has no `query` and no `documentId`.');
    const known = registered.get(hash);
    if (known !== undefined && (request.query === undefined || request.query === known)) return known;
    if (request.query === undefined) return unknown();
    const detail = 'This server executes registered documents only.';
    throw new RequestFaults([new ApiError('FORBIDDEN', { detail })]);
  };
}

function hashOf({ extensions, documentId }: GraphqlRequest): string | undefined {
  if (documentId !== undefined)
    return DOCUMENT_ID.exec(documentId)?.[1] ?? fail('`documentId` must be `sha256:` and 64 hexadecimal digits.');
  const persisted = extensions?.['persistedQuery'];
  if (persisted === undefined || persisted === null) return undefined;
  const { version, sha256Hash } = Object(persisted) as Readonly<Record<string, unknown>>;
  if (version !== 1) fail('`persistedQuery.version` must be 1.');
  if (typeof sha256Hash === 'string' && SHA256.test(sha256Hash)) return sha256Hash;
  return fail('`persistedQuery.sha256Hash` must be 64 hexadecimal digits in lower case.');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

function fail(detail: string): never {
  throw new RequestFaults([new ApiError('MALFORMED_REQUEST', { detail })]);
}

/** Clients recognise this message and send the document (Apollo's protocol for automatic persisted queries). */
function unknown(): never {
  throw new RequestFaults([new ApiError<string>('PERSISTED_QUERY_NOT_FOUND', { detail: 'PersistedQueryNotFound' })]);
}
