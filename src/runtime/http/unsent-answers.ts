import type { Socket } from 'node:net';
import { Shares } from '../async/shares.ts';
import { networkOf } from './caller-key.ts';

/** Bytes that are not worth watching: the buffers of connections hold as many. */
export const FEW_UNSENT = 262_144;

/** What the answers may come to that clients have not taken yet; a client beyond its share loses its connection. */
const MAX_UNSENT_BYTES = 128 * 2 ** 20;

/** How long a client may take nothing of its answer. */
const STALL_MS = 30_000;

const unsent = new Shares(MAX_UNSENT_BYTES);

/**
 * Bounds what clients that read slowly, or not at all, make the server keep of their answers.
 * Called after an answer was written, unless few bytes are left of it.
 */
export function boundUnsent(socket: Socket): void {
  const taken = unsent.take(networkOf(socket.remoteAddress ?? ''), socket.writableLength);
  const end = (): void => void socket.destroy();
  if (!taken) {
    end();
    return;
  }
  const settle = (): void => {
    taken();
    socket.off('drain', settle).off('close', settle).off('timeout', end);
  };
  // It begins anew whenever something is sent.
  socket.setTimeout(STALL_MS, end).once('drain', settle).once('close', settle);
}
