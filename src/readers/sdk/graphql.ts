import { type ApiError, type ErrorDetails, errorOf, UnexpectedAnswerError } from './api-error.ts';
import type { Client } from './client.ts';
import type { CallOptions } from './operation.ts';

/**
 * A GraphQL document with its types. The text of any other tool will do, too, as long as it carries its types in the
 * way of graphql-codegen (`documentMode: 'string'`).
 */
export interface Document<Data, Variables> {
  toString(): string;
  /** For the type checker alone. */
  readonly __apiType?: (variables: Variables) => Data;
}

/** A document whose effect is the same once or twice: the server keeps its `Idempotency-Key`. */
const KEYED = /* @__PURE__ */ Symbol.for('lockstep.keyed');

/** A document of one's own: `document<{ products: … }, { first: number }>('query …')`. */
export function document<Data, Variables = Record<string, never>>(text: string): Document<Data, Variables> {
  return { toString: () => text };
}

/** A document that creates. */
export function creating<Data, Variables>(text: string): Document<Data, Variables> {
  return { toString: () => text, [KEYED]: true } as Document<Data, Variables>;
}

/** Left out where every variable may be. */
export type VariablesOf<Variables> =
  Record<string, never> extends Variables
    ? [variables?: Variables]
    : object extends Variables
      ? [variables?: Variables]
      : [variables: Variables];

/** The response of a GraphQL server. */
export interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly WireError[];
}

export interface WireError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: Partial<ErrorDetails>;
}

export interface GraphqlOptions extends CallOptions {
  /** See `CreateOptions`; for documents that create. */
  readonly idempotencyKey?: string;
}

/** A response in which several fields failed, or one of several did. */
export class GraphqlErrors extends AggregateError {
  override readonly name = 'GraphqlErrors';
  declare readonly errors: ApiError[];
  /** The data of the other fields. */
  readonly data: unknown;

  constructor(errors: readonly ApiError[], data: unknown) {
    super(errors, errors.map(({ message }) => message).join('\n'));
    this.data = data;
  }
}

/**
 * Runs a query or a mutation. Rejects with the `ApiError` of the code's own class, as REST does; with `GraphqlErrors` when
 * there is more than one, or data beside it.
 */
export async function graphql<Data, Variables>(
  client: Client,
  document: Document<Data, Variables>,
  ...rest: readonly [...VariablesOf<Variables>, options?: GraphqlOptions]
): Promise<Data> {
  const [variables, options = {}] = rest as unknown as readonly [unknown?, GraphqlOptions?];
  const { signal, headers, idempotencyKey } = options;
  const query = document.toString();
  const isKeyed = KEYED in document;
  const key = idempotencyKey ?? (isKeyed ? crypto.randomUUID() : undefined);
  const request = new Request(client.graphqlUrl, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/graphql-response+json, application/json;q=0.9',
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...headers,
    },
    body: JSON.stringify({ query, variables }),
    ...(signal && { signal }),
  });
  const response = await client.send(request, key !== undefined || !/^\s*mutation\b/m.test(query), options);
  return dataOf(await answerIn(response, client), client, response) as Data;
}

async function answerIn(response: Response, { makeError }: Client): Promise<Answer> {
  const text = await response.text();
  const answer = parsed(text);
  if (isAnswer(answer)) return answer;
  throw response.ok ? new UnexpectedAnswerError(response, text) : errorOf(answer ?? text, response, makeError);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isAnswer = (value: unknown): value is Answer =>
  typeof value === 'object' && value !== null && ('data' in value || Array.isArray((value as Answer).errors));

/** The data of a response without errors. Throws its errors otherwise. */
export function dataOf({ data, errors = [] }: Answer, client: Pick<Client, 'makeError'>, response?: Response): unknown {
  const [first, ...others] = errors.map((error) => apiErrorOf(error, client, response));
  if (!first) return data;
  const isAlone = others.length === 0 && Object.values(data ?? {}).every((value) => value === null);
  throw isAlone ? first : new GraphqlErrors([first, ...others], data);
}

export function apiErrorOf(
  { message, extensions = {} }: WireError,
  { makeError }: Pick<Client, 'makeError'>,
  response?: Response,
): ApiError {
  const { code = 'INTERNAL_ERROR', status = 500 } = extensions;
  return makeError({ ...extensions, code, status, detail: extensions.detail ?? message }, response);
}
