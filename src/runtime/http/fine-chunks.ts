import type { IncomingMessage } from 'node:http';

/** So many chunks may be of any size. */
const FREE_CHUNKS = 1_000;

/** Bytes that the others must have in the mean: each costs as much as many bytes. */
const MIN_CHUNK_BYTES = 64;

/** Takes nothing more of a chunked body once that comes in far more chunks than it needs, and then calls `refuse`. */
export function refuseFineChunks(request: IncomingMessage, refuse: () => void): void {
  let [chunks, bytes, isRefused] = [0, 0, false];
  const isTooFine = (part: Buffer | null): boolean => {
    if (isRefused || part === null) return isRefused;
    chunks++;
    bytes += part.length;
    isRefused = bytes < (chunks - FREE_CHUNKS) * MIN_CHUNK_BYTES;
    if (isRefused) refuse();
    return isRefused;
  };
  const { push } = request;
  // Node calls it for each chunk, and with null at the end.
  request.push = (part: Buffer | null): boolean => isTooFine(part) || push.call(request, part);
}
