import { errorOf, UnexpectedAnswerError } from './api-error.ts';
import { type BodyFormats, type Bytes, writtenBody } from './body.ts';
import type { Client } from './client.ts';
import { cookieField, headerFields, type QueryStyles, querySerializer } from './query.ts';
import type { SendOptions } from './send.ts';

/** Options of every call; `retry` and `timeoutMs` replace those of the client. */
export interface CallOptions extends SendOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Options of a read that returns the resource only if it has changed. */
export interface ConditionalOptions extends CallOptions {
  /** The `ETag` of an earlier answer. */
  readonly ifNoneMatch: string;
}

/** The data of a response, and the response, whose body has been read. */
export interface ApiAnswer<Data> {
  readonly data: Data;
  readonly notModified: false;
  readonly response: Response;
}

/** The response 304: the caller's copy is current. */
export interface UnchangedAnswer {
  readonly data: undefined;
  readonly notModified: true;
  readonly response: Response;
}

/** A promise of the data of a response. */
export interface ApiCall<Data> extends Promise<Data> {
  /** The same with its response: header fields such as `ETag`, `Location` and `RateLimit`. */
  withResponse(): Promise<ApiAnswer<Data>>;
}

/** A promise of the data of a response; undefined if it has not changed. */
export interface ConditionalCall<Data> extends Promise<Data | undefined> {
  withResponse(): Promise<ApiAnswer<Data> | UnchangedAnswer>;
}

/** An operation of the contract, as data. */
export interface OperationDescriptor {
  readonly method: string;
  /** `/orders/{orderId}`. */
  readonly path: string;
  readonly styles?: QueryStyles;
  /** Of header fields and cookies. */
  readonly fieldStyles?: QueryStyles;
  /** It accepts an `Idempotency-Key`. */
  readonly keyed?: boolean;
  /** Of bodies, if they are not `application/json` alone. */
  readonly bodies?: BodyFormats;
  /** How the answer is read, when it is not JSON. `any`: by its media type. */
  readonly parseAs?: 'text' | 'blob' | 'any';
  /** Its success is a redirection, which is not followed. */
  readonly redirects?: boolean;
}

/** The parts of a request. */
export interface RequestParts {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
  readonly cookie?: object;
  readonly body?: unknown;
}

type AnyRequest = (
  method: string,
  path: string,
  init: object,
) => Promise<{ readonly data?: unknown; readonly error?: unknown; readonly response: Response }>;

/** Sends a request; resolves with the body of a 2xx answer. Rejects with an `ApiError` of the code's own class. */
export function call(
  client: Client,
  operation: OperationDescriptor,
  parts: RequestParts,
  options?: CallOptions,
): ConditionalCall<unknown> {
  const answer = answerOf(client, operation, parts, options);
  const data = answer.then((answered) => answered.data);
  const withResponse = () => {
    // Whoever asks for the response hears of a failure once.
    data.catch(() => {});
    return answer;
  };
  return Object.assign(data, { withResponse });
}

async function answerOf(
  client: Client,
  operation: OperationDescriptor,
  { path, query, header, cookie, body }: RequestParts,
  options: CallOptions & Partial<ConditionalOptions> = {},
): Promise<ApiAnswer<unknown> | UnchangedAnswer> {
  const { signal, headers, ifNoneMatch } = options;
  const { bodies = JSON_BODIES, styles = {}, fieldStyles, parseAs, redirects = false } = operation;
  const written = body === undefined ? undefined : await writtenBody(body, bodies);
  const request = client.rest.request as unknown as AnyRequest;
  const key = operation.keyed ? { 'Idempotency-Key': crypto.randomUUID() } : {};
  const { data, error, response } = await request(operation.method, operation.path, {
    params: { path, query },
    querySerializer: querySerializer(styles),
    parseAs: parseAs === 'any' ? 'blob' : (parseAs ?? 'text'),
    headers: {
      ...key,
      ...(written?.type !== undefined && { 'Content-Type': written.type }),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
      ...headerFields(header, fieldStyles),
      ...cookieField(cookie, fieldStyles),
      ...headers,
    },
    fetch: (sent: Request) => client.send(sent, undefined, options),
    ...(written && { body: written.body, bodySerializer: asIs }),
    ...(written?.body instanceof ReadableStream && { duplex: 'half' }),
    ...(redirects && { redirect: 'manual' }),
    ...(signal && { signal }),
  });
  if (ifNoneMatch !== undefined && response.status === 304) return { data: undefined, notModified: true, response };
  if (redirects && isRedirection(response)) return { data: undefined, notModified: false, response };
  if (!response.ok) throw errorOf(error, response, client.makeError);
  const read = parseAs === 'any' ? await anyOf(data as Blob | undefined, response) : data;
  return { data: parseAs ? read : jsonOf(read as string | undefined, response), notModified: false, response };
}

