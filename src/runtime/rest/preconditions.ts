import type { IncomingHttpHeaders } from 'node:http';
import type { Expectation, Version } from '../engine/interface/call.ts';
import { preconditionFailed } from '../engine/interface/expectation.ts';
import { ApiError } from '../errors/api-error.ts';

/** Entity tags of one conditional header (RFC 9110, 8.8.3), `any` for `*`. */
type EntityTags = readonly { readonly isWeak: boolean; readonly opaque: string }[] | 'any';

const ENTITY_TAG = /[ \t]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[ \t]*(?:,|$)|[ \t]*(?:,|$)/y;
/** A version, a number or a hash, the view, and the form, by which only whole tags are compared. */
const ENTITY = /^(0|[1-9]\d{0,15}|[\da-f]{32})(-[\w-]+)?(?:\.[\w-]+)?$/;

const HASH_LENGTH = 32;

/** The conditions of `If-Match` and `If-None-Match` for a write that has one. Throws `VALIDATION_FAILED` if a field is malformed. */
export function expectationOf(headers: IncomingHttpHeaders): Expectation {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  const expected = ifMatch === undefined ? undefined : entityTags('If-Match', ifMatch);
  return {
    ...(expected && { ifMatch: strongVersions(expected) }),
    ...(expected && hasWeak(expected) && { hasWeak: true }),
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
 * Throws `PRECONDITION_FAILED` if the `If-Match` of a read does not match (RFC 9110, 13.1.1: strong comparison). Tags of
 * entities are compared as writes compare them; those of pages have no form, and match as a whole.
 */
export function checkIfMatch(headers: IncomingHttpHeaders, etag: string): void {
  const field = headers['if-match'];
  if (field === undefined) return;
  const tags = entityTags('If-Match', field);
  const current = etag.slice(1, -1);
  const isEntity = current.includes('.');
  const expected: unknown[] = isEntity ? [seenVersion(current), versionIn(/^\w+/.exec(current)?.[0])] : [current];
  const isExpected = (opaque: string): boolean => expected.includes(isEntity ? seenVersion(opaque) : opaque);
  if (tags === 'any' || tags.some(({ isWeak, opaque }) => !isWeak && isExpected(opaque))) return;
  throw preconditionFailed(`The current entity tag is ${etag}.`, hasWeak(tags));
}

type Versions = NonNullable<Expectation['ifMatch']>;

/** Weak tags never match strongly. */
const strongVersions = (tags: EntityTags): Versions =>
  versions(tags === 'any' ? tags : tags.filter((tag) => !tag.isWeak));

const hasWeak = (tags: EntityTags): boolean => tags !== 'any' && tags.some((tag) => tag.isWeak);

/** The versions in tags. Other tags match no version. */
const versions = (tags: EntityTags): Versions =>
  tags === 'any' ? tags : tags.flatMap(({ opaque }) => seenVersion(opaque) ?? []);

/** The version that a tag names, with the view if it has one: a row has both whatever its form is. */
function seenVersion(opaque: string): Version | undefined {
  const [, version, view] = ENTITY.exec(opaque) ?? [];
  if (version === undefined) return undefined;
  return view === undefined ? versionIn(version) : `${version}${view}`;
}

/** Versions that are hashes are texts. */
const versionIn = (text = ''): Version => (text.length === HASH_LENGTH ? text : Number(text));

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
