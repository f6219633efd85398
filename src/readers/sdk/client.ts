import createFetchClient, { type Client as FetchClient } from 'openapi-fetch';
import type { ErrorFactory } from './api-error.ts';
import { querySerializer } from './query.ts';
import {
  DEFAULT_RETRY,
  delay,
  isRepeatable,
  type RetryOptions,
  retryOver,
  type Sender,
  type SendHooks,
  type SendOptions,
  send,
} from './send.ts';

export interface ClientOptions extends SendHooks {
  /** Address of the API with its version: `https://api.example.com/v1`. Browsers also accept one without a host. */
  readonly baseUrl?: string;
  /** Bearer token, or a function that returns one for each request and each socket. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>);
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly retry?: RetryOptions;
  /** How long an attempt may take in milliseconds, before it counts as one without an answer; 0: any time. Default 30,000. */
  readonly timeoutMs?: number;
  /** GraphQL endpoint (default: `/graphql` of the same host). */
  readonly graphqlUrl?: string;
  /** Instead of the platform's. */
  readonly fetch?: (request: Request) => Promise<Response>;
  /** Instead of the platform's; Node has one from version 22 on. */
  readonly webSocket?: unknown;
  /** Jitter of the waits between attempts, from 0 up to 1 (default: `Math.random`). */
  readonly random?: () => number;
  /** Waits between attempts (default: `setTimeout`). */
  readonly delay?: Sender['delay'];
}

/** Options that the contract adds. */
export interface Contract {
  readonly baseUrl: string;
  readonly makeError: ErrorFactory;
}

/** A connection to one server, as one caller. It holds no socket: nothing needs to be closed. */
export interface Client<Paths extends object = object> {
  /** The API path by path, without the conveniences: answers `{ data, error, response }` (openapi-fetch). */
  readonly rest: FetchClient<Paths>;
  readonly baseUrl: string;
  readonly graphqlUrl: string;
  readonly webSocket: unknown;
  readonly makeError: ErrorFactory;
  /** The token as of now. */
  token(): Promise<string | undefined>;
  /** Sends a request with the client's token, headers and retries. `repeatable`: it may have its effect twice. */
  send(request: Request, repeatable?: boolean, options?: SendOptions): Promise<Response>;
}

const CONSISTENCY = 'Consistency-Token';

/** Throws `TypeError` when the base URL has no host, and the platform has none either. */
export function connect<Paths extends object>(options: ClientOptions, contract: Contract): Client<Paths> {
  const baseUrl = absolute(options.baseUrl ?? contract.baseUrl).replace(/\/+$/, '');
  const { headers = {}, fetch = (request) => globalThis.fetch(request), random = Math.random } = options;
  const sender: Sender = {
    hooks: options,
    fetch,
    random,
    delay: options.delay ?? delay,
    timeoutMs: options.timeoutMs ?? 30_000,
    retry: retryOver(DEFAULT_RETRY, options.retry),
  };
  const token = async (): Promise<string | undefined> =>
    typeof options.token === 'function' ? options.token() : options.token;
  let consistency: string | null = null;
  const sendAs = async (request: Request, repeatable?: boolean, own: SendOptions = {}): Promise<Response> => {
    for (const [name, value] of Object.entries(headers))
      if (!request.headers.has(name)) request.headers.set(name, value);
    const bearer = request.headers.has('Authorization') ? undefined : await token();
    if (bearer !== undefined) request.headers.set('Authorization', `Bearer ${bearer}`);
    // What this client has written, its next read sees, whichever instance answers.
    if (consistency !== null && !request.headers.has(CONSISTENCY)) request.headers.set(CONSISTENCY, consistency);
    const { retry, timeoutMs = sender.timeoutMs } = own;
    const asked = { ...sender, timeoutMs, retry: retryOver(sender.retry, retry) };
    const response = await send(request, asked, repeatable ?? isRepeatable(request));
    consistency = response.headers.get(CONSISTENCY) ?? consistency;
    return response;
  };
  return {
    rest: createFetchClient<Paths>({
      baseUrl,
      querySerializer: querySerializer({}),
      fetch: (request) => sendAs(request),
    }),
    baseUrl,
    graphqlUrl: absolute(options.graphqlUrl ?? new URL('/graphql', baseUrl).href),
    webSocket: options.webSocket,
    makeError: contract.makeError,
    token,
    send: sendAs,
  };
}

function absolute(url: string): string {
  const { location } = globalThis as { readonly location?: { readonly href: string } };
  try {
    return new URL(url, location?.href).href;
  } catch {
    throw new TypeError(`baseUrl: ${JSON.stringify(url)} has no host; give the address of the server.`);
  }
}
