import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { ApiError } from '../../errors/api-error.ts';
import { refuseSocket } from '../../http/client-error.ts';
import { requestIdOf } from '../../http/messages.ts';
import type { RenderProblem } from '../../http/problem.ts';
import { stopping } from '../../http/readiness.ts';
import { MAX_MESSAGE_BYTES, type Transport } from '../endpoint/transport.ts';
import { keepAlive } from './keep-alive.ts';
import { createSocketServer } from './socket-server.ts';

/** Time that clients get to close their sockets when the server stops. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Serves graphql-transport-ws (https://github.com/enisdenjo/graphql-ws, PROTOCOL.md) at the path of the endpoint. A
 * handshake that fails is answered with a problem.
 */
export function registerWebSocket(app: FastifyInstance, transport: Transport, render: RenderProblem): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    // Each frame has a turn of the event loop for itself, however many came at once.
    allowSynchronousEvents: false,
    handleProtocols,
  });
  const { serve, settled } = createSocketServer(transport, () => app.server.listening);
  const refuse = (error: ApiError, request: IncomingMessage, socket: Duplex): void => {
    const place = { instance: pathOf(request).slice(0, 200), requestId: requestIdOf(request) };
    refuseSocket(socket as Socket, render, error, place);
  };
  sockets.on('wsClientError', ({ message }, socket, request) => refuse(badHandshake(message), request, socket));
  sockets.on('headers', (lines, request) => lines.push(`X-Request-Id: ${requestIdOf(request)}`));
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    const requestId = requestIdOf(request);
    if (pathOf(request) !== transport.path) return refuse(noSocketHere(), request, socket);
    if (!transport.guards.cors.admits(request)) return refuse(foreignOrigin(), request, socket);
    if (!app.server.listening) return refuse(stopping(), request, socket);
    const address = transport.guards.clientAddress(request);
    const place = transport.guards.sockets.take({ subject: undefined, address });
    if (!place) return refuse(tooManySockets(), request, socket);
    socket.once('close', place.leave);
    const log = app.log.child({ requestId });
    sockets.handleUpgrade(request, socket, head, (webSocket) =>
      serve(webSocket, socket, request, { requestId, log, address, place }),
    );
  });
  const stopKeepAlive = keepAlive(sockets, transport.turns);
  app.addHook('preClose', (done) => {
    stopKeepAlive();
    // Running operations are answered first; their answers are sent in the next turn of the event loop.
    void settled().then(() => setImmediate(closeSockets));
    done();
  });
  const closeSockets = (): void => {
    for (const client of sockets.clients) client.close(1001, 'The server is stopping.');
    const timer = setTimeout(() => {
      for (const client of sockets.clients) client.terminate();
    }, CLOSE_TIMEOUT_MS);
    sockets.close(() => clearTimeout(timer));
  };
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.split('?', 1)[0]!;
}

const noSocketHere = (): ApiError => new ApiError('NOT_FOUND', { detail: 'There is no WebSocket at this path.' });

/** A browser sends its user's cookies and certificates with a handshake, whatever page asks for it (RFC 6455, 10.2). */
const foreignOrigin = (): ApiError =>
  new ApiError('FORBIDDEN', { detail: 'Pages of this origin may not open a WebSocket here.' });

const tooManySockets = (): ApiError =>
  new ApiError('SERVICE_UNAVAILABLE', {
    detail: 'The caller has too many open WebSockets.',
    headers: { 'retry-after': '1' },
  });

/** The answer names the version of the protocol (RFC 6455, 4.4). */
const badHandshake = (detail: string): ApiError =>
  new ApiError('MALFORMED_REQUEST', { detail: `${detail}.`, headers: { 'sec-websocket-version': '13' } });
