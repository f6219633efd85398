import type { ZoneOffset } from '../../storage/store.ts';

/** The part of `Temporal` (TC39) that is used: the compiler that builds the package does not have its types. */
interface ZonedDateTime {
  readonly epochMilliseconds: number;
  readonly offsetNanoseconds: number;
  getTimeZoneTransition(direction: 'next'): ZonedDateTime | null;
}
declare const Temporal: {
  readonly Instant: {
    fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(timeZone: string): ZonedDateTime };
  };
};

/** The offset of UTC. */
export const UTC = 'UTC';

const YEAR_MS = 366 * 86_400_000;
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T00:00:00Z');

/** Whether Node knows a time zone by its IANA name. */
export function isTimeZone(name: string): boolean {
  // Offsets such as `+02:00` are accepted by Node, too, and name no zone.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * The offsets that hold in a time zone from one instant (RFC 3339) to another, and for a year around both: rows that are
 * written meanwhile have their own. None for UTC.
 */
export function zoneOffsets(timeZone: string, from: string, to: string): readonly ZoneOffset[] {
  if (timeZone === UTC) return [];
  const end = Math.min(Date.parse(to) + YEAR_MS, LATEST);
  const begin = Temporal.Instant.fromEpochMilliseconds(Math.max(Date.parse(from) - YEAR_MS, EARLIEST));
  const offsets: ZoneOffset[] = [];
  let at: ZonedDateTime | null = begin.toZonedDateTimeISO(timeZone);
  for (; at && at.epochMilliseconds < end; at = at.getTimeZoneTransition('next')) {
    const seconds = at.offsetNanoseconds / 1e9;
    if (seconds !== offsets.at(-1)?.seconds)
      offsets.push({ from: new Date(at.epochMilliseconds).toISOString(), seconds });
  }
  return offsets;
}
