import { errorOf, UnexpectedAnswerError } from './api-error.ts';
import type { Client } from './client.ts';
import { type QueryStyles, querySerializer } from './query.ts';
import type { SendOptions } from './send.ts';

/** What every call takes; `retry` and `timeoutMs` instead of the client's. */
export interface CallOptions extends SendOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a read takes that is answered only if the resource has changed. */
export interface ConditionalOptions extends CallOptions {
  /** The `ETag` of an earlier answer. */
  readonly ifNoneMatch: string;
}

/** What was answered, and the response, whose body has been read. */
export interface ApiAnswer<Data> {
  readonly data: Data;
  readonly notModified: false;
  readonly response: Response;
}

/** The answer 304: what the caller has is as new as the server's. */
export interface UnchangedAnswer {
  readonly data: undefined;
  readonly notModified: true;
  readonly response: Response;
}

/** A promise of what is answered. */
export interface ApiCall<Data> extends Promise<Data> {
  /** The same with its response: header fields such as `ETag`, `Location` and `RateLimit`. */
  withResponse(): Promise<ApiAnswer<Data>>;
}

/** A promise of what is answered; undefined: it has not changed. */
export interface ConditionalCall<Data> extends Promise<Data | undefined> {
  withResponse(): Promise<ApiAnswer<Data> | UnchangedAnswer>;
}

/** An operation of the contract, as data. */
export interface OperationDescriptor {
  readonly method: string;
  /** `/orders/{orderId}`. */
  readonly path: string;
  readonly styles?: QueryStyles;
  /** It takes an `Idempotency-Key`. */
  readonly keyed?: boolean;
  /** Media type of the body, when it is not JSON. */
  readonly mediaType?: string;
  /** How the answer is read, when it is not JSON. */
  readonly parseAs?: 'text' | 'blob';
}

/** The parts of a request. */
export interface RequestParts {
  readonly path?: object;
  readonly query?: object;
  readonly header?: object;
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
  { path, query, header, body }: RequestParts,
  options: CallOptions & Partial<ConditionalOptions> = {},
): Promise<ApiAnswer<unknown> | UnchangedAnswer> {
  const { signal, headers, ifNoneMatch } = options;
  const { mediaType, styles = {}, parseAs } = operation;
  const request = client.rest.request as unknown as AnyRequest;
  const key = operation.keyed ? { 'Idempotency-Key': crypto.randomUUID() } : {};
  const { data, error, response } = await request(operation.method, operation.path, {
    params: { path, query },
    querySerializer: querySerializer(styles),
    parseAs: parseAs ?? 'text',
    headers: {
      ...key,
      ...contentType(body, mediaType),
      ...(ifNoneMatch !== undefined && { 'If-None-Match': ifNoneMatch }),
      ...header,
      ...headers,
    },
    fetch: (sent: Request) => client.send(sent, undefined, options),
    ...(body !== undefined && { body }),
    ...(mediaType && !isUrlEncoded(mediaType) && { bodySerializer: asIs }),
    ...(signal && { signal }),
  });
  if (ifNoneMatch !== undefined && response.status === 304) return { data: undefined, notModified: true, response };
  if (!response.ok) throw errorOf(error, response, client.makeError);
  return { data: parseAs ? data : jsonOf(data as string | undefined, response), notModified: false, response };
}

function jsonOf(text: string | undefined, response: Response): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedAnswerError(response, text);
  }
}

const asIs = (body: unknown): unknown => body;
const isUrlEncoded = (mediaType: string): boolean => mediaType === 'application/x-www-form-urlencoded';

/** The boundary of a multipart body is the platform's to write. */
const contentType = (body: unknown, mediaType: string | undefined): Readonly<Record<string, string>> =>
  body === undefined || mediaType === undefined || mediaType.startsWith('multipart/')
    ? {}
    : { 'Content-Type': mediaType };

/** The parts that an operation of the contract takes, from its type in `openapi.d.ts`. */
export type RequestOf<Operation> = (Operation extends { parameters: infer Parameters }
  ? Part<Parameters, 'path'> & Part<Parameters, 'query'> & Part<Parameters, 'header'>
  : object) &
  (Operation extends { requestBody: { content: infer Content } }
    ? { readonly body: Content[keyof Content] }
    : Operation extends { requestBody?: { content: infer Content } }
      ? { readonly body?: Content[keyof Content] }
      : object);

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
  ? { [Status in keyof Responses & (200 | 201 | 202 | 203 | 204)]: ContentOf<Responses[Status]> }[keyof Responses &
      (200 | 201 | 202 | 203 | 204)]
  : never;

type ContentOf<Response> = Response extends { content: infer Content } ? Content[keyof Content] : undefined;
