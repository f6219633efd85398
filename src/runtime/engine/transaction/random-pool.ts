import { randomFillSync } from 'node:crypto';

/** Random bytes that are made together: a call costs much more than its bytes. */
const POOL_BYTES = 4_096;

/** Makes a source of as many random bytes each time; what it returns is valid until its next call. */
export function randomBytesOf(length: number): () => Buffer {
  const pool = Buffer.alloc(POOL_BYTES - (POOL_BYTES % length));
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += length;
    return pool.subarray(used - length, used);
  };
}
