import type { Random } from './random.ts';

/** A UUID of version 7 (RFC 9562, 5.7) for a moment in milliseconds since the epoch. */
export function uuidAt(timeMs: number, random: Random): string {
  const low = `7${hex(random, 3)}-${(8 + random.integer(0, 3)).toString(16)}${hex(random, 3)}`;
  return `${timeOf(timeMs)}-${low}-${hex(random, 6)}${hex(random, 6)}`;
}

/** The n-th UUID of version 7 for a moment: in ascending order, and the same each time. */
export const countedUuid = (timeMs: number, n: number): string =>
  `${timeOf(timeMs)}-7000-8000-${n.toString(16).padStart(12, '0')}`;

function timeOf(timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}

function hex(random: Random, digits: number): string {
  return random
    .integer(0, 16 ** digits - 1)
    .toString(16)
    .padStart(digits, '0');
}
