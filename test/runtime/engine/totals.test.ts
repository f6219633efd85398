import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { load } from '../../../src/tools/sample.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';
import type { Json } from '../../support/storefront.ts';

type Row = Readonly<Record<string, unknown>>;

const STATES = ['REQUESTED', 'CONFIRMED', 'DONE'];
const ZONES = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'Pacific/Apia', 'Asia/Kolkata'];
const PERIODS = ['Hour', 'Day', 'Week', 'Month', 'Quarter', 'Year'];
/** Around the ends of summer time, of years, and of the day that Samoa left out. */
const INSTANTS = ['2026-10-25T00:30:00Z', '2026-03-29T01:30:00Z', '2025-12-31T23:45:00Z', '2011-12-30T10:00:00Z'];

const timeNear = fc
  .tuple(fc.constantFrom(...INSTANTS), fc.integer({ min: -40_000_000, max: 40_000_000 }))
  .map(([instant, ms]) => new Date(Date.parse(instant) + ms).toISOString());
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 4, nil: undefined });
const decimal = fc
  .tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.integer({ min: 0, max: 4 }))
  .map(([units, scale]) => {
    const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
    return `${units < 0n ? '-' : ''}${scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`}`;
  });
const booking = fc.record({
  observerId: fc.constantFrom('ann', 'Bob', 'zoë', '🔭'),
  seats: fc.integer({ min: 1, max: 8 }),
  isNight: fc.boolean(),
  startsAt: optional(timeNear),
  fee: optional(fc.oneof(decimal, fc.constantFrom('1.5', '1.50', '-0.000001', '0'))),
  photons: optional(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)),
  charged: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  state: fc.constantFrom(...STATES),
  createdAt: timeNear,
});
const GROUPS = [
  'observerId',
  'seats',
  'isNight',
  'photons',
  'state',
  ...PERIODS.flatMap((period) => [`startsAt${period}`, `createdAt${period}`]),
];
const NUMBERS = ['seats', 'charged', 'photons', 'fee'];
const MEASURES = [
  'count',
  ...NUMBERS.flatMap((name) => [`${name}Sum`, `${name}Avg`, `${name}Min`, `${name}Max`]),
  ...['observerId', 'seats', 'isNight', 'startsAt', 'photons'].map((name) => `${name}Distinct`),
  ...['startsAtMin', 'startsAtMax', 'createdAtMin'],
];
const question = fc
  .record({
    groupBy: fc.uniqueArray(fc.constantFrom(...GROUPS), { maxLength: 3 }),
    measures: fc.uniqueArray(fc.constantFrom(...MEASURES), { minLength: 1, maxLength: 5 }),
    timeZone: fc.constantFrom(...ZONES),
    limit: fc.constantFrom(1, 5, 10_000),
  })
  .chain((asked) =>
    fc
      .uniqueArray(fc.constantFrom(...asked.groupBy, ...asked.measures, 'feeSum', 'chargedAvg'), { maxLength: 3 })
      .chain((names) => fc.tuple(...names.map((name) => fc.constantFrom(name, `-${name}`))))
      .map((sort) => ({ ...asked, sort: sort as string[] })),
  );

interface Fraction {
  readonly over: bigint;
  readonly under: bigint;
}

function fractionOf(text: string): Fraction {
  const [whole, part = ''] = text.split('.');
  return { over: BigInt(`${whole}${part}`), under: 10n ** BigInt(part.length) };
}
const plus = (one: Fraction, other: Fraction): Fraction => ({
  over: one.over * other.under + other.over * one.under,
  under: one.under * other.under,
});
const isLess = (one: Fraction, other: Fraction): boolean => one.over * other.under < other.over * one.under;

/** Rounded half away from zero. */
function rounded({ over, under }: Fraction, scale: number): string {
  const [size, sign] = over < 0n ? [-over, '-'] : [over, ''];
  const units = (size * 10n ** BigInt(scale) * 2n + under) / (under * 2n);
  const digits = String(units).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  return units === 0n ? text : sign + text;
}

function begun(time: string, period: string, zone: string): string {
  const local = Temporal.Instant.from(time).toZonedDateTimeISO(zone);
  const day = local.toPlainDate();
  switch (period) {
    case 'Hour': {
      const sinceHour = { minutes: local.minute, seconds: local.second, milliseconds: local.millisecond };
      return new Date(local.toInstant().subtract(sinceHour).epochMilliseconds).toISOString();
    }
    case 'Day':
      return day.toString();
    case 'Week':
      return day.subtract({ days: day.dayOfWeek - 1 }).toString();
    case 'Month':
      return day.with({ day: 1 }).toString();
    case 'Quarter':
      return day.with({ month: day.month - ((day.month - 1) % 3), day: 1 }).toString();
    default:
      return day.with({ month: 1, day: 1 }).toString();
  }
}

function groupValue(row: Row, name: string, zone: string): unknown {
  const period = PERIODS.find((one) => name.endsWith(one));
  if (!period) return row[name] ?? null;
  const time = row[name.slice(0, -period.length)];
  return time === undefined ? null : begun(time as string, period, zone);
}

function measureValue(rows: readonly Row[], name: string): unknown {
  if (name === 'count') return rows.length;
  const [, property, of] = /^(.*)(Sum|Avg|Min|Max|Distinct)$/.exec(name)!;
  const values = rows.map((row) => row[property!]).filter((value) => value !== undefined);
  if (of === 'Distinct') return new Set(values).size;
  if (values.length === 0) return null;
  if (!NUMBERS.includes(property!)) return values.sort()[of === 'Min' ? 0 : values.length - 1];
  const texts = values.map(String);
  const sum = texts.map(fractionOf).reduce(plus);
  const scale = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0));
  if (of === 'Sum') return rounded(sum, scale);
  if (of === 'Avg') return rounded({ ...sum, under: sum.under * BigInt(texts.length) }, 6).replace(/\.?0+$/, '');
  const first = texts.reduce((one, other) => {
    const [a, b] = [fractionOf(one), fractionOf(other)];
    if (isLess(a, b)) return of === 'Min' ? one : other;
    if (isLess(b, a)) return of === 'Min' ? other : one;
    return one < other ? one : other;
  });
  return property === 'seats' || property === 'charged' ? Number(first) : first;
}

/** Null is lowest; texts come by code point, digits by what they are worth. */
function compared(name: string, one: unknown, other: unknown): number {
  if (one === other) return 0;
  if (one === null) return -1;
  if (other === null) return 1;
  if (typeof one === 'string' && (/(?:Sum|Avg)$/.test(name) || /^(?:fee|photons)(?:Min|Max)?$/.test(name))) {
    const [a, b] = [fractionOf(one), fractionOf(other as string)];
    return isLess(a, b) ? -1 : isLess(b, a) ? 1 : 0;
  }
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(other as string));
  return Number(one) - Number(other);
}

function expected(rows: readonly Row[], { groupBy, measures, sort, limit, timeZone }: Json): readonly Row[] {
  const groups = new Map<string, { values: unknown[]; rows: Row[] }>();
  if (groupBy.length === 0) groups.set('[]', { values: [], rows: [...rows] });
  else
    for (const row of rows) {
      const values = groupBy.map((name: string) => groupValue(row, name, timeZone));
      const key = JSON.stringify(values);
      groups.set(key, { values, rows: [...(groups.get(key)?.rows ?? []), row] });
    }
  const names: string[] = [...groupBy, ...measures, 'feeSum', 'chargedAvg'];
  const all = [...groups.values()].map(({ values, rows: own }) =>
    Object.fromEntries(names.map((name, i) => [name, i < values.length ? values[i] : measureValue(own, name)])),
  );
  const keys = [...sort, ...groupBy] as string[];
  const sorted = all.sort((one, other) => {
    for (const key of keys) {
      const name = key.replace('-', '');
      const by = compared(name, one[name], other[name]);
      if (by !== 0) return key.startsWith('-') ? -by : by;
    }
    return 0;
  });
  const asked = new Set([...groupBy, ...measures]);
  return sorted
    .slice(0, limit)
    .map((one) => Object.fromEntries(Object.entries(one).filter(([name]) => asked.has(name))));
}

describe.each(databases)('totals on $name', (database) => {
  let service: Service;
  let ask: (context: Json) => Promise<unknown>;
  let answer: unknown;

  beforeAll(async () => {
    const overrides = {
      bookings: {
        async list(query: Json, context: Json, next: (query: Json) => Promise<Json>) {
          answer = await ask(context).catch((error: unknown) => error);
          return next(query);
        },
      },
    };
    service = await startService('observatory', database, { overrides } as never, { allowMissing: true });
  });
  afterAll(() => service.close());

  async function asked(question: (store: Json, asCaller: Json) => Promise<unknown>): Promise<Json> {
    ask = ({ store, asCaller }) => question(store, asCaller);
    await service.request('GET', '/v1/bookings', { as: { sub: 'ann', scope: 'bookings:read bookings:admin' } });
    return answer;
  }

  async function filled(rows: readonly Row[]): Promise<void> {
    const { properties } = service.contract.resources.find(({ key }) => key === 'bookings')!;
    const at = properties.findIndex(({ name }) => name === 'id');
    const order = [{ property: 'id', direction: 'asc' }] as const;
    const old = await service.store.list({ resource: 'bookings', conditions: [], order, limit: 20_000 });
    const ids = old.map((row) => row[at] as string);
    await service.store.transaction((transaction) => transaction.deleteEach('bookings', ids));
    const values = rows.map((row) => ({ id: randomUUID(), version: 1, updatedAt: row['createdAt'], ...row }));
    await load(
      service.store,
      service.contract.resources,
      values.map((one) => ({ resource: 'bookings', values: one })),
    );
  }

  it('are those of the rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(booking, { maxLength: 25 }),
        fc.array(question, { minLength: 12, maxLength: 12 }),
        async (rows, questions) => {
          await filled(rows);
          for (const one of questions) {
            const { store } = { store: await asked((tables) => tables.bookings.totals({}, one)) };
            expect([one, store]).toEqual([one, expected(rows, one)]);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('are narrowed by values and filters', async () => {
    await filled([
      { observerId: 'ann', seats: 1, isNight: true, charged: 1, state: 'DONE', createdAt: '2026-01-01T00:00:00.000Z' },
      { observerId: 'bob', seats: 2, isNight: true, charged: 2, state: 'DONE', createdAt: '2026-01-01T00:00:00.000Z' },
      { observerId: 'bob', seats: 4, isNight: false, charged: 4, state: 'DONE', createdAt: '2026-01-01T00:00:00.000Z' },
    ]);
    const sum = (where: object, filter: object) =>
      asked((store) => store.bookings.totals(where, { measures: ['chargedSum'], filter }));
    expect(await sum({}, {})).toEqual([{ chargedSum: '7' }]);
    expect(await sum({ observerId: 'bob' }, {})).toEqual([{ chargedSum: '6' }]);
    expect(await sum({ observerId: 'bob' }, { seats: { gt: 2 } })).toEqual([{ chargedSum: '4' }]);
    expect(await sum({ observerId: ['ann', 'bob'] }, { not: { isNight: true } })).toEqual([{ chargedSum: '4' }]);
    expect(await sum({ observerId: 'zed' }, {})).toEqual([{ chargedSum: null }]);
    expect(await asked((store) => store.bookings.totals())).toEqual([{ count: 3 }]);
  });

  it('refuse names that are not there, twice there, or have no such value', async () => {
    const refused = async (options: object): Promise<string> =>
      (await asked((store) => store.bookings.totals({}, options))).message;
    expect(await refused({ groupBy: ['colour'] })).toBe('Totals of Booking have no group `colour`.');
    expect(await refused({ groupBy: ['fee'] })).toBe('Totals of Booking have no group `fee`.');
    expect(await refused({ groupBy: ['target'] })).toBe('Totals of Booking have no group `target`.');
    expect(await refused({ groupBy: ['stateMonth'] })).toBe('Totals of Booking have no group `stateMonth`.');
    expect(await refused({ measures: ['stateSum'] })).toBe('Totals of Booking have no measure `stateSum`.');
    expect(await refused({ measures: ['createdAtSum'] })).toBe('Totals of Booking have no measure `createdAtSum`.');
    expect(await refused({ sort: ['state'] })).toBe('Totals of Booking have no measure `state`.');
    expect(await refused({ groupBy: ['state', 'state'] })).toBe('Totals of Booking have `state` twice.');
    expect(await refused({ timeZone: 'Europe/Atlantis' })).toBe('`Europe/Atlantis` is not the name of a time zone.');
    expect(await refused({ timeZone: '+02:00' })).toBe('`+02:00` is not the name of a time zone.');
  });

  it('are refused beyond 10,000 groups', async () => {
    const createdAt = '2026-01-01T00:00:00.000Z';
    const rows = Array.from({ length: 10_001 }, (_, i) => ({
      ...{ observerId: `o${i}`, seats: 1, isNight: true, charged: i, state: 'DONE', createdAt },
    }));
    await filled(rows);
    const of = (options: object) =>
      asked((store) => store.bookings.totals({}, { groupBy: ['observerId'], ...options }));
    expect((await of({})).message).toMatch('Totals of Booking have more than 10000 groups.');
    expect(await of({ measures: [], sort: ['-chargedSum'], limit: 1 })).toEqual([{ observerId: 'o10000' }]);
    expect(await of({ limit: 10_000 })).toHaveLength(10_000);
  });
});
