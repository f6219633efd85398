import type { FastifyInstance } from 'fastify';
import { jsonOf } from '../harness/request.ts';

/**
 * The parts of a request in addition to its path.
 * @example
 * import type { TestRequest } from 'lockstep/testing';
 *
 * const ifUnchanged: TestRequest = { headers: { 'if-match': '"1"' } };
 */
export interface TestRequest {
  /** Sent as JSON, as a merge patch in PATCH; a string is sent as it is. */
  readonly body?: unknown;
  /** They win over those that a caller sets. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * The response of a request.
 * @example
 * import { serve, type TestReply } from 'lockstep/testing';
 *
 * await using service = await serve({ contracts: 'contracts', allowMissing: true });
 * const reply: TestReply = await service.anonymous.get('/products?limit=1');
 * console.log(reply.status, reply.headers['etag'], reply.body);
 */
export interface TestReply<Body = unknown> {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came. */
  readonly text: string;
  /** The body as JSON; undefined when it is not JSON. */
  readonly body: Body;
}

/**
 * An error of a GraphQL answer; `extensions.code` is the contract's code.
 * @example
 * import type { TestGraphqlError } from 'lockstep/testing';
 *
 * const codeOf = ({ extensions }: TestGraphqlError): string => extensions.code;
 */
export interface TestGraphqlError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly [name: string]: unknown };
}

/**
 * The response of a GraphQL operation.
 * @example
 * import { serve, type TestGraphqlReply } from 'lockstep/testing';
 *
 * await using service = await serve({ contracts: 'contracts', allowMissing: true });
 * const reply: TestGraphqlReply = await service.anonymous.graphql('{ products { totalCount } }');
 * console.log(reply.data, reply.errors?.map(({ extensions }) => extensions.code));
 */
export interface TestGraphqlReply<Data = unknown> extends TestReply {
  readonly data: Data;
  /** Undefined: none. */
  readonly errors: readonly TestGraphqlError[] | undefined;
}

/**
 * Sends requests to a served contract as one caller, with a token that is valid at the time of each request. Paths are
 * below the base path of the contract: `/orders`, not `/v1/orders`. No request rejects because of its status.
 * @example
 * import { serve, type TestCaller } from 'lockstep/testing';
 *
 * await using service = await serve({ contracts: 'contracts', allowMissing: true });
 * const ada: TestCaller = service.as({ sub: '0199bd2f-7c00-7000-8000-000000000001', scope: 'orders:read' });
 * const { status, body } = await ada.get<{ items: object[] }>('/orders');
 * console.log(status, body.items.length);
 */
export interface TestCaller {
  get<Body = unknown>(path: string, request?: TestRequest): Promise<TestReply<Body>>;
  post<Body = unknown>(path: string, body?: unknown, request?: TestRequest): Promise<TestReply<Body>>;
  put<Body = unknown>(path: string, body?: unknown, request?: TestRequest): Promise<TestReply<Body>>;
  patch<Body = unknown>(path: string, body?: unknown, request?: TestRequest): Promise<TestReply<Body>>;
  delete<Body = unknown>(path: string, request?: TestRequest): Promise<TestReply<Body>>;
  request<Body = unknown>(method: string, path: string, request?: TestRequest): Promise<TestReply<Body>>;
  /** Sends a document to `/graphql`. */
  graphql<Data = unknown>(query: string, variables?: object, request?: TestRequest): Promise<TestGraphqlReply<Data>>;
  /** The same caller below another base path: `/v0` of an old version, or an empty one. */
  at(basePath: string): TestCaller;
  /** For a client, the generated one for instance: `createClient({ baseUrl: 'http://test/v1', fetch: ada.fetch })`. */
  readonly fetch: (request: Request) => Promise<Response>;
}

export interface CallerOptions {
  readonly app: FastifyInstance;
  readonly basePath: string;
  /** A token for a request; undefined: the caller is anonymous. */
  readonly token: (() => string) | undefined;
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload?: string | Buffer;
}

/** A caller of an app, by requests that need no socket. */
export function createCaller(options: CallerOptions): TestCaller {
  const { app, basePath, token } = options;
  const inject = (method: string, url: string, { headers, payload }: Sent) =>
    app.inject({
      method: method as 'GET',
      url,
      headers: { ...(token && { authorization: `Bearer ${token()}` }), ...headers },
      ...(payload !== undefined && { payload }),
    });
  const send = async (method: string, url: string, request: TestRequest = {}): Promise<TestReply> => {
    const { statusCode: status, headers, body: text } = await inject(method, url, encoded(method, request));
    return { status, headers: textual(headers), text, body: jsonOf(text) };
  };
  const at =
    (method: string) =>
    (path: string, request?: TestRequest): Promise<TestReply<never>> =>
      send(method, basePath + path, request) as Promise<TestReply<never>>;
  const withBody = (method: string) => (path: string, body?: unknown, request?: TestRequest) =>
    at(method)(path, { ...request, ...(body !== undefined && { body }) });
  return {
    get: at('GET'),
    post: withBody('POST'),
    put: withBody('PUT'),
    patch: withBody('PATCH'),
    delete: at('DELETE'),
    request: (method, path, request) => at(method)(path, request),
    async graphql(query, variables, request) {
      const body = { query, ...(variables && { variables }) };
      const reply = await send('POST', '/graphql', { ...request, body });
      const { data, errors } = (reply.body ?? {}) as { data: never; errors?: readonly TestGraphqlError[] };
      return { ...reply, data, errors };
    },
    at: (other) => createCaller({ ...options, basePath: other }),
    async fetch(request) {
      const { pathname, search } = new URL(request.url);
      const payload = Buffer.from(await request.arrayBuffer());
      const headers = Object.fromEntries(request.headers);
      const reply = await inject(request.method, pathname + search, {
        headers,
        ...(payload.length > 0 && { payload }),
      });
      const body = NO_BODY.has(reply.statusCode) ? null : new Uint8Array(reply.rawPayload);
      return new Response(body, { status: reply.statusCode, headers: textual(reply.headers) });
    },
  };
}

/** Statuses that `Response` takes without a body only. */
const NO_BODY = new Set([204, 205, 304]);

function encoded(method: string, { body, headers }: TestRequest): Sent {
  if (body === undefined) return { headers: headers ?? {} };
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  return { headers: { 'content-type': type, ...headers }, payload };
}

/** Header fields of many values as one (RFC 9110, 5.3). */
function textual(headers: Readonly<Record<string, unknown>>): Record<string, string> {
  const fields = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    fields.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : `${value}`]),
  );
}
