import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ApiError } from '../errors/api-error.ts';
import { FineChunks, MAX_FIELDS, refuseSocket } from './client-error.ts';
import type { Cors } from './cors.ts';
import { createEntrance, type EntranceLimits, hasBody, turnsBy } from './entrance.ts';
import { refuseFineChunks } from './fine-chunks.ts';
import { AnsweringResponse, IdentifiedRequest } from './messages.ts';
import type { IsOwnHost } from './own-hosts.ts';
import { type Pipeline, pipelinesOf } from './pipeline.ts';
import type { RenderProblem } from './problem.ts';
import { type Readiness, stopping } from './readiness.ts';
import { createRefusal } from './refusal.ts';
import { STALL_MS } from './unsent-answers.ts';

/** Longest request target, in characters. */
const MAX_TARGET_LENGTH = 8_192;

/** The characters of a host and a port (RFC 3986, 3.2.2). The field is empty if the target has no authority. */
const HOST = /^[\w.~!$&'()*+,;=%:[\]-]*$/;

/** In milliseconds. */
export interface Timeouts {
  /** For a whole request to arrive. */
  readonly requestTimeoutMs: number;
  /** For its header section to arrive. */
  readonly headersTimeoutMs: number;
  /** How long an idle connection stays open. */
  readonly keepAliveTimeoutMs: number;
}

/** Decides which requests are let in. */
export interface Gate extends EntranceLimits {
  /** While it is false, connections are closed after their answer, which leads their callers to other servers. */
  readonly readiness: Readiness;
  /** Requests for other hosts are refused; any host is served if left out. */
  readonly isOwnHost?: IsOwnHost | undefined;
  /** Who may read what a request is refused with. */
  readonly cors: Cors;
}

/**
 * An HTTP server that rejects what no route should see: versions of HTTP it does not speak, requests without a host, with
 * two tokens or with an overlong target, expectations it cannot meet, tunnels, and requests that arrive after its listener has
 * closed or while it is overloaded.
 */
export function createHttpServer(
  handle: RequestListener,
  render: RenderProblem,
  timeouts: Timeouts,
  gate: Gate,
): Server {
  const answer = createRefusal(render, gate.cors);
  const enter = createEntrance(gate, handle, answer);
  const server: Server = createServer(
    {
      IncomingMessage: IdentifiedRequest,
      ServerResponse: AnsweringResponse,
      requestTimeout: timeouts.requestTimeoutMs,
      headersTimeout: timeouts.headersTimeoutMs,
      keepAliveTimeout: timeouts.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1_000,
      requireHostHeader: false,
      // Any other upgrade is ignored, as RFC 9110, 7.8 allows.
      shouldUpgradeCallback: (request: IdentifiedRequest): boolean =>
        request.method === 'GET' &&
        request.headers.upgrade?.toLowerCase() === 'websocket' &&
        server.listenerCount('upgrade') > 0 &&
        refusalOf(request) === undefined &&
        foreignHost(request.headers.host, gate.isOwnHost) === undefined,
    },
    (request, response) => {
      const pipeline = pipelineOf(request.socket);
      request.pipeline = pipeline;
      // Node has just ended the time that its client has for taking them.
      if (pipeline.unsent > 0) request.socket.setTimeout(STALL_MS);
      if (!pipeline.add(() => turnOf(request))) return refuseLater(tooManyWaiting(), request, response);
      request.url = originFormOf(request.url);
      if (!gate.readiness.isReady || gate.readiness.isLeaving) {
        response.shouldKeepAlive = false;
        if (!hasBody(request)) pipeline.end();
      }
      if (hasBody(request)) watchBody(request, pipeline);
      const refusal = refusalOf(request) ?? foreignHost(request.headers.host, gate.isOwnHost) ?? closedTo(pipeline);
      if (refusal) return refuseLater(refusal, request, response);
      enter(request, response);
    },
  );
  server.maxHeadersCount = MAX_FIELDS + 1;
  const pipelineOf = pipelinesOf();
  /** After the listener has closed, who connected before may send one request; what comes after another is refused. */
  const closedTo = ({ isFirst }: Pipeline): ApiError | undefined =>
    server.listening || isFirst ? undefined : stopping();
  const refuse = (error: ApiError, request: IncomingMessage, response: ServerResponse) =>
    answer(error, request, response, false);
  const turnOf = turnsBy(gate.clientAddress);
  const refuseLater = (error: ApiError, request: IdentifiedRequest, response: ServerResponse) => {
    request.pipeline!.end();
    gate.pressure.refuse(response, turnOf(request), () => {
      if (!request.socket.destroyed) refuse(error, request, response);
    });
  };
  const watchBody = (request: IncomingMessage, pipeline: Pipeline): void => {
    pipeline.arriving = request;
    if (request.headers['transfer-encoding'] !== undefined)
      refuseFineChunks(request, () => server.emit('clientError', new FineChunks(), request.socket));
  };
  // A client that waits for 100 sends no body of a request that its head has decided (RFC 9110, 10.1.1).
  server.on('checkContinue', (request: IdentifiedRequest, response: ServerResponse) => {
    request.onBodyRead = () => {
      request.onBodyRead = undefined;
      if (!response.headersSent && !response.destroyed) response.writeContinue();
    };
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const pipeline = pipelineOf(request.socket);
    pipeline.arriving = request;
    pipeline.end();
    refuse(new ApiError('EXPECTATION_FAILED', { detail: 'Only 100-continue can be met.' }), request, response);
  });
  server.on('connect', (_request, socket) => {
    const error = new ApiError('METHOD_NOT_ALLOWED', {
      detail: 'This server is not a proxy.',
      headers: { allow: 'GET' },
    });
    refuseSocket(socket as Socket, render, error);
  });
  return server;
}

const tooManyWaiting = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', { detail: 'Too many requests of this connection wait for their answers.' });

function refusalOf(request: IdentifiedRequest): ApiError | undefined {
  const target = request.url;
  // The parser accepts HTTP/0.9, whose requests have no version, and HTTP/2.0, which is not text.
  if (request.httpVersionMajor !== 1)
    return new ApiError('MALFORMED_REQUEST', { detail: 'This server speaks HTTP/1.1 and HTTP/1.0.' });
  if (request.rawHeaders.length > 2 * MAX_FIELDS)
    return new ApiError('HEADERS_TOO_LARGE', { detail: `The request has more than ${MAX_FIELDS} header fields.` });
  const { rawHeaders, headers } = request;
  const hosts = countFields(rawHeaders, 'host');
  if (hosts > 1 || (hosts === 0 && request.httpVersion === '1.1') || !HOST.test(headers.host ?? ''))
    return new ApiError('MALFORMED_REQUEST', { detail: 'The request must have exactly one valid Host field.' });
  // Node keeps the first; a proxy that checks tokens may keep the last.
  if (headers.authorization !== undefined && countFields(rawHeaders, 'authorization') > 1)
    return new ApiError('MALFORMED_REQUEST', { detail: 'The request has more than one Authorization field.' });
  if (headers['transfer-encoding'] !== undefined && headers['transfer-encoding'].toLowerCase() !== 'chunked')
    return new ApiError('NOT_IMPLEMENTED', { detail: 'The only transfer coding that this server reads is chunked.' });
  if (target.length > MAX_TARGET_LENGTH)
    return new ApiError('URI_TOO_LONG', { detail: `The request target exceeds ${MAX_TARGET_LENGTH} characters.` });
  if (target.includes('#')) return new ApiError('MALFORMED_REQUEST', { detail: 'The request target has a fragment.' });
  return undefined;
}

/** Refuses a request for a host that is not this one. */
function foreignHost(host: string | undefined, isOwn: IsOwnHost | undefined): ApiError | undefined {
  if (!isOwn || host === undefined || isOwn(host)) return undefined;
  const detail = 'In development, this server answers only for names of this machine. PUBLIC_URL can name another.';
  return new ApiError('FORBIDDEN', { detail });
}

/** How often a request has a field that is not a list: a second one makes it ambiguous (RFC 9110, 5.3; RFC 9112, 3.2). */
function countFields(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) count++;
  return count;
}

/** The path and query of a target, which a proxy may send in absolute form (RFC 9112, 3.2.2). */
function originFormOf(target: string): string {
  if (target.startsWith('/')) return target;
  const [, rest] = /^https?:\/\/[^/?#]*(.*)$/i.exec(target) ?? [];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}
