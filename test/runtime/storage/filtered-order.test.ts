import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRowCodec, type Values } from '../../../src/runtime/engine/resource/row-codec.ts';
import type { Condition, OrderKey, Row } from '../../../src/runtime/storage/store.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';

const STATES = ['NEW', 'OPEN', 'DONE', 'LOST'];
const parcels = resource('parcels', 'Parcel', [
  property('state', { enum: STATES }),
  property('fragile', { type: 'boolean' }),
  property('weight', { type: 'integer', nullable: true }),
  property('barcode', { type: 'int64' }),
]);
const codec = createRowCodec(parcels.properties);

/** Two of the columns. */
const BARE = { names: new Set(['version', 'fragile']), shape: 'version,fragile' };
/** A row of which these are read, and those of the order. */
const bare = (row: Row, order: readonly OrderKey[]): Row =>
  row.map((value, i) => {
    const { name } = parcels.properties[i]!;
    return BARE.names.has(name) || order.some((key) => key.property === name) ? value : null;
  });

const time = '2026-01-01T00:00:00.000Z';
const parcel = (n: number): Values => ({
  id: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  version: 1,
  createdAt: time,
  updatedAt: time,
  state: STATES[(n * 7) % 4],
  fragile: n % 3 === 0,
  weight: n % 5 === 0 ? null : n % 11,
  barcode: String((n * 37) % 120),
});
const all = Array.from({ length: 120 }, (_, n) => parcel(n));

/** NULL first, digits as the number they are. */
function rank(values: Values, name: string): number | string {
  const value = values[name];
  if (value === null) return Number.NEGATIVE_INFINITY;
  return name === 'barcode' ? Number(value) : (value as number | string);
}

function sorted(rows: readonly Values[], order: readonly OrderKey[]): Values[] {
  return rows.toSorted((a, b) => {
    for (const { property: name, direction } of order) {
      const [x, y] = [rank(a, name), rank(b, name)];
      if (x !== y) return (x < y ? -1 : 1) * (direction === 'asc' ? 1 : -1);
    }
    return 0;
  });
}

describe.each(databases)('lists with a filter and an order, on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open([parcels]);
    await database.store.transaction(async (transaction) => {
      for (const values of all) await transaction.insert('parcels', codec.toRow(values));
    });
  });

  afterAll(() => database.close());

  async function pages(conditions: readonly Condition[], order: readonly OrderKey[]): Promise<Values[]> {
    const rows: Row[] = [];
    for (let page: readonly Row[] = []; ; ) {
      const last = page.at(-1);
      const after =
        last && order.map(({ property: name }) => last[parcels.properties.findIndex((p) => p.name === name)]!);
      const query = { resource: 'parcels', conditions, order, limit: 7, ...(after && { after }) };
      page = await database.store.list(query);
      rows.push(...page);
      expect(await database.store.list({ ...query, columns: BARE })).toEqual(page.map((row) => bare(row, order)));
      if (page.length < 7) return rows.map((row) => codec.toValues(row));
    }
  }

  const keys = ['id', 'state', 'weight', 'barcode'].flatMap((name) => [
    [name, 'asc'] as const,
    [name, 'desc'] as const,
  ]);

  it.each(keys)('sorts and pages one value of an enum by %s %s', async (name, direction) => {
    const order: OrderKey[] = [
      { property: name, direction },
      ...(name === 'id' ? [] : [{ property: 'id', direction }]),
    ];
    const rows = await pages([{ property: 'state', operator: 'in', value: ['OPEN'] }], order);
    expect(rows).toEqual(
      sorted(
        all.filter(({ state }) => state === 'OPEN'),
        order,
      ),
    );
  });

  it.each(keys)('sorts and pages several values of an enum by %s %s', async (name, direction) => {
    const order: OrderKey[] = [
      { property: name, direction },
      ...(name === 'id' ? [] : [{ property: 'id', direction }]),
    ];
    const conditions: Condition[] = [
      { property: 'weight', operator: 'gte', value: 2 },
      { property: 'state', operator: 'in', value: ['OPEN', 'LOST', 'NEW'] },
      { property: 'fragile', operator: 'eq', value: 0 },
    ];
    const matching = all.filter(
      ({ state, fragile, weight }) => state !== 'DONE' && !fragile && weight !== null && (weight as number) >= 2,
    );
    expect(await pages(conditions, order)).toEqual(sorted(matching, order));
    expect(await database.store.count('parcels', conditions)).toBe(matching.length);
  });

  it('reads of each group what is asked for', async () => {
    const order: OrderKey[] = [
      { property: 'barcode', direction: 'desc' },
      { property: 'id', direction: 'desc' },
    ];
    const query = { resource: 'parcels', property: 'state', values: STATES, conditions: [], order, limit: 3 };
    const whole = await database.store.listEach(query);
    const withoutGroup = (row: Row): Row => row.slice(0, -1);
    const some = await database.store.listEach({ ...query, columns: BARE });
    expect(some.map((rows) => rows.map(withoutGroup))).toEqual(
      whole.map((rows) => rows.map((row) => bare(withoutGroup(row), order))),
    );
  });
});
