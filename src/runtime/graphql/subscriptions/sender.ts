import type { WebSocket } from 'ws';
import { MAX_UNSENT_BYTES, STALL_TIMEOUT_MS, type Transport } from './transport.ts';

/** Close code of a client that does not keep up (RFC 6455, 7.4.1; the IANA registry: Try Again Later). */
const TRY_AGAIN_LATER = 1013;

/**
 * Sends a message and waits until it is on its way, so that a stream yields no faster than its client takes. A client
 * that takes nothing for too long, or lets too much pile up, is given up.
 */
export function sender(socket: WebSocket, transport: Transport): (data: string) => Promise<void> {
  const { maxUnsentBytes = MAX_UNSENT_BYTES, stallTimeoutMs = STALL_TIMEOUT_MS } = transport;
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
        // A socket that closes meanwhile is no fault.
        if (error && socket.readyState === socket.OPEN) reject(error);
        else resolve();
      });
      if (socket.bufferedAmount > maxUnsentBytes) giveUp();
    });
}
