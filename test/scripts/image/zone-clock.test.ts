import { describe, expect, it } from 'vitest';
import { ZoneClock } from '../../../scripts/image/zone-clock.ts';
import { Random } from '../../../src/tools/random.ts';

const FIELDS = {
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
  hour12: false,
} as const;
const ZONES = ['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC', 'Pacific/Apia'];
const HOUR_MS = 3_600_000;

describe('ZoneClock', () => {
  it.each(ZONES)('has the same time as Intl.DateTimeFormat in %s', (timeZone) => {
    const random = new Random(7);
    const options = { timeZone, ...FIELDS };
    const [clock, format] = [new ZoneClock('en-US', options), new Intl.DateTimeFormat('en-US', options)];
    const numbersOf = (parts: readonly { readonly type: string; readonly value: string }[]) =>
      Object.fromEntries(
        parts
          .filter(({ type }) => type in FIELDS)
          .map(({ type, value }) => [type, Number(value) % (type === 'hour' ? 24 : Infinity)]),
      );
    const autumn = Date.parse('2026-10-24T12:00:00Z');
    const times = [
      ...Array.from({ length: 48 }, (_, hour) => autumn + hour * HOUR_MS),
      ...Array.from({ length: 200 }, () => random.integer(Date.UTC(1900, 0), Date.UTC(2100, 0))),
      Date.parse('-000001-06-15T12:00:00Z'),
    ];
    for (const time of times) {
      const date = new Date(time);
      expect(numbersOf(clock.formatToParts(date)), date.toISOString()).toEqual(numbersOf(format.formatToParts(date)));
    }
  });

  it('refuses unknown zones and times', () => {
    expect(() => new ZoneClock('en-US', { timeZone: 'Europe/Nowhere' })).toThrow(RangeError);
    const clock = new ZoneClock('en-US', { timeZone: 'UTC' });
    expect(() => clock.formatToParts(new Date(Number.NaN))).toThrow(RangeError);
  });
});