/** Browsers hide the status of those that are not followed. */
const isRedirection = ({ status, type }: Response): boolean =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

/** A body of one of several media types. */
async function anyOf(data: Blob | undefined, response: Response): Promise<unknown> {
  const type = response.headers.get('Content-Type') ?? '';
  if (data === undefined) return undefined;
  if (/[/+]json\b/i.test(type)) return jsonOf(await data.text(), response);
  return /^text\/|[/+](?:xml|yaml)\b/i.test(type) ? data.text() : data;
}

function jsonOf(text: string | undefined, response: Response): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswerError(response, text);
  }
}

const JSON_BODIES: BodyFormats = { 'application/json': {} };
const asIs = (body: unknown): unknown => body;

/** The inputs of an operation, from its type in `openapi.d.ts`. */
export type RequestOf<Operation> = (Operation extends { parameters: infer Parameters }
  ? Part<Parameters, 'path'> & Part<Parameters, 'query'> & Part<Parameters, 'header'> & Part<Parameters, 'cookie'>
  : object) &
  (Operation extends { requestBody: { content: infer Content } }
    ? { readonly body: BodyOf<Content> }
    : Operation extends { requestBody?: { content: infer Content } }
      ? { readonly body?: BodyOf<Content> }
      : object);

type BodyOf<Content> = {
  [Type in keyof Content]: Sendable<Content[Type]> | (Type extends `multipart/form-data${string}` ? FormData : never);
}[keyof Content];

/** As a caller sends it: without read-only properties, and with bytes in any form. */
type Sendable<T> = T extends Blob
  ? Bytes
  : T extends { readonly $read: unknown }
    ? never
    : T extends { readonly $write: infer U }
      ? Sendable<U>
      : T extends (infer E)[]
        ? '0' extends keyof T
          ? { [K in keyof T]: Sendable<T[K]> }
          : Sendable<E>[]
        : T extends object
          ? { [K in keyof T as IsReadOnly<T[K]> extends true ? never : K]: Sendable<T[K]> }
          : T;

type IsReadOnly<T> = [NonNullable<T>] extends [never]
  ? false
  : NonNullable<T> extends { readonly $read: unknown }
    ? true
    : false;

type Part<Parameters, Name extends string> =
  Parameters extends Readonly<Record<Name, infer Value>>
    ? { readonly [K in Name]: Value }
    : Parameters extends { readonly [K in Name]?: infer Value }
      ? [Exclude<Value, undefined>] extends [never]
        ? object
        : { readonly [K in Name]?: Value }
      : object;

/** The body of a successful answer. */
export type AnswerOf<Operation> = Operation extends { responses: infer Responses }
  ? ContentOf<Responses[SuccessOf<Responses>]>
  : never;

/** A success: 2xx, otherwise `default` or a redirection. */
type SuccessOf<Responses> = [StatusOf<Responses, '2'>] extends [never]
  ? 'default' extends keyof Responses
    ? 'default'
    : StatusOf<Responses, '3'>
  : StatusOf<Responses, '2'>;

type StatusOf<Responses, Class extends string> = {
  [Status in keyof Responses]: `${Status & (string | number)}` extends `${Class}${string}` ? Status : never;
}[keyof Responses];

type ContentOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : undefined;
