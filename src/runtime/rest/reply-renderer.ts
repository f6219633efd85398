import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Readable } from 'node:stream';
import { isJson, sentType } from '../../descriptor/content.ts';
import { lookUp } from '../../descriptor/look-up.ts';
import { type ContentDescriptor, declaredFor, type OperationDescriptor } from '../../descriptor/rest.ts';
import { declaredTypeOf } from '../http/media-type.ts';
import type { Picker, Pickers } from '../schema/pick.ts';
import { type Answer, JSON_TYPE, ResourceReply } from './answer.ts';
import type { CustomReply } from './custom-handler.ts';

/** Renders a reply; `accept` is the media type that the caller prefers. Throws if the contract does not declare it. */
export type RenderReply = (reply: CustomReply, accept: string | undefined) => Answer;

/** Renders the replies of hand-written code by the responses that the operation declares. */
export function createReplyRenderer({ operationId, responses }: OperationDescriptor, pickers: Pickers): RenderReply {
  const contents = Object.fromEntries(
    Object.entries(responses).map(([status, content]) => [status, contentPickers(content, pickers)]),
  );
  return (reply, accept) => {
    if (reply instanceof ResourceReply) return reply;
    const { status, headers = {}, contentType: type, body } = reply;
    const content = declaredFor(contents, status);
    if (!content) throw new Error(`${operationId} answered ${status}, which its contract does not declare`);
    const fields = lowerCased(headers);
    if (content.size > 1) fields.vary ??= 'accept';
    if (content.size === 0 || body === undefined) return { status, headers: fields };
    const mediaType = chooseType([...content.keys()], type, accept);
    if (mediaType === undefined)
      throw new Error(`${operationId} answered ${type}, which its contract does not declare`);
    return withBody(status, fields, type ?? sentType(mediaType), body, lookUp(content, mediaType));
  };
}

/** The media type that the handler names, else the one that the caller prefers, else the first. */
function chooseType(declared: readonly string[], type: string | undefined, accept: string | undefined) {
  if (type !== undefined) return declaredTypeOf(type, declared) ?? undefined;
  return accept !== undefined && declared.includes(accept) ? accept : declared[0];
}

function withBody(
  status: number,
  fields: Record<string, string | readonly string[]>,
  type: string,
  body: unknown,
  pick: Picker,
): Answer {
  if (Buffer.isBuffer(body) || body instanceof Readable)
    return { status, headers: { ...fields, 'content-type': type }, payload: body };
  if (body instanceof Uint8Array)
    return { status, headers: { ...fields, 'content-type': type }, payload: Buffer.from(body) };
  if (isJson(type)) {
    const contentType = type === 'application/json' ? JSON_TYPE : type;
    return { status, headers: { ...fields, 'content-type': contentType }, payload: JSON.stringify(pick(body)) };
  }
  if (typeof body !== 'string') throw new Error(`A body of ${type} must be a string, bytes or a stream`);
  return { status, headers: { ...fields, 'content-type': type }, payload: body };
}

const contentPickers = (content: ContentDescriptor, pickers: Pickers): ReadonlyMap<string, Picker> =>
  new Map(Object.entries(content).map(([type, { schema }]) => [type, pickers.of(schema ?? true)]));

function lowerCased(headers: NonNullable<CustomReply['headers']>): Record<string, string | readonly string[]> {
  const fields: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) fields[name.toLowerCase()] = sendable(name, value);
  return fields;
}

/** Throws for characters that a field must not contain (RFC 9110, 5.5): a line break would begin another field. */
function sendable(name: string, value: string | number | readonly string[]): string | readonly string[] {
  const text = typeof value === 'number' ? String(value) : value;
  validateHeaderName(name);
  for (const part of [text].flat()) validateHeaderValue(name, part);
  return text;
}
