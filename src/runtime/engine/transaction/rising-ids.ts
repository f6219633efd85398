import { v7 } from 'uuid';
import { ConfigError } from '../../../descriptor/config-error.ts';
import type { Store } from '../../storage/store.ts';
import { randomBytesOf } from './random-pool.ts';

/** For how long ids are reserved: as often, a change waits until more are. */
const AHEAD_MS = 60_000;
/** A clock that is further behind is more likely wrong than the mark. */
const MAX_BEHIND_MS = 24 * 3_600_000;
const COUNTS = 2 ** 32;

export type RisingIds = Awaited<ReturnType<typeof openRisingIds>>;

/**
 * Ids that rise: UUIDv7 (RFC 9562, 5.7) of a time that never falls, whatever the clock does, and a count within a
 * millisecond. A mark in the database is above the time of all ids, so that the next start begins above them. Throws
 * `ConfigError` when the clock is more than a day behind the mark.
 */
export async function openRisingIds(store: Pick<Store, 'clockMark'>, clock: () => number) {
  const first = await store.clockMark();
  if (first - clock() > MAX_BEHIND_MS) throw isBehind(new Date(clock()), new Date(first));
  const random = randomBytesOf(16);
  let [limit, time, count] = [first, 0, 0];
  let raising: Promise<void> | undefined;
  const raise = async (to: number): Promise<void> => {
    try {
      await store.clockMark(to);
      limit = to;
    } finally {
      raising = undefined;
    }
  };
  return {
    /** To be called before a change, which may make ids; undefined when there is nothing to wait for. */
    reserve(): Promise<void> | undefined {
      const present = Math.max(clock(), first);
      if (present < limit) return undefined;
      // While the clock is behind, ids keep the time of the start: many starts hardly move the mark.
      raising ??= raise(clock() < first ? first + 1 : present + AHEAD_MS);
      return raising;
    },
    next(): string {
      const present = Math.min(Math.max(clock(), first), limit - 1);
      const bytes = random();
      count = present > time ? bytes.readUInt32BE() >>> 1 : (count + 1) % COUNTS;
      time = Math.max(present, count === 0 ? time + 1 : time);
      return v7({ random: bytes, msecs: time, seq: count });
    },
  };
}

const isBehind = (now: Date, mark: Date): ConfigError =>
  new ConfigError([
    `The clock of this machine (${now.toISOString()}) is more than a day behind the ids that were made before (${mark.toISOString()}).`,
    'Set it right. If it was ahead then, let ids begin anew at the present time: npm run migrate -- --reset-clock',
  ]);
