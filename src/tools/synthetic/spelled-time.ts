import type { Random } from '../random.ts';

const HOUR_MS = 3_600_000;

/** Ways to write a time that is given in UTC with milliseconds (RFC 3339, 5.6); all but the last two mean the same time. */
const SPELLINGS: readonly ((time: string) => string)[] = [
  (time) => time,
  (time) => time.toLowerCase(),
  (time) => time.replace('Z', '-00:00'),
  (time) => new Date(Date.parse(time) + 9 * HOUR_MS).toISOString().replace('Z', '+09:00'),
  (time) => time.replace('Z', '000Z'),
  (time) => time.replace('Z', '001Z'),
  (time) => time.replace('Z', '999999999z'),
];

/** A time as some client writes it, and perhaps a part of a millisecond later. */
export const spelledTime = (random: Random, time: string): string => random.pick(SPELLINGS)(time);
