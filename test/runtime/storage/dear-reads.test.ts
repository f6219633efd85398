import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { Lane } from '../../../src/runtime/storage/lane.ts';
import { TableSizes as PostgresSizes } from '../../../src/runtime/storage/postgres/table-sizes.ts';
import { TableSizes as SqliteSizes } from '../../../src/runtime/storage/sqlite/table-sizes.ts';
import type { Condition, OrderKey, Row } from '../../../src/runtime/storage/store.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';

const RATINGS = [1, 2, 3, 4, 5];
const products = resource('products', 'Product', [property('name')]);
const reviews: ResourceDescriptor = {
  ...resource('reviews', 'Review', [
    property('productId', { type: 'uuid', references: { resource: 'products', onDelete: 'cascade' } }),
    property('author'),
    property('rating', { type: 'integer' }),
    property('text'),
  ]),
  owner: { property: 'author', reads: 'anyone' },
  list: {
    defaultLimit: 20,
    maximumLimit: 100,
    filters: [{ parameter: 'rating', property: 'rating', shape: 'in', operators: ['in'] }],
    sorts: [{ value: 'rating', property: 'rating', direction: 'asc' }],
    defaultSort: [],
  },
};
const codecs = { products: createRowCodec(products.properties), reviews: createRowCodec(reviews.properties) };
const time = '2026-01-01T00:00:00.000Z';
const id = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const managed = (n: number) => ({ id: id(n), version: 1, createdAt: time, updatedAt: time });

/** More than are read where all others wait. */
const MANY = 1_100;
const [HEAVY, LIGHT, OTHER] = [id(1), id(2), id(3)];
const values = Array.from({ length: MANY + 40 }, (_, n) => ({
  ...managed(1_000 + n),
  productId: n < MANY ? HEAVY : n % 2 === 0 ? LIGHT : OTHER,
  author: n < MANY ? 'many' : `few ${n % 3}`,
  rating: RATINGS[(n * 7) % 5]!,
  text: `text ${n % 11}`,
}));
type Review = (typeof values)[number];

const of = (name: string, value: Condition extends infer C ? (C extends { value: infer V } ? V : never) : never) => ({
  property: name,
  operator: Array.isArray(value) ? ('in' as const) : ('eq' as const),
  value,
});
const good: Condition = { property: 'rating', operator: 'gte', value: 4 };
const spoken: Condition = { property: 'text', operator: 'contains', value: 'T 3' };
const byText: readonly OrderKey[] = [
  { property: 'text', direction: 'desc' },
  { property: 'id', direction: 'asc' },
];
const byId: readonly OrderKey[] = [{ property: 'id', direction: 'asc' }];
const idsOf = (rows: readonly Row[]) => rows.map(([one]) => one);
const expected = (isIt: (review: Review) => boolean, order = byText) => {
  const found = values.filter(isIt);
  const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  if (order === byText) found.sort((a, b) => compare(b.text, a.text) || compare(a.id, b.id));
  return found.map((one) => one.id);
};
const isGood = ({ rating }: Review): boolean => rating >= 4;

const lane = vi.spyOn(Lane.prototype, 'run');
const small = [SqliteSizes, PostgresSizes].map((sizes) => vi.spyOn(sizes.prototype, 'isSmall').mockReturnValue(false));
afterAll(() => {
  for (const one of [lane, ...small]) one.mockRestore();
});

