const FIRST_MS = 10_000;
const FACTOR = 3;
const MOST_MS = 12 * 3_600_000;
/** Jobs that have failed together are not tried again together. */
const SPREAD = 0.1;

/** How long a job waits after an attempt has failed: 10 s, 30 s, 90 s, up to 12 h. `random`: from 0 to 1. */
export function backoffMs(attempt: number, random: number): number {
  const ms = Math.min(MOST_MS, FIRST_MS * FACTOR ** (attempt - 1));
  return Math.round(ms * (1 + SPREAD * (2 * random - 1)));
}
