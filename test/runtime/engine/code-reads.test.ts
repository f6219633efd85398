import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { databases } from '../../support/databases.ts';
import { type Observatory, openObservatory } from '../../support/observatory.ts';

/** More than one batch. */
const MANY = 1_203;

type Options = Readonly<Record<string, unknown>>;

/** What filters find of the five bookings, by the observers. */
const found: readonly (readonly [filter: Options, observers: string])[] = [
  [{}, 'abcde'],
  [{ seats: 2 }, 'bd'],
  [{ seats: [2, 8] }, 'bde'],
  [{ seats: { gte: 2, lt: 8 } }, 'bcd'],
  [{ seats: { in: [1, 3] } }, 'ac'],
  [{ seats: { eq: 3 } }, 'c'],
  [{ observerId: { contains: 'BO' } }, 'b'],
  [{ observerId: { gt: 'carl', lte: 'dora' } }, 'd'],
  [{ isNight: false }, 'bd'],
  [{ isNight: { in: [true] } }, 'ace'],
  [{ state: ['REQUESTED'] }, 'abcde'],
  [{ startsAt: { gte: '2026-02-01T00:00:00Z' } }, 'ce'],
  [{ startsAt: { lt: '2026-02-01T01:00:00+01:00' } }, 'ab'],
  [{ startsAt: null }, 'd'],
  [{ startsAt: { isNull: false }, seats: { gt: 2 } }, 'ce'],
  [{ photons: { gt: '9007199254740993' } }, 'c'],
  [{ fee: '10.50' }, 'a'],
  [{ target: { isNull: true } }, 'bcde'],
  [{ not: { seats: 2 } }, 'ace'],
  [{ or: [{ seats: 1 }, { observerId: 'dora' }] }, 'ad'],
  [{ and: [{ seats: { gt: 1 } }, { not: { or: [{ seats: 8 }, { isNight: false }] } }] }, 'c'],
  [{ telescope: { name: 'Hale' } }, 'ab'],
  [{ not: { telescope: { name: { contains: 'al' } } } }, 'cde'],
  [{ seats: undefined }, 'abcde'],
];

const bookings = [
  {
    observerId: 'anna',
    seats: 1,
    isNight: true,
    startsAt: '2026-01-01T00:00:00Z',
    fee: '10.50',
    target: { name: 'M31' },
  },
  { observerId: 'bob', seats: 2, isNight: false, startsAt: '2026-01-31T23:59:59.999Z' },
  { observerId: 'carl', seats: 3, isNight: true, startsAt: '2026-02-01T00:00:00Z', photons: '9007199254740994' },
  { observerId: 'dora', seats: 2, isNight: false, photons: '9007199254740993' },
  { observerId: 'eve', seats: 8, isNight: true, startsAt: '2026-03-01T00:00:00Z' },
];

