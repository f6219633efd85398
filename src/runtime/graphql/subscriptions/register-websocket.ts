import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { handleProtocols } from 'graphql-ws';
import { WebSocketServer } from 'ws';
import { requestIdOf } from '../../http/request-id.ts';
import type { Transport } from '../endpoint/transport.ts';
import { keepAlive } from './keep-alive.ts';
import { createSocketServer } from './socket-server.ts';

/** Enough for a document of the default limit and its variables, as JSON. */
const MAX_MESSAGE_BYTES = 262_144;

/** Time that clients get to close their sockets when the server stops. */
const CLOSE_TIMEOUT_MS = 1_000;

/** Serves graphql-transport-ws (https://github.com/enisdenjo/graphql-ws, PROTOCOL.md) at the path of the endpoint. */
export function registerWebSocket(app: FastifyInstance, transport: Transport): void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    handleProtocols,
  });
  const { serve, settled } = createSocketServer(transport);
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (pathOf(request) !== transport.path) return refuse(socket, '404 Not Found');
    if (!app.server.listening || !transport.guards.readiness.isReady)
      return refuse(socket, '503 Service Unavailable\r\nRetry-After: 1');
    const requestId = requestIdOf(request);
    const log = app.log.child({ requestId });
    sockets.handleUpgrade(request, socket, head, (webSocket) => serve(webSocket, request, { requestId, log }));
  });
  const stopKeepAlive = keepAlive(sockets);
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

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
