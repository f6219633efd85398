import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import type { Condition, Row } from '../../../src/runtime/storage/store.ts';
import { StoreError } from '../../../src/runtime/storage/store-error.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';

const optional = { nullable: true, required: false } as const;
const things = {
  ...resource('things', 'Thing', [
    property('code'),
    property('rank', { type: 'integer' }),
    property('day', { type: 'date', ...optional }),
    property('seenAt', { type: 'date-time', ...optional }),
    property('weight', { type: 'number', ...optional }),
    property('price', { type: 'decimal', ...optional }),
    property('big', { type: 'int64', ...optional }),
    property('isOpen', { type: 'boolean', ...optional }),
    property('data', { type: 'json', ...optional }),
    property('ownerId', { type: 'uuid', ...optional, references: { resource: 'things', onDelete: 'restrict' } }),
  ]),
  unique: [['code']],
};
const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const thing = (n: number, values: object = {}): Row =>
  codec.toRow({ id: id(n), version: 1, createdAt: time, updatedAt: time, code: `c${n}`, rank: n, ...values });
const equals = (name: string, value: string): Condition => ({ property: name, operator: 'eq', value });

describe.each(databases)('a transaction on $name', ({ open }) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open([things]);
  });
  afterEach(() => database.close());

  const insert = (row: Row) => database.store.transaction((transaction) => transaction.insert('things', row));
  const ids = async (): Promise<unknown[]> => {
    const order = [{ property: 'id', direction: 'asc' }] as const;
    const rows = await database.store.list({ resource: 'things', conditions: [], order, limit: 100 });
    return rows.map((row) => row[0]);
  };

  it('that is serial continues after a refused write', async () => {
    await insert(thing(1));
    await database.store.transaction(async (transaction) => {
      await transaction.insert('things', thing(2));
      await expect(async () => transaction.insert('things', thing(3, { code: 'c1' }))).rejects.toMatchObject({
        failure: { kind: 'unique', properties: ['code'] },
      });
      expect(await transaction.get('things', id(2))).toBeDefined();
      await transaction.insert('things', thing(4));
    }, 'serial');
    expect(await ids()).toEqual([id(1), id(2), id(4)]);
  });

  it('reports why a write was refused, and leaves nothing behind', async () => {
    await insert(thing(1));
    const refused = database.store.transaction(async (transaction) => {
      await transaction.insert('things', thing(2));
      await expect(async () => transaction.insert('things', thing(3, { code: 'c1' }))).rejects.toBeInstanceOf(
        StoreError,
      );
      const order = [{ property: 'id', direction: 'asc' }] as const;
      const conditions = [{ property: 'code', operator: 'eq', value: 'c1' }] as const;
      const [other] = await transaction.list({ resource: 'things', conditions, order, limit: 1 });
      expect(await transaction.unlocked.get('things', other![0] as string)).toEqual(other);
      throw new Error('as the engine does');
    });
    await expect(refused).rejects.toThrow('as the engine does');
    expect(await ids()).toEqual([id(1)]);
  });

  it('that is serial accepts concurrent writes, some of which are refused', async () => {
    const settled = await database.store.transaction(
      (transaction) =>
        Promise.allSettled(
          [1, 2, 3, 4, 5].map(async (n) => transaction.insert('things', thing(n, { code: `c${n % 4}` }))),
        ),
      'serial',
    );
    expect(settled.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'fulfilled',
      'rejected',
    ]);
    expect(await ids()).toEqual([1, 2, 3, 4].map(id));
  });

  it('that is serial has the same result as if it ran alone', async () => {
    const insertUpTo = (limit: number, n: number) =>
      database.store.transaction(async (transaction) => {
        if ((await transaction.count('things', [])) < limit) await transaction.insert('things', thing(n));
      }, 'serial');
    await Promise.all(Array.from({ length: 12 }, (_, n) => insertUpTo(3, n)));
    expect(await ids()).toHaveLength(3);
  });

  it('locks the rows that it has read', async () => {
    await insert(thing(0));
    const rank = things.properties.findIndex(({ name }) => name === 'rank');
    const increment = () =>
      database.store.transaction(async (transaction) => {
        const row = (await transaction.get('things', id(0)))!;
        await transaction.update('things', row.with(rank, (row[rank] as number) + 1), ['rank']);
      });
    await Promise.all(Array.from({ length: 40 }, increment));
    expect((await database.store.get('things', id(0)))![rank]).toBe(40);
  });

  it('lets only one claim a key', async () => {
    const taken = await database.store.transaction(async (transaction) => {
      expect(await transaction.claim('key')).toBe(true);
      return transaction.claim('other');
    });
    expect(taken).toBe(true);
  });

  it.each([
    { day: '0000-02-29', seenAt: '0000-01-01T00:00:00.000Z' },
    { day: '9999-12-31', seenAt: '9999-12-31T23:59:59.999Z' },
    { day: '2026-01-15', seenAt: '2026-01-15T12:00:00.120Z' },
    { weight: 5e-324, price: '-0.50', big: '-9223372036854775808' },
    { weight: 1.7976931348623157e308, price: '123456789012345678901234567890.10', big: '9223372036854775807' },
    { weight: 0.1, isOpen: true, data: { text: '"\\\u2028\u{1F600}', n: [1e21, -1.5, null, {}], '': false } },
    { isOpen: false, data: 'text', code: "it's; --" },
  ])('keeps %j as it is', async (values) => {
    const row = thing(1, values);
    const kept = await insert(row);
    expect(codec.toValues(kept)).toEqual(codec.toValues(row));
    expect(await database.store.get('things', id(1))).toEqual(kept);
    for (const [name, value] of Object.entries(values)) {
      if (name === 'data' || name === 'weight') continue;
      const stored = typeof value === 'boolean' ? String(Number(value)) : String(value);
      expect(await database.store.count('things', [equals(name, stored)])).toBe(1);
    }
  });

  it('distinguishes 1.5 from 1.50, because decimals are text', async () => {
    await insert(thing(1, { price: '1.50' }));
    expect(await database.store.count('things', [equals('price', '1.5')])).toBe(0);
    const both: Condition = { property: 'price', operator: 'in', value: ['1.5', '1.50'] };
    expect(await database.store.count('things', [both])).toBe(1);
  });

  it('finds nothing by an id that is not a UUID, and refuses a reference to it', async () => {
    await insert(thing(1));
    expect(await database.store.get('things', 'nothing')).toBeUndefined();
    expect(await database.store.getEach('things', ['nothing', id(1)])).toHaveLength(1);
    expect(await database.store.count('things', [equals('ownerId', "x'")])).toBe(0);
    const groups = { resource: 'things', property: 'ownerId', values: ['x', id(1)], conditions: [] };
    expect(await database.store.countEach(groups)).toEqual([0, 0]);
    await expect(insert(thing(2, { ownerId: 'nobody' }))).rejects.toMatchObject({ failure: { kind: 'reference' } });
  });

  it('sorts text by code point, capitals before small letters and accents last', async () => {
    const words = ['b', 'a', 'B', 'Z', 'ä', '_', '1', '\u{1F600}', '\uFF21'];
    for (const [n, code] of words.entries()) await insert(thing(n, { code }));
    const order = [
      { property: 'code', direction: 'asc' },
      { property: 'id', direction: 'asc' },
    ] as const;
    const rows = await database.store.list({ resource: 'things', conditions: [], order, limit: 100 });
    const at = things.properties.findIndex(({ name }) => name === 'code');
    expect(rows.map((row) => row[at])).toEqual(['1', 'B', 'Z', '_', 'a', 'b', 'ä', '\uFF21', '\u{1F600}']);
  });
});
