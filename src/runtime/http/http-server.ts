import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';
import type { RenderProblem } from '../errors/problem.ts';
import { rawProblem } from './client-error.ts';
import type { Pressure } from './pressure.ts';
import { type Readiness, stopping } from './readiness.ts';
import { requestIdOf } from './request-id.ts';

/** Longest request target, in characters. */
const MAX_TARGET_LENGTH = 8_192;

/** A host and its port, by the characters they may have (RFC 3986, 3.2.2); empty where a target has no authority. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** How long a client may take, in milliseconds. */
export interface Patience {
  readonly requestTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
}

/** Who may come in. */
export interface Gate {
  readonly readiness: Readiness;
  readonly pressure: Pressure;
  /** Paths that are served even while others are refused. */
  readonly alwaysOpen: ReadonlySet<string>;
}

/**
 * An HTTP server that turns away what no route should see: requests without a host or with an overlong target,
 * expectations it cannot meet, tunnels, and requests that come while it stops or has more than it can answer.
 */
export function createHttpServer(
  handle: RequestListener,
  render: RenderProblem,
  patience: Patience,
  gate: Gate,
): Server {
  const server: Server = createServer(
    {
      requestTimeout: patience.requestTimeoutMs,
      headersTimeout: patience.headersTimeoutMs,
      keepAliveTimeout: patience.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      // Any other upgrade is ignored, as RFC 9110, 7.8 allows.
      shouldUpgradeCallback: ({ method, headers }: IncomingMessage): boolean =>
        method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && server.listenerCount('upgrade') > 0,
    },
    (request, response) => {
      request.url = originFormOf(request.url!);
      const refusal = refusalOf(request) ?? closedTo(request);
      if (refusal) return refuse(refusal, request, response);
      const overload = gate.alwaysOpen.has(request.url!) ? undefined : gate.pressure.admit(response);
      if (overload) respond(render, overload, request, response, !hasBody(request));
      else handle(request, response);
    },
  );
  const closedTo = ({ url }: IncomingMessage): ApiError | undefined => {
    const isOpen = server.listening && (gate.readiness.isReady || gate.alwaysOpen.has(url!));
    return isOpen ? undefined : stopping();
  };
  const refuse = (error: ApiError, request: IncomingMessage, response: ServerResponse) =>
    respond(render, error, request, response, false);
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
    refuse(new ApiError('EXPECTATION_FAILED', { detail: 'Only 100-continue can be met.' }), request, response),
  );
  server.on('connect', (_request, socket) => {
    const error = new ApiError('METHOD_NOT_ALLOWED', { detail: 'This server is no proxy.', headers: { allow: 'GET' } });
    (socket as Socket).end(rawProblem(render, error));
  });
  return server;
}

function refusalOf(request: IncomingMessage): ApiError | undefined {
  const target = request.url!;
  const hosts = countHosts(request.rawHeaders);
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1') || !HOST.test(request.headers.host ?? ''))
    return new ApiError('MALFORMED_REQUEST', { detail: 'The request must have one valid Host.' });
  if (target.length > MAX_TARGET_LENGTH)
    return new ApiError('URI_TOO_LONG', { detail: `The request target exceeds ${MAX_TARGET_LENGTH} characters.` });
  if (target.includes('#')) return new ApiError('MALFORMED_REQUEST', { detail: 'The request target has a fragment.' });
  return undefined;
}

/** RFC 9112, 3.2: none or several Host fields are an error. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') count++;
  return count;
}

/** The path and query of a target in absolute form, as a proxy may send it (RFC 9112, 3.2.2). */
function originFormOf(target: string): string {
  if (target.startsWith('/')) return target;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** RFC 9112, 6. */
const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

/** Answers before any route. A connection on which a body follows that nobody reads cannot stay open. */
function respond(
  render: RenderProblem,
  error: ApiError,
  request: IncomingMessage,
  response: ServerResponse,
  staysOpen: boolean,
): void {
  const [instance = '/'] = request.url!.split('?', 1);
  const { status, headers, body } = render(error, {
    instance: instance.slice(0, 200),
    requestId: requestIdOf(request),
  });
  const length = Buffer.byteLength(body);
  response.writeHead(status, { ...headers, 'content-length': length, ...(!staysOpen && { connection: 'close' }) });
  response.end(body);
}