describe.each(databases)('store.list, each and count on $name', (database) => {
  let observatory: Observatory;

  beforeAll(async () => {
    observatory = await openObservatory(database);
    await observatory.run(async ({ store }) => {
      const { id } = await store.telescopes.create({ name: 'Hale' });
      for (const [i, one] of bookings.entries())
        await store.bookings.create({ ...one, ...(i < 2 && { telescopeId: id }) });
      for (let i = 0; i < MANY; i++) await store.telescopes.create({ name: `made ${i}` });
    });
  });
  afterAll(() => observatory.close());

  const listed = (where?: Options, options?: Options): Promise<string> =>
    observatory.run(async ({ store }) => {
      const rows: readonly { readonly observerId: string }[] = await store.bookings.list(where, options);
      return rows.map(({ observerId }) => observerId[0]).join('');
    });
  const inOrder = (letters: string): string => [...letters].sort().join('');

  it.each(found)('find by %j', async (filter, observers) => {
    expect(inOrder(await listed({}, { filter }))).toBe(observers);
    const [count, each] = await observatory.run(async ({ store }) => {
      const names: string[] = [];
      for await (const { observerId } of store.bookings.each({}, { filter })) names.push(observerId[0]);
      return [await store.bookings.count({}, { filter }), names.join('')];
    });
    expect([count, inOrder(each)]).toEqual([observers.length, observers]);
  });

  it('join values and a filter', async () => {
    expect(inOrder(await listed({ seats: 2 }, { filter: { isNight: false } }))).toBe('bd');
    expect(await listed({ seats: 2, startsAt: null })).toBe('d');
    expect(await listed({ target: { name: 'M31' } })).toBe('a');
    expect(await listed({ seats: [] })).toBe('');
    expect(inOrder(await listed())).toBe('abcde');
  });

  it('sort by any property, also by those without a value, and stop at a limit', async () => {
    expect(await listed({}, { sort: ['-seats', 'observerId'] })).toBe('ecbda');
    expect(await listed({}, { sort: ['startsAt'] })).toBe('dabce');
    expect(await listed({}, { sort: ['-observerId'], limit: 2 })).toBe('ed');
    expect(await listed({}, { sort: ['seats', '-id'], limit: 3 })).toBe('adb');
    expect(await listed({}, { limit: 0 })).toBe('');
  });

  it('read all pages, in their order', async () => {
    const [all, sorted, limited, count, first] = await observatory.run(async ({ store }) => {
      const names: string[] = [];
      for await (const { name } of store.telescopes.each({}, { sort: ['-name'] })) names.push(name);
      let one: unknown;
      for await (one of store.telescopes.each()) break;
      const rows = await store.telescopes.list();
      const some = await store.telescopes.list({}, { sort: ['-id'], limit: 700 });
      const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id);
      return [idsOf(rows), names, idsOf(some), await store.telescopes.count(), one];
    });
    expect([all.length, count]).toEqual([MANY + 1, MANY + 1]);
    expect(new Set(sorted).size).toBe(MANY + 1);
    expect(sorted.slice(0, 3)).toEqual(['made 999', 'made 998', 'made 997']);
    // A transaction that Postgres repeats leaves gaps between ids.
    expect(all).toEqual(all.toSorted((a: number, b: number) => a - b));
    expect(limited).toEqual(all.toReversed().slice(0, 700));
    expect(first).toMatchObject({ id: all[0], name: 'Hale' });
  });

  it.each([
    ['a property that is not there', { filter: { seat: 1 } }, 'Booking has no property `seat`'],
    ['one that is not there to sort by', { sort: ['seat'] }, 'Booking has no property `seat`'],
    ['an operator that is not there', { filter: { seats: { above: 1 } } }, '`above` does not compare Booking.seats'],
    ['one that does not fit', { filter: { fee: { gt: '1' } } }, '`gt` does not compare Booking.fee, which is decimal'],
    ['an order that is not there', { sort: ['fee'] }, 'Booking.fee has no order'],
  ])('refuse %s', async (_, options, message) => {
    const thrown = await observatory.run(({ store }) =>
      store.bookings.list({}, options).catch((error: Error) => error.message),
    );
    expect(thrown).toContain(message);
  });
});

describe.each(databases)('more than 10,000 rows on $name', (database) => {
  let observatory: Observatory;

  beforeAll(async () => {
    observatory = await openObservatory(database);
    const { contract, store, now } = observatory.service;
    const { properties } = contract.resources.find(({ key }) => key === 'telescopes')!;
    const managed = { version: 1, createdAt: now, updatedAt: now };
    const rows = Array.from({ length: 10_001 }, (_, n) =>
      createRowCodec(properties).toRow({ ...managed, id: n + 1, name: `made ${n}` }),
    );
    await store.transaction((transaction) => transaction.insertAll('telescopes', rows));
  });
  afterAll(() => observatory.close());

  const listed = (options: Options) =>
    observatory.run<string | number>(({ store }) =>
      store.telescopes.list({}, options).then(
        (rows: readonly unknown[]) => rows.length,
        (error: Error) => error.message,
      ),
    );

  it('are no list, whose error says what to write instead', async () => {
    const message =
      'store.telescopes.list() finds more than 10000 rows. Count them by `store.telescopes.count(…)`, read them one by one by `for await (const row of store.telescopes.each(…))`, or list fewer: by a narrower filter, or a `limit`.';
    expect(await listed({})).toBe(message);
    expect(await listed({ limit: 20_000 })).toBe(message);
  });

  it('are counted, read one by one, and listed up to a limit', async () => {
    expect(await listed({ limit: 10_000 })).toBe(10_000);
    expect(await listed({ filter: { id: { gt: 1 } } })).toBe(10_000);
    const [count, read] = await observatory.run(async ({ store }) => {
      let rows = 0;
      for await (const _ of store.telescopes.each()) rows++;
      return [await store.telescopes.count(), rows];
    });
    expect([count, read]).toEqual([10_001, 10_001]);
  });

  it('let others have their turn between batches', async () => {
    let turns = 0;
    const isRead = { is: false };
    const count = (): void => {
      turns++;
      if (!isRead.is) setImmediate(count);
    };
    await observatory.run(async ({ store }) => {
      setImmediate(count);
      for await (const _ of store.telescopes.each());
      isRead.is = true;
    });
    expect(turns).toBeGreaterThanOrEqual(20);
  });
});