describe.each(databases)('reads of a large table, on $name,', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open([products, reviews]);
    await database.store.transaction(async (transaction) => {
      for (const n of [1, 2, 3])
        await transaction.insert('products', codecs.products.toRow({ ...managed(n), name: 'x' }));
      await transaction.insertAll(
        'reviews',
        values.map((one) => codecs.reviews.toRow(one)),
      );
    });
  });
  beforeEach(() => void lane.mockClear());
  afterAll(() => database.close());

  const list = async (conditions: readonly Condition[], order = byText, limit = 30) =>
    idsOf(await database.store.list({ resource: 'reviews', conditions, order, limit }));
  const dear = () => lane.mock.calls.length;

  it.each([
    ['a reference', of('productId', LIGHT), ({ productId }: Review) => productId === LIGHT],
    ['one of several references', of('productId', [LIGHT, OTHER]), ({ productId }: Review) => productId !== HEAVY],
    ['an owner', of('author', 'few 1'), ({ author }: Review) => author === 'few 1'],
  ])('are cheap by %s that few rows have, whatever else is asked', async (_what, lead, isIt) => {
    expect(await list([lead, good])).toEqual(expected((one) => isIt(one) && isGood(one)).slice(0, 30));
    expect(await list([spoken, lead])).toEqual(expected((one) => isIt(one) && one.text === 'text 3').slice(0, 30));
    expect(await database.store.count('reviews', [good, lead])).toBe(values.filter((o) => isIt(o) && isGood(o)).length);
    expect(await database.store.count('reviews', [lead], 3)).toBe(3);
    expect(dear()).toBe(0);
  });

  it('go on behind a position', async () => {
    const conditions = [of('productId', LIGHT), good];
    const whole = await list(conditions);
    const after = [values.find((one) => one.id === whole[2])!.text, whole[2]!];
    const rest = await database.store.list({ resource: 'reviews', conditions, order: byText, limit: 3, after });
    expect([idsOf(rest), dear()]).toEqual([whole.slice(3, 6), 0]);
  });

  it.each([
    ['a reference', of('productId', HEAVY), ({ productId }: Review) => productId === HEAVY],
    ['one of several references', of('productId', [HEAVY, LIGHT]), ({ productId }: Review) => productId !== OTHER],
    ['an owner', of('author', 'many'), ({ author }: Review) => author === 'many'],
  ])('run apart from others by %s that many have, unless an index has their order', async (_what, lead, isIt) => {
    expect(await list([lead, good])).toEqual(expected((one) => isIt(one) && isGood(one)).slice(0, 30));
    expect(await database.store.count('reviews', [lead])).toBe(values.filter(isIt).length);
    expect(dear()).toBe(2);
    if (Array.isArray(lead.value)) return;
    expect(await list([lead], byId)).toEqual(expected(isIt, byId).slice(0, 30));
    expect(await database.store.count('reviews', [lead], 50)).toBe(50);
    expect(dear()).toBe(2);
  });

  it('are cheap by one of two that few have', async () => {
    expect(await list([of('productId', HEAVY), of('author', 'few 1'), good])).toEqual([]);
    expect(dear()).toBe(0);
  });

  it('run apart from others by one of more values than a statement lists', async () => {
    const many = [...Array.from({ length: 40 }, (_, n) => id(5_000 + n)), OTHER];
    expect(await list([of('productId', many)])).toEqual(expected(({ productId }) => productId === OTHER).slice(0, 30));
    expect(dear()).toBe(1);
  });

  it('are cheap by a key, and in the order of an index', async () => {
    const order = [{ property: 'rating', direction: 'asc' }, ...byId] as const;
    expect(await list([good], order, 1)).toHaveLength(1);
    expect(await list([of('id', [id(1_001), id(1_002)])])).toHaveLength(2);
    expect(dear()).toBe(0);
    await list([good]);
    expect(dear()).toBe(1);
  });

  const group = (ids: readonly string[], conditions: readonly Condition[], order = byText) => ({
    ...{ resource: 'reviews', property: 'productId', values: ids, conditions, order, limit: 5 },
  });
  const ofEach = (ids: readonly string[]) =>
    ids.map((one) => expected((review) => review.productId === one && isGood(review)).slice(0, 5));

  it('of several lists at once are cheap where few rows are in all of them', async () => {
    const ids = [LIGHT, id(9), OTHER];
    expect((await database.store.listEach(group(ids, [good]))).map((rows) => idsOf(rows.map((row) => row)))).toEqual(
      ofEach(ids),
    );
    const counted = ids.map((one) => values.filter((review) => review.productId === one && isGood(review)).length);
    expect(await database.store.countEach(group(ids, [good]))).toEqual(counted);
    expect(dear()).toBe(0);
  });

  it('of several lists at once run apart from others where many are, unless an index has their order', async () => {
    const ids = [HEAVY, LIGHT];
    expect((await database.store.listEach(group(ids, [good]))).map(idsOf)).toEqual(ofEach(ids));
    const counted = ids.map((one) => values.filter((review) => review.productId === one && isGood(review)).length);
    expect(await database.store.countEach(group(ids, [good]))).toEqual(counted);
    expect(dear()).toBe(2);
    const first = ids.map((one) => expected(({ productId }) => productId === one, byId).slice(0, 5));
    expect((await database.store.listEach(group(ids, [], byId))).map(idsOf)).toEqual(first);
    expect(await database.store.countEach({ ...group(ids, []), most: 7 })).toEqual([7, 7]);
    expect(dear()).toBe(2);
  });

  const reviewed = (...conditions: Condition[]): Condition => ({
    ...{
      kind: 'related',
      property: 'id',
      resource: 'reviews',
      relatedProperty: 'productId',
      conditions,
      isNone: false,
    },
  });

  it('of given rows run apart from others where no index leads to what is related to them', async () => {
    const { store } = database;
    const seen = async (condition: Condition) => [
      (await store.getEach('products', [LIGHT, id(9)], [condition])).length,
      (await store.get('products', LIGHT, [condition]))?.[0],
      (await store.meetEach('products', (await store.getEach('products', [OTHER])) ?? [], [condition]))[0],
    ];
    expect(await seen(reviewed())).toEqual([1, LIGHT, true]);
    expect(dear()).toBe(0);
    expect(await seen(reviewed(spoken))).toEqual([1, LIGHT, true]);
    expect(dear()).toBe(3);
  });
});
