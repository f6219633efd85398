import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Condition, RowQuery, Store } from '../../../src/runtime/storage/store.ts';
import { any, codecs, guardian, idOf, patients, resources, test } from '../../support/condition-trees.ts';

/** More than are read at once wherever the rows are. */
const COUNT = 6_000;
const time = '2026-01-01T00:00:00.000Z';
/** Every patient but the first four has one of those as its guardian, of whom the last has a single one. */
const rows = Array.from({ length: COUNT }, (_, n) => ({
  id: idOf(n),
  version: 1,
  createdAt: time,
  updatedAt: time,
  name: `name ${n < 4 ? n : ''}`,
  visits: n % 7,
  guardianId: n < 4 ? null : idOf(n === COUNT - 2 ? 3 : n % 3),
}));

let folder = '';
let store: Store;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  store = openSqliteStore({ file: join(folder, 'ahead.db'), resources });
  const all = rows.map((row) => codecs.patients.toRow(row));
  await store.transaction(async (transaction) => {
    for (const row of all) await transaction.insert('patients', row);
  });
});

afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

const byGuardian = (name: string): Condition => ({
  ...guardian(test('name', 'eq', name)),
  isBroad: true,
});
const page = (condition: Condition, more: Partial<RowQuery> = {}): RowQuery => ({
  resource: 'patients',
  conditions: [condition],
  order: [{ property: 'id', direction: 'asc' }],
  limit: 5,
  ...more,
});
const idsOf = async (query: RowQuery) =>
  (await store.list(query)).map((row) => row[patients.properties.findIndex(({ name }) => name === 'id')]);
const expected = (isIt: (row: (typeof rows)[number]) => boolean) => rows.filter(isIt).map(({ id }) => id);

describe('a page of rows that other rows decide about, in a large table of SQLite', () => {
  const frequent = byGuardian('name 1');
  const isFrequent = ({ guardianId }: { guardianId: string | null }): boolean => guardianId === idOf(1);
  const rare = byGuardian('name 3');

  it('is read from the first rows of the order where they fill it', async () => {
    expect(await idsOf(page(frequent))).toEqual(expected(isFrequent).slice(0, 5));
    const either = any(frequent, test('visits', 'eq', 3));
    const isEither = (row: (typeof rows)[number]): boolean => isFrequent(row) || row.visits === 3;
    expect(await idsOf(page(either))).toEqual(expected(isEither).slice(0, 5));
  });

  it('is read by the order where no index leads to what is asked for', async () => {
    const either = test('visits', 'in', [3, 4]);
    const query = page(frequent, { conditions: [either, frequent, test('visits', 'gte', 4)] });
    const isIt = (row: (typeof rows)[number]): boolean => isFrequent(row) && row.visits === 4;
    expect(await idsOf(query)).toEqual(expected(isIt).slice(0, 5));
  });

  it('goes on behind a position, in both directions', async () => {
    const ids = expected(isFrequent);
    expect(await idsOf(page(frequent, { after: [ids[9]!] }))).toEqual(ids.slice(10, 15));
    const order = [{ property: 'id', direction: 'desc' }] as const;
    expect(await idsOf(page(frequent, { order, after: [ids[9]!] }))).toEqual(ids.slice(4, 9).reverse());
  });

  it('has what is far behind', async () => {
    expect(await idsOf(page(rare))).toEqual([idOf(COUNT - 2)]);
    expect(await idsOf(page(any(rare, test('name', 'eq', 'name 2'))))).toEqual([idOf(2), idOf(COUNT - 2)]);
  });
});

describe('a bounded count of such rows', () => {
  const counted = (condition: Condition, most: number) => store.count('patients', [condition], most);

  it('ends with the bound where the first rows reach it', async () => {
    expect(await counted(byGuardian('name 1'), 200)).toBe(200);
    expect(await counted(any(byGuardian('name 1'), test('visits', 'eq', 3)), 200)).toBe(200);
  });

  it('has what is far behind', async () => {
    expect(await counted(byGuardian('name 3'), 200)).toBe(1);
    expect(await counted(any(byGuardian('name 3'), test('name', 'eq', 'name 2')), 200)).toBe(2);
    const narrowed = store.count('patients', [test('visits', 'eq', 3), byGuardian('name 1')], 600);
    expect(await narrowed).toBe(rows.filter((row) => row.visits === 3 && row.guardianId === idOf(1)).length);
  });
});
