import type { Random } from './random.ts';

/** A UUID of version 7 (RFC 9562, 5.7) for a moment in milliseconds since the epoch. */
export function uuidAt(timeMs: number, random: Random): string {
  const time = timeMs.toString(16).padStart(12, '0');
  const low = `7${hex(random, 3)}-${(8 + random.integer(0, 3)).toString(16)}${hex(random, 3)}`;
  return `${time.slice(0, 8)}-${time.slice(8)}-${low}-${hex(random, 6)}${hex(random, 6)}`;
}

function hex(random: Random, digits: number): string {
  return random
    .integer(0, 16 ** digits - 1)
    .toString(16)
    .padStart(digits, '0');
}
