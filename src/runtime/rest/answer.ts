import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { ConventionNames } from '../../descriptor/convention-names.ts';
import type { Entity, Page } from '../engine/interface/engine.ts';
import type { ResourceTypes } from '../engine/interface/resource-types.ts';
import { entityTagOf, entityTagOfText } from './etag.ts';
import type { PageBody } from './routes.ts';

/** A rendered response. */
export interface Answer {
  readonly status: number;
  /** By lower-case name, including `content-type` if there is a body. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The body as it is sent. */
  readonly payload?: string | Buffer | Readable | undefined;
  /** It repeats an answer of the past, which another contract may have given: it is sent as it is, unchecked. */
  readonly isReplayed?: boolean;
}

/** Without the charset, Fastify would parse the field of each response to add it. */
export const JSON_TYPE = 'application/json; charset=utf-8';

export function send(reply: FastifyReply, { status, headers, payload }: Answer): void {
  reply.code(status);
  for (const name in headers) reply.header(name, headers[name]);
  reply.send(payload);
}

/**
 * The reply of an action over REST. `payload` is the text that is sent. `body` is the same as a value, decoded when
 * hand-written code reads it.
 */
export class ResourceReply<Status extends number, Body> implements Answer {
  readonly status: Status;
  readonly headers: Answer['headers'];
  readonly payload: string | undefined;
  readonly isReplayed: boolean;
  readonly #read: () => Body;

  constructor(
    status: Status,
    headers: Answer['headers'],
    payload: string | undefined,
    read: () => Body,
    isReplayed = false,
  ) {
    this.status = status;
    this.isReplayed = isReplayed;
    this.headers = headers;
    this.payload = payload;
    this.#read = read;
  }

  get body(): Body {
    return this.#read();
  }
}

/** A reply with the entity tag of its representation (RFC 9110, 8.8.3). */
export type TaggedReply<Status extends number, Body> = ResourceReply<Status, Body> & {
  readonly headers: { readonly etag: string };
};

export function entityReply<T>(entity: Entity<T>): TaggedReply<200, T> {
  const headers = { 'content-type': JSON_TYPE, etag: entityTagOf(entity.version, entity.viewTag) };
  return new ResourceReply(200, headers, entity.json, () => entity.value) as TaggedReply<200, T>;
}

/** What the pages of a list look like. */
export interface PageForm {
  readonly names: ConventionNames;
  /** They have the cursor of the one before. */
  readonly pagesBack: boolean;
}

/** `location` is the path of the entity, for `Location` (RFC 9110, 10.2.2). */
export function createdReply<T>(
  entity: Pick<Entity<T>, 'version' | 'viewTag' | 'json' | 'value'>,
  location: string,
  isReplayed = false,
): ResourceReply<201, T> {
  const headers = { 'content-type': JSON_TYPE, etag: entityTagOf(entity.version, entity.viewTag), location };
  return new ResourceReply(201, headers, entity.json, () => entity.value, isReplayed);
}

export function pageReply<T extends ResourceTypes>(
  page: Page<T['resource']>,
  form: PageForm,
): TaggedReply<200, PageBody<T>> {
  const text = pageText(page, form);
  const headers = { 'content-type': JSON_TYPE, etag: entityTagOfText(text) };
  return new ResourceReply(200, headers, text, () => pageBody(page, form)) as TaggedReply<200, PageBody<T>>;
}

function pageBody<T extends ResourceTypes>(page: Page<T['resource']>, { names, pagesBack }: PageForm): PageBody<T> {
  const { items, nextCursor, totalCount, totalCountIsExact } = page;
  const info = {
    [names.nextCursor]: nextCursor,
    ...(pagesBack && { [names.previousCursor]: page.previousCursor }),
    ...(totalCount !== undefined && { [names.totalCount]: totalCount }),
    ...(totalCountIsExact !== undefined && { [names.totalCountIsExact]: totalCountIsExact }),
  };
  return { data: items.map(({ value }) => value), page: info as PageBody<T>['page'] };
}

/** Joins the texts that were rendered when the rows were written; nothing is parsed or rendered again. */
function pageText(page: Page<unknown>, { names, pagesBack }: PageForm): string {
  const { items, nextCursor, totalCount, totalCountIsExact } = page;
  let data = '';
  for (const item of items) data += data === '' ? item.json : `,${item.json}`;
  const cursor = JSON.stringify(nextCursor);
  const previous = pagesBack ? `,"${names.previousCursor}":${JSON.stringify(page.previousCursor)}` : '';
  const count = totalCount === undefined ? '' : `,"${names.totalCount}":${totalCount}`;
  const exact = totalCountIsExact === undefined ? '' : `,"${names.totalCountIsExact}":${totalCountIsExact}`;
  return `{"data":[${data}],"page":{"${names.nextCursor}":${cursor}${previous}${count}${exact}}}`;
}
