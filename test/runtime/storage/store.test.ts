import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import type { OrderKey, Row, StoredValue } from '../../../src/runtime/storage/store.ts';
import { StoreError } from '../../../src/runtime/storage/store-error.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';

const things = {
  ...resource('things', 'Thing', [
    property('rank', { type: 'integer' }),
    property('group', { nullable: true, required: false }),
    property('big', { type: 'int64' }),
    property('code'),
    property('ownerId', {
      type: 'uuid',
      nullable: true,
      required: false,
      references: { resource: 'things', onDelete: 'restrict' },
    }),
  ]),
  unique: [['code']],
};

const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const thing = (n: number, values: object = {}): Row =>
  codec.toRow({
    id: id(n),
    version: 1,
    createdAt: time,
    updatedAt: time,
    rank: n % 5,
    group: n % 3 === 0 ? null : `g${n % 4}`,
    big: String(9007199254740993n + BigInt(n)),
    code: `c${n}`,
    ...values,
  });
const ranked = (row: Row, rank: number): Row => codec.toRow({ ...codec.toValues(row), rank });
const at = (row: Row, name: string): StoredValue => row[things.properties.findIndex((one) => one.name === name)]!;

describe.each(databases)('store on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open([things]);
    await database.store.transaction(async (transaction) => {
      for (let n = 0; n < 60; n++) await transaction.insert('things', thing(n));
    });
  });

  afterAll(() => database.close());

  async function pages(order: readonly OrderKey[], limit: number): Promise<Row[]> {
    const rows: Row[] = [];
    for (let last: Row | undefined; ; last = rows.at(-1)) {
      const after = last && order.map((key) => at(last!, key.property));
      const query = { resource: 'things', conditions: [], order, limit, ...(after && { after }) };
      const page = await database.store.list(query);
      rows.push(...page);
      if (page.length < limit) return rows;
    }
  }

  const compare = (order: readonly OrderKey[]) => (a: Row, b: Row) => {
    for (const { property: name, direction } of order) {
      const [x, y] = [at(a, name), at(b, name)];
      if (x === y) continue;
      const less = x === null || (y !== null && x < y);
      return less === (direction === 'asc') ? -1 : 1;
    }
    return 0;
  };

  const directions = ['asc', 'desc'] as const;
  const orders: OrderKey[][] = directions.flatMap((a) =>
    directions.flatMap((b) =>
      directions.flatMap((c) => [
        [
          { property: 'rank', direction: a },
          { property: 'id', direction: b },
        ],
        [
          { property: 'group', direction: a },
          { property: 'rank', direction: b },
          { property: 'id', direction: c },
        ],
        [
          { property: 'rank', direction: a },
          { property: 'group', direction: b },
          { property: 'id', direction: c },
        ],
      ]),
    ),
  );

  it.each(orders.map((order) => ({ order, name: order.map((key) => `${key.property} ${key.direction}`).join() })))(
    'pages by $name without a gap, a duplicate or a row out of order',
    async ({ order }) => {
      const expected = Array.from({ length: 60 }, (_, n) => thing(n)).sort(compare(order));
      expect((await pages(order, 7)).map((row) => at(row, 'id'))).toEqual(expected.map((row) => at(row, 'id')));
    },
  );

  it('keeps 64-bit integers exact', async () => {
    expect(at((await database.store.get('things', id(0)))!, 'big')).toBe('9007199254740993');
  });

  it.each([
    [{ property: 'rank', operator: 'gte', value: 3 }, 24],
    [{ property: 'rank', operator: 'lt', value: 1 }, 12],
    [{ property: 'rank', operator: 'in', value: [0, 4] }, 24],
    [{ property: 'rank', operator: 'in', value: [] }, 0],
    [{ property: 'group', operator: 'eq', value: null }, 20],
    [{ property: 'code', operator: 'contains', value: 'C5' }, 11],
    [{ property: 'code', operator: 'contains', value: '%' }, 0],
    [{ property: 'big', operator: 'gt', value: '9007199254741050' }, 2],
    [{ property: 'code', operator: 'eq', value: "' or 1=1 --" }, 0],
  ] as const)('counts the rows that meet %j: %i', async (condition, count) => {
    expect(await database.store.count('things', [condition])).toBe(count);
  });

  it('names the properties of a violated unique key', async () => {
    const insert = database.store.transaction((transaction) => transaction.insert('things', thing(99, { code: 'c1' })));
    await expect(insert).rejects.toMatchObject({ failure: { kind: 'unique', properties: ['code'] } });
  });

  it('refuses a dangling reference, and the deletion of a row that others refer to', async () => {
    const dangling = database.store.transaction((transaction) =>
      transaction.insert('things', thing(99, { ownerId: id(1000) })),
    );
    await expect(dangling).rejects.toBeInstanceOf(StoreError);
    await expect(
      database.store.transaction(async (transaction) => {
        await transaction.insert('things', thing(99, { ownerId: id(1) }));
        await transaction.delete('things', id(1));
      }),
    ).rejects.toMatchObject({ failure: { kind: 'reference' } });
  });

  it('shows no write of a transaction before it commits, and none after it failed', async () => {
    const failing = database.store.transaction(async (transaction) => {
      await transaction.insert('things', thing(70));
      expect(await transaction.get('things', id(70))).toBeDefined();
      expect(await database.store.get('things', id(70))).toBeUndefined();
      throw new Error('stop');
    });
    await expect(failing).rejects.toThrow('stop');
    expect(await database.store.get('things', id(70))).toBeUndefined();
  });

  it('runs transactions one after the other', async () => {
    const increment = () =>
      database.store.transaction(async (transaction) => {
        const row = (await transaction.get('things', id(2)))!;
        await Promise.resolve();
        await transaction.update('things', ranked(row, (at(row, 'rank') as number) + 1), ['rank']);
      });
    await Promise.all(Array.from({ length: 20 }, increment));
    expect(at((await database.store.get('things', id(2)))!, 'rank')).toBe(22);
    await database.store.transaction((transaction) => transaction.update('things', thing(2), ['rank']));
  });

  it('stores secrets', async () => {
    const secret = await database.store.secret('one');
    expect(await database.store.secret('one')).toEqual(secret);
    expect(await database.store.secret('two')).not.toEqual(secret);
  });
});
