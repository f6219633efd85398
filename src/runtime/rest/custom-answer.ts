import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Readable } from 'node:stream';
import type { MediaType } from '../../descriptor/document.ts';
import type { Caller } from '../engine/interface/call.ts';
import type { Engine } from '../engine/interface/engine.ts';
import type { OverrideContext } from '../engine/interface/untyped.ts';
import { declaredTypeOf, isJson, parseContentType } from '../http/media-type.ts';
import type { Picker, Pickers } from '../schema/pick.ts';
import { type Answer, JSON_TYPE } from './answer.ts';
import { declaredFor, type RestOperation } from './operation.ts';
import type { Parameters as DecodedParameters } from './parameters/parameters-reader.ts';
import type { Body } from './request-body.ts';

/** A handler of a custom operation, before types: `OperationHandler` has them. */
export type CustomHandler = (
  request: {
    readonly params: Readonly<Record<string, unknown>>;
    readonly query: Readonly<Record<string, unknown>>;
    /** Declared header parameters by lower-case name. */
    readonly headers: Readonly<Record<string, unknown>>;
    readonly cookies: Readonly<Record<string, unknown>>;
    /** JSON value, text (`text/*`) or bytes, by the media type. */
    readonly body?: unknown;
    readonly contentType?: string;
    /** The media type that the caller prefers among those of the successful responses. */
    readonly accept?: string;
  },
  context: OverrideContext,
) => CustomReply | Promise<CustomReply>;

export interface CustomReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | number | readonly string[] | undefined>>;
  /** Media type of the body; needed only where the response declares several. */
  readonly contentType?: string;
  readonly body?: unknown;
}

/** A request to a custom operation, as the route has read it. */
export interface CustomRequest {
  readonly caller: Caller;
  readonly parameters: DecodedParameters;
  readonly body: Body | undefined;
  readonly accept: string | undefined;
}

export type AnswerCustom = (request: CustomRequest) => Promise<Answer>;

/** Runs a custom operation's handler and renders its reply. Throws when the contract does not declare the reply. */
export function customAnswer(
  operation: RestOperation,
  handler: CustomHandler,
  perform: Engine['perform'],
  pickers: Pickers,
): AnswerCustom {
  const reads = operation.method === 'get' || operation.method === 'head';
  const render = replyRenderer(operation, pickers);
  return async ({ caller, parameters, body, accept }) => {
    const request: Parameters<CustomHandler>[0] = {
      params: parameters.path,
      query: parameters.query,
      headers: parameters.header,
      cookies: parameters.cookie,
      ...(body && { body: body.value, contentType: body.mediaType }),
      ...(accept !== undefined && { accept }),
    };
    const reply = await perform({ caller, params: parameters.path, reads }, async (context) =>
      handler(request, context),
    );
    return render(reply, accept);
  };
}

type Render = (reply: CustomReply, accept: string | undefined) => Answer;

/** Renders replies by the responses that the operation declares. */
function replyRenderer({ operationId, responses }: RestOperation, pickers: Pickers): Render {
  const contents = new Map(
    [...responses].map(([status, response]) => [status, contentPickers(response.content ?? {}, pickers)]),
  );
  return ({ status, headers = {}, contentType: type, body }, accept) => {
    const content = declaredFor(contents, status);
    if (!content) throw new Error(`${operationId} answered ${status}, which its contract does not declare`);
    const fields = lowerCased(headers);
    if (content.size > 1) fields.vary ??= 'accept';
    if (content.size === 0 || body === undefined) return { status, headers: fields };
    const mediaType = chooseType([...content.keys()], type, accept);
    if (mediaType === undefined)
      throw new Error(`${operationId} answered ${type}, which its contract does not declare`);
    return withBody(status, fields, type ?? mediaType, body, content.get(mediaType)!);
  };
}

/** The type that the handler names, else the one that the caller prefers, else the first. */
function chooseType(declared: readonly string[], type: string | undefined, accept: string | undefined) {
  const essence = type === undefined ? undefined : parseContentType(type)?.essence;
  if (type !== undefined) return essence && declaredTypeOf(essence, declared);
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
    return { status, headers: { ...fields, 'content-type': type }, body };
  if (isJson(parseContentType(type)?.essence ?? '')) {
    const contentType = type === 'application/json' ? JSON_TYPE : type;
    return { status, headers: { ...fields, 'content-type': contentType }, body: JSON.stringify(pick(body)) };
  }
  if (typeof body !== 'string') throw new Error(`A body of ${type} must be a string, a Buffer or a stream`);
  return { status, headers: { ...fields, 'content-type': type }, body };
}

const contentPickers = (content: Readonly<Record<string, MediaType>>, pickers: Pickers): ReadonlyMap<string, Picker> =>
  new Map(Object.entries(content).map(([type, { schema }]) => [type, pickers.of(schema ?? true)]));

function lowerCased(headers: NonNullable<CustomReply['headers']>): Record<string, string | readonly string[]> {
  const fields: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) fields[name.toLowerCase()] = sendable(name, value);
  return fields;
}

/** Throws on what no field may hold (RFC 9110, 5.5): a line break would begin another field. */
function sendable(name: string, value: string | number | readonly string[]): string | readonly string[] {
  const text = typeof value === 'number' ? String(value) : value;
  validateHeaderName(name);
  for (const part of [text].flat()) validateHeaderValue(name, part);
  return text;
}
