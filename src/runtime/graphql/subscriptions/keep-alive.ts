import type { WebSocket, WebSocketServer } from 'ws';
import type { Turns } from '../../async/turns.ts';

/** How often clients of streams hear from the server. */
export const KEEP_ALIVE_MS = 12_000;

/** Pings all sockets regularly, and closes those that did not answer the last ping. The returned function stops it. */
export function keepAlive(sockets: WebSocketServer, turns: Turns): () => void {
  const silent = new WeakSet<WebSocket>();
  const ping = (socket: WebSocket): void => {
    silent.add(socket);
    socket.once('pong', () => silent.delete(socket));
    socket.ping();
  };
  const timer = setInterval(() => {
    for (const socket of sockets.clients)
      turns.add(() => {
        if (silent.has(socket)) socket.terminate();
        else ping(socket);
      });
  }, KEEP_ALIVE_MS);
  timer.unref();
  return () => clearInterval(timer);
}
