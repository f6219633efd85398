import type { ServerResponse } from 'node:http';
import { networkOf } from '../async/caller-key.ts';
import { Shares } from '../async/shares.ts';
import type { Pipeline } from './pipeline.ts';

/** Bytes that are not worth watching: the buffers of connections hold as many. */
const FEW_UNSENT = 262_144;

/** The same of each answer behind others, of which there may be many. */
const FEW_WAITING = 16_384;

/** What the answers may come to that clients have not taken yet; a client beyond its share loses its connection. */
const MAX_UNSENT_BYTES = 128 * 2 ** 20;

/** How long a client may take nothing of its answers. */
export const STALL_MS = 30_000;

let unsent = new Shares(MAX_UNSENT_BYTES);

/** Says that this process divides them with others. */
export function divideUnsent(workers: number): void {
  unsent = new Shares(MAX_UNSENT_BYTES / workers);
}

/**
 * Bounds what clients that read slowly, or not at all, make the server keep of their answers, those behind others included.
 * Called after an answer was given of which something is left; `bytes`: of all of it.
 */
export function boundUnsent(response: ServerResponse, pipeline: Pipeline | undefined, bytes: number): void {
  if (response.writableLength <= (response.socket ? FEW_UNSENT : FEW_WAITING)) return;
  const { socket } = response.req;
  const taken = unsent.take(networkOf(socket.remoteAddress ?? ''), bytes);
  const end = (): void => void socket.destroy();
  if (!taken || !pipeline) {
    end();
    return;
  }
  pipeline.unsent++;
  response.once('close', () => {
    taken();
    pipeline.unsent--;
    socket.off('timeout', end);
  });
  // It begins anew whenever something is sent.
  socket.setTimeout(STALL_MS, end);
}
