import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Expectation, SeenVersion } from '../engine/interface/call.ts';
import { ApiError } from '../errors/api-error.ts';

/** Entity tags of one conditional header (RFC 9110, 8.8.3), `any` for `*`. */
type EntityTags = readonly { readonly isWeak: boolean; readonly opaque: string }[] | 'any';

const ENTITY_TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)|[ \t]*(?:,|$)/y;
const VERSION = /^[1-9]\d{0,15}$/;
const SEEN_VERSION = /^[1-9]\d{0,15}-[A-Za-z0-9_-]+$/;

/** The strong entity tag of a version, with the view where a part of it is hidden from the caller. */
export const entityTagOf = (version: number, viewTag?: string): string =>
  viewTag === undefined ? `"${version}"` : `"${version}-${viewTag}"`;

/** The conditions of `If-Match` and `If-None-Match` for a write. Throws `VALIDATION_FAILED` if a field is malformed. */
export function expectationOf(headers: IncomingHttpHeaders): Expectation | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch === undefined && ifNoneMatch === undefined) return undefined;
  return {
    ...(ifMatch !== undefined && { ifMatch: strongVersions(entityTags('If-Match', ifMatch)) }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch: versions(entityTags('If-None-Match', ifNoneMatch)) }),
  };
}

/** Whether the caller has the current representation (RFC 9110, 13.1.2: weak comparison). */
export function isNotModified(headers: IncomingHttpHeaders, etag: string): boolean {
  const field = headers['if-none-match'];
  if (field === undefined) return false;
  if (field === etag) return true;
  const tags = entityTags('If-None-Match', field);
  return tags === 'any' || tags.some(({ opaque }) => `"${opaque}"` === etag);
}

/**
 * Throws `PRECONDITION_FAILED` if the `If-Match` of a read does not match (RFC 9110, 13.1.1: strong comparison).
 * `plain`: the tag of the version alone, which stands for every view of it.
 */
export function checkIfMatch(headers: IncomingHttpHeaders, etag: string, plain = etag): void {
  const field = headers['if-match'];
  if (field === undefined) return;
  const tags = entityTags('If-Match', field);
  if (tags !== 'any' && !tags.some(({ isWeak, opaque }) => !isWeak && [etag, plain].includes(`"${opaque}"`)))
    throw new ApiError('PRECONDITION_FAILED', { detail: `The current entity tag is ${etag}.` });
}

/** The strong entity tag of a text, which is its hash. */
export const entityTagOfText = (text: string): string => `"${hash('sha1', text, 'base64url')}"`;

type Versions = NonNullable<Expectation['ifMatch']>;

/** Weak tags never match strongly. */
const strongVersions = (tags: EntityTags): Versions =>
  versions(tags === 'any' ? tags : tags.filter((tag) => !tag.isWeak));

/** The versions in tags. Other tags match no version. */
function versions(tags: EntityTags): Versions {
  if (tags === 'any') return tags;
  return tags.flatMap(({ opaque }) => {
    if (VERSION.test(opaque)) return Number(opaque);
    return SEEN_VERSION.test(opaque) ? (opaque as SeenVersion) : [];
  });
}

/** Parses `*`, or a list of at least one entity tag; empty elements are ignored (RFC 9110, 5.6.1.2). */
function entityTags(header: string, field: string): EntityTags {
  if (field.trim() === '*') return 'any';
  const tags: { isWeak: boolean; opaque: string }[] = [];
  ENTITY_TAG.lastIndex = 0;
  while (ENTITY_TAG.lastIndex < field.length) {
    const match = ENTITY_TAG.exec(field);
    if (!match) throw malformed(header);
    if (match[2] !== undefined) tags.push({ isWeak: match[1] !== undefined, opaque: match[2] });
  }
  if (tags.length === 0) throw malformed(header);
  return tags;
}

function malformed(header: string): ApiError {
  return new ApiError('VALIDATION_FAILED', {
    detail: 'The request does not match the contract.',
    errors: [{ header, detail: 'must be * or a list of entity tags such as "3"' }],
  });
}
