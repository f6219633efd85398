import { v7 } from 'uuid';
import { randomBytesOf } from './random-pool.ts';

/** UUIDv7 in ascending order (RFC 9562, 5.7). */
export function ascendingIds(): () => string {
  const random = randomBytesOf(16);
  let [msecs, seq] = [0, 0];
  return () => {
    const now = Date.now();
    const bytes = random();
    if (now > msecs) {
      msecs = now;
      seq = (((bytes[6]! & 0x7f) << 24) | (bytes[7]! << 16) | (bytes[8]! << 8) | bytes[9]!) >>> 0;
    } else seq = (seq + 1) | 0;
    return v7({ random: bytes, msecs, seq });
  };
}
