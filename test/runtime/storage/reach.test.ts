import { describe, expect, it } from 'vitest';
import { tableOf } from '../../../src/descriptor/table.ts';
import { sqliteDialect } from '../../../src/runtime/storage/sqlite/sqlite-dialect.ts';
import { isCountBounded, isPageBounded } from '../../../src/runtime/storage/statements/reach.ts';
import { TableStatements } from '../../../src/runtime/storage/statements/table-statements.ts';
import type { Comparison, Condition, RowQuery } from '../../../src/runtime/storage/store.ts';
import { property, resource } from '../../support/descriptors.ts';

const table = tableOf({
  ...resource('parcels', 'Parcel', [
    property('state', { enum: ['NEW', 'OPEN'] }),
    property('ownerId'),
    property('name'),
    property('code'),
    property('weight', { type: 'integer' }),
  ]),
  owner: { property: 'ownerId', reads: 'anyone' },
  unique: [['code']],
  list: {
    defaultLimit: 20,
    maximumLimit: 100,
    filters: [
      { parameter: 'state', property: 'state', shape: 'in', operators: ['in'] },
      { parameter: 'name', property: 'name', shape: 'object', operators: ['contains'] },
      { parameter: 'weight', property: 'weight', shape: 'object', operators: ['gte'] },
    ],
    sorts: [
      { value: 'weight', property: 'weight', direction: 'asc' },
      { value: '-weight', property: 'weight', direction: 'desc' },
    ],
    defaultSort: [],
  },
});

const page = (conditions: readonly Condition[], ...order: RowQuery['order']): RowQuery => ({
  resource: 'parcels',
  conditions,
  order: order.length > 0 ? order : [{ property: 'id', direction: 'asc' }],
  limit: 21,
});
const by = (name: string, direction: 'asc' | 'desc' = 'asc') =>
  [
    { property: name, direction },
    { property: 'id', direction },
  ] as const;

const state: Condition = { property: 'state', operator: 'eq', value: 'OPEN' };
const states: Condition = { property: 'state', operator: 'in', value: ['OPEN', 'NEW'] };
const heavy: Condition = { property: 'weight', operator: 'gte', value: 5 };
const named: Condition = { property: 'name', operator: 'contains', value: 'zzz' };
const owner: Condition = { property: 'ownerId', operator: 'eq', value: 'x' };
const code: Condition = { property: 'code', operator: 'in', value: ['x', 'y'] };

/** Rows that go by the same owner. */
const parcelOf = (...conditions: Condition[]): Condition => ({
  ...{
    kind: 'related',
    property: 'ownerId',
    resource: 'parcels',
    relatedProperty: 'ownerId',
    conditions,
    isNone: false,
  },
});

describe('the cost of a page', () => {
  it.each([
    ['all rows by id', page([])],
    ['all rows in an order', page([], ...by('weight', 'desc'))],
    ['one of few values, in an order', page([state], ...by('weight'))],
    ['several of few values, in an order', page([states], ...by('weight'))],
    ['a range in its own order', page([heavy], ...by('weight'))],
    ['a range below one of few values', page([state, heavy], ...by('weight', 'desc'))],
    ['the rows of an owner, in an order', page([owner])],
    ['a unique key', page([code, named], ...by('name'))],
    ['one row', page([{ property: 'id', operator: 'eq', value: 'x' }, named])],
    ['no row', page([{ property: 'name', operator: 'in', value: [] }])],
  ])('is bounded for %s', (_what, query) => {
    expect(isPageBounded(table, query)).toBe(true);
  });

  it.each([
    ['a text that contains another', page([named])],
    ['a text that contains another, in an order', page([state, named], ...by('weight'))],
    ['a range in another order', page([heavy])],
    ['one of few values by id', page([states, heavy])],
    ['an order without an index', page([], ...by('name'))],
    ['the rows of an owner, if something else is asked', page([owner, heavy])],
    ['the rows of an owner, in an order without an index', page([owner], ...by('name'))],
    [
      'orders of two directions',
      page([], { property: 'weight', direction: 'asc' }, { property: 'id', direction: 'desc' }),
    ],
  ])('is not bounded for %s', (_what, query) => {
    expect(isPageBounded(table, query)).toBe(false);
  });

  it('of a count is bounded by what each row has of its own', () => {
    expect([[code], [code, named]].map((conditions) => isCountBounded(table, conditions))).toEqual([true, true]);
    expect([[], [state], [named], [owner]].map((conditions) => isCountBounded(table, conditions))).toEqual(
      Array(4).fill(false),
    );
  });

  it('of a count up to a bound is bounded where an index leads to what it counts', () => {
    const bounded = (conditions: readonly Condition[], most: number) => isCountBounded(table, conditions, most);
    expect([[], [state], [states], [heavy], [state, heavy]].map((conditions) => bounded(conditions, 10_001))).toEqual(
      Array(5).fill(true),
    );
    expect([bounded([named], 10_001), bounded([], 1_000_000)]).toEqual([false, false]);
  });

  it.each<readonly [string, readonly Condition[], number]>([
    ['an owner', [owner, named, heavy], 1],
    ['an owner, and one of few values', [owner, state], 2],
    ['several values', [states, { kind: 'any', conditions: [named, heavy] }], 1],
    ['what contains a text', [named, { kind: 'not', comparison: owner as Comparison }], 0],
    ['a property without an index', [{ property: 'name', operator: 'eq', value: 'x' }], 0],
    ['an owner, beside rows that no index finds', [owner, parcelOf(named)], 0],
    ['an owner, beside rows that an index finds', [owner, parcelOf(), parcelOf(code, named)], 1],
  ])('depends on how many rows have %s', (_what, conditions, ways) => {
    const statements = new TableStatements(sqliteDialect, table);
    const query = page(conditions, ...by('name'));
    const found = [statements.list(query), statements.count(conditions)].map(({ narrow }) => narrow?.length ?? 0);
    expect(found).toEqual([ways, ways]);
  });

  it('of a count up to a bound is that of as many rows', () => {
    const statements = new TableStatements(sqliteDialect, table);
    expect(statements.count([state], 4).sql).toBe(
      'select count(*) as "count" from (select 1 from "parcels" where "state" = ? limit 4) as "counted_"',
    );
    expect(
      statements.countEach({ resource: 'parcels', property: 'ownerId', values: [], conditions: [], most: 4 }).sql,
    ).toContain('"owner_id" = "value_" limit 4) as "counted_"');
    expect(statements.count([]).sql).not.toContain('limit');
  });
});
