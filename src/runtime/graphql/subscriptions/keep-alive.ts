import type { WebSocket, WebSocketServer } from 'ws';

/** Asks all sockets for a sign of life now and then, and drops those that gave none since; returns how to stop. */
export function keepAlive(sockets: WebSocketServer, everyMs: number): () => void {
  const silent = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of sockets.clients) {
      if (silent.has(socket)) socket.terminate();
      else {
        silent.add(socket);
        socket.once('pong', () => silent.delete(socket));
        socket.ping();
      }
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
