import { hash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { CONSISTENCY_TOKEN } from '../../descriptor/consistency-token.ts';
import type { Entity } from '../engine/interface/engine.ts';

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

const TOKEN_FIELD = CONSISTENCY_TOKEN.toLowerCase();

/** The fields of all answers of an operation. */
export interface FixedFields {
  readonly headers: Readonly<Record<string, string>>;
  /** Names and values in turn; undefined where hooks look at answers, or change them: then Fastify sends them. */
  readonly flat: readonly string[] | undefined;
  /** Each reply has got others, which count the caller's requests. */
  readonly isCounted: boolean;
}

/** `token`: of what the request has committed. */
export function send(
  reply: FastifyReply,
  answer: Answer,
  { headers, flat, isCounted }: FixedFields,
  token?: string,
): void {
  if (flat && answer instanceof ResourceReply) {
    const fields = isCounted ? [...fieldsOf(reply), ...flat] : [...flat];
    if (token !== undefined) fields.push(TOKEN_FIELD, token);
    answer.sendTo(reply.raw, fields);
    return;
  }
  reply.code(answer.status).headers(headers);
  if (token !== undefined) reply.header(TOKEN_FIELD, token);
  for (const name in answer.headers) reply.header(name, answer.headers[name]);
  reply.send(answer.payload);
}

const fieldsOf = (reply: FastifyReply): string[] => Object.entries(reply.getHeaders()).flat().map(String);

/**
 * The reply of an action over REST. `payload` is the text that is sent. `body` is the same as a value, decoded when
 * hand-written code reads it.
 */
export class ResourceReply<Status extends number, Body> implements Answer {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: string | undefined;
  readonly isReplayed: boolean;
  readonly #read: () => Body;

  constructor(
    status: Status,
    headers: Readonly<Record<string, string>>,
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

  /** Without Fastify, which looks up each field several times. */
  sendTo(response: ServerResponse, fields: string[]): void {
    for (const name in this.headers) fields.push(name, this.headers[name]!);
    if (this.payload !== undefined) fields.push('content-length', String(Buffer.byteLength(this.payload)));
    response.writeHead(this.status, fields).end(this.payload);
  }
}

/** A reply with the entity tag of its representation (RFC 9110, 8.8.3). */
export type TaggedReply<Status extends number, Body> = ResourceReply<Status, Body> & {
  readonly headers: { readonly etag: string };
};

/** The strong entity tag of an entity: its version, the view if a part of it is hidden from the caller, and its form. */
export const entityTagOf = ({ version, viewTag, form }: Pick<Entity, 'version' | 'viewTag' | 'form'>): string =>
  viewTag === undefined ? `"${version}.${form}"` : `"${version}-${viewTag}.${form}"`;

/** The strong entity tag of a text, which is its hash. */
export const entityTagOfText = (text: string): string => `"${hash('sha1', text, 'base64url')}"`;

/** The text of an entity and its tag. The form comes first: an entity without one makes it of its text, which it keeps. */
function representationOf({ version, viewTag, form, json }: Omit<Entity<unknown>, 'row'>) {
  return { etag: entityTagOf({ version, viewTag, form }), json };
}

export function entityReply<T>(entity: Entity<T>): TaggedReply<200, T> {
  const { etag, json } = representationOf(entity);
  const headers = { 'content-type': JSON_TYPE, etag };
  return new ResourceReply(200, headers, json, () => entity.value) as TaggedReply<200, T>;
}

/** `location` is the path of the entity, for `Location` (RFC 9110, 10.2.2). */
export function createdReply<T>(
  entity: Omit<Entity<T>, 'row'>,
  location: string,
  isReplayed = false,
): ResourceReply<201, T> {
  const { etag, json } = representationOf(entity);
  const headers = { 'content-type': JSON_TYPE, etag, location };
  return new ResourceReply(201, headers, json, () => entity.value, isReplayed);
}
