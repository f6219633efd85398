import type { IncomingHttpHeaders } from 'node:http';
import type { Action } from '../../descriptor/resource.ts';
import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Caller, PathParams } from '../engine/interface/call.ts';
import type { Entity, Page, ResourceActions } from '../engine/interface/engine.ts';
import { readIdempotencyKey } from '../http/idempotency-key.ts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { checkIfMatch, entityTagOf, entityTagOfText, expectationOf, isNotModified } from './etag.ts';
import type { Values } from './parameters/query-reader.ts';

/** A request to a resource, decoded. */
export interface ResourceRequest {
  readonly caller: Caller;
  readonly params: PathParams;
  readonly query: Values;
  readonly headers: IncomingHttpHeaders;
  readonly input: unknown;
}

export type AnswerResource = (request: ResourceRequest) => MaybePromise<Answer>;

/** How an action of a resource is answered over HTTP. `basePath` is where the API's version lives (`/v1`). */
export function resourceAnswer(actions: ResourceActions, action: Action, basePath: string): AnswerResource {
  const { path } = actions.descriptor;
  switch (action) {
    case 'list':
      return ({ caller, params, query, headers }) =>
        whenKnown(actions.list({ caller, params, query }), (page) => validated(pageAnswer(page), headers));
    case 'get':
      return ({ caller, params, headers }) =>
        whenKnown(actions.get({ caller, params }), (entity) => validated(entityAnswer(entity), headers));
    case 'create':
      return async ({ caller, params, headers, input }) => {
        const idempotencyKey = readIdempotencyKey(headers['idempotency-key']);
        const call = write(caller, params, input, headers);
        const entity = await actions.create(idempotencyKey === undefined ? call : { ...call, idempotencyKey });
        return createdAnswer(entity, basePath + collectionOf(path, params));
      };
    case 'replace':
      return async ({ caller, params, headers, input }) =>
        entityAnswer(await actions.replace(write(caller, params, input, headers)));
    case 'update':
      return async ({ caller, params, headers, input }) =>
        entityAnswer(await actions.update(write(caller, params, input, headers)));
    case 'delete':
      return async ({ caller, params, headers }) => {
        const expect = expectationOf(headers);
        await actions.delete(expect ? { caller, params, expect } : { caller, params });
        return NO_CONTENT;
      };
  }
}

const NO_CONTENT: Answer = { status: 204, headers: {} };

function write(caller: Caller, params: PathParams, input: unknown, headers: IncomingHttpHeaders) {
  const expect = expectationOf(headers);
  return expect ? { caller, params, input, expect } : { caller, params, input };
}

/** An answer to a read with its entity tag. */
type TaggedAnswer = Answer & { readonly headers: { readonly etag: string } };

/** The answer, unless the caller has it already. */
function validated(answer: TaggedAnswer, headers: IncomingHttpHeaders): Answer {
  const { etag } = answer.headers;
  checkIfMatch(headers, etag);
  return isNotModified(headers, etag) ? { status: 304, headers: { etag } } : answer;
}

const entityAnswer = ({ version, json }: Entity): TaggedAnswer => ({
  status: 200,
  headers: { 'content-type': JSON_TYPE, etag: entityTagOf(version) },
  body: json,
});

const createdAnswer = ({ id, version, json }: Entity, collection: string): Answer => ({
  status: 201,
  headers: {
    'content-type': JSON_TYPE,
    etag: entityTagOf(version),
    location: `${collection}/${encodeURIComponent(id)}`,
  },
  body: json,
});

/** Answers of pages that may be asked for again. */
const rendered = new WeakMap<Page, TaggedAnswer>();

function pageAnswer(page: Page): TaggedAnswer {
  const known = rendered.get(page);
  if (known) return known;
  const body = pageText(page);
  const answer = { status: 200, headers: { 'content-type': JSON_TYPE, etag: entityTagOfText(body) }, body };
  rendered.set(page, answer);
  return answer;
}

/** Joins texts that were made once, at the write: nothing is parsed or rendered again. */
function pageText({ items, nextCursor, totalCount }: Page): string {
  let data = '';
  for (const item of items) data += data === '' ? item.json : `,${item.json}`;
  const cursor = nextCursor === null ? 'null' : JSON.stringify(nextCursor);
  const count = totalCount === undefined ? '' : `,"totalCount":${totalCount}`;
  return `{"data":[${data}],"page":{"nextCursor":${cursor}${count}}}`;
}

/** The collection of a request: its path with the parent's id filled in. */
const collectionOf = (path: string, params: PathParams): string =>
  path.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
