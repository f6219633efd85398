import type { WebSocket } from 'ws';
import type { StreamLimits } from '../endpoint/transport.ts';

/** Close code for a client that does not keep up (RFC 6455, 7.4.1; IANA registry: Try Again Later). */
const TRY_AGAIN_LATER = 1013;

/**
 * Sends a message and waits until it has left the process, so that a stream yields no faster than its client reads. The
 * socket of a client that exceeds a limit is closed.
 */
export function sender(
  socket: WebSocket,
  { maxUnsentBytes, stallTimeoutMs }: StreamLimits,
): (data: string) => Promise<void> {
  const giveUp = (): void => {
    socket.close(TRY_AGAIN_LATER, 'The client does not keep up.');
    socket.terminate();
  };
  return (data) =>
    new Promise((resolve, reject) => {
      if (socket.readyState !== socket.OPEN) return resolve();
      const timer = setTimeout(giveUp, stallTimeoutMs);
      socket.send(data, (error) => {
        clearTimeout(timer);
        // That the socket has closed in the meantime is not an error.
        if (error && socket.readyState === socket.OPEN) reject(error);
        else resolve();
      });
      if (socket.bufferedAmount > maxUnsentBytes) giveUp();
    });
}
