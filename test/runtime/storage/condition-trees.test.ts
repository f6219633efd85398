import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tableOf } from '../../../src/descriptor/table.ts';
import { postgresDialect } from '../../../src/runtime/storage/postgres/postgres-dialect.ts';
import { sqliteDialect } from '../../../src/runtime/storage/sqlite/sqlite-dialect.ts';
import { migrateTables } from '../../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { isCountBounded, isPageBounded } from '../../../src/runtime/storage/statements/reach.ts';
import { shapeOf } from '../../../src/runtime/storage/statements/shapes.ts';
import { TableStatements } from '../../../src/runtime/storage/statements/table-statements.ts';
import type { Condition, Row, RowQuery, Store } from '../../../src/runtime/storage/store.ts';
import {
  all,
  any,
  codecs,
  guardian,
  holds,
  idOf,
  not,
  patients,
  people,
  related,
  resources,
  test,
  visitedBy,
  visits,
} from '../../support/condition-trees.ts';
import { databases, type TestDatabase } from '../../support/databases.ts';

const CASES: readonly (readonly [string, Condition])[] = [
  ['a negated comparison with a text', not(test('name', 'eq', 'Ada'))],
  ['a negated range', not(test('visits', 'gt', 0))],
  ['a negated list', not(test('visits', 'in', [0, 7]))],
  ['a negated list of decimals', not(test('weight', 'in', ['70.5', '9']))],
  ['a negated empty list', not(test('visits', 'in', []))],
  ['a negated text within', not(test('name', 'contains', 'AD'))],
  ['what is not null', not(test('name', 'eq', null))],
  ['a boolean', any(test('isInsured', 'eq', 1))],
  ['a negated boolean', not(test('isInsured', 'eq', 1))],
  ['a negated date', not(test('born', 'gte', '2000-01-01'))],
  ['an id that no row can have', not(test('guardianId', 'eq', 'no uuid'))],
  ['one of two', any(test('name', 'eq', 'adam'), test('visits', 'gte', 7))],
  ['both', all(test('visits', 'lte', 1), not(test('born', 'eq', null)))],
  ['all of none', all()],
  ['any of none', any()],
  ['alternatives within alternatives', any(all(any(test('visits', 'eq', 1)), not(test('weight', 'eq', '9'))), all())],
  ['some related row', visitedBy('d1')],
  ['no related row', visitedBy('d1', true)],
  ['no related row at all', related('id', 'appointments', 'patientId', [], true)],
  [
    'a related row by a finer number',
    related('id', 'appointments', 'patientId', [test('units', 'gt', '9007199254740992')]),
  ],
  [
    'a related row by its time',
    related('id', 'appointments', 'patientId', [not(test('startsAt', 'lt', '2026-01-15T00:00:00.000Z'))]),
  ],
  ['the row referred to', guardian(test('name', 'eq', 'Ada'))],
  ['that of that', guardian(guardian(visitedBy('d2'), not(test('name', 'eq', null))))],
  ['a row of the same table twice', any(guardian(guardian()), all(guardian(visitedBy('d1', true)), visitedBy('d2')))],
  [
    'values in every part',
    any(
      all(test('name', 'eq', 'Ada'), visitedBy('d2')),
      guardian(test('visits', 'in', [1, 7])),
      not(test('weight', 'eq', '70.50')),
    ),
  ],
];

const byId = [{ property: 'id', direction: 'asc' }] as const;
const query = (conditions: readonly Condition[], more: Partial<RowQuery> = {}): RowQuery => ({
  resource: 'patients',
  conditions,
  order: byId,
  limit: 100,
  ...more,
});
const ids = (rows: readonly Row[]): unknown[] => rows.map(([id]) => id);

describe.each(databases)('a tree of conditions, on $name,', ({ open }) => {
  let database: TestDatabase;
  let store: Store;

  beforeAll(async () => {
    database = await open(resources);
    store = database.store;
    await store.transaction(async (transaction) => {
      await transaction.deferReferences();
      await transaction.insertAll(
        'patients',
        people.map((one) => codecs.patients.toRow(one)),
      );
      await transaction.insertAll(
        'appointments',
        visits.map((one) => codecs.appointments.toRow(one)),
      );
    });
  });
  afterAll(() => database.close());

  it.each(CASES)('finds the rows with %s, whatever asks', async (_name, condition) => {
    const expected = people.filter((one) => holds(condition, one)).map(({ id }) => id);
    const own = [test('visits', 'gte', 0), condition];
    const narrowed = people.filter((one) => one['visits'] !== null && holds(condition, one)).map(({ id }) => id);
    expect(ids(await store.list(query([condition])))).toEqual(expected);
    expect(ids(await store.list(query(own)))).toEqual(narrowed);
    expect(await store.count('patients', own)).toBe(narrowed.length);
    const known = people.map(({ id }) => id as string);
    expect(ids(await store.getEach('patients', known, [condition])).sort()).toEqual(expected);
    const single = await Promise.all(known.map(async (id) => [id, await store.get('patients', id, own)] as const));
    expect(single.filter(([, row]) => row).map(([id]) => id)).toEqual(narrowed);
    const group = { resource: 'patients', property: 'guardianId', values: known, conditions: own };
    const wards = known.map((guardianId) =>
      people.filter((one) => one['guardianId'] === guardianId && narrowed.includes(one['id']!)).map(({ id }) => id),
    );
    const groups = await store.listEach({ ...group, order: byId, limit: 100 });
    expect(groups.map(ids)).toEqual(wards);
    expect(await store.countEach(group)).toEqual(wards.map(({ length }) => length));
  });

  it.each(CASES)('says which given rows have %s, whether they are stored or not', async (_name, condition) => {
    const given = people.map((one, n) => ({ ...one, id: n % 3 === 0 ? idOf(900 + n) : one['id']!, visits: 7 }));
    const rows = given.map((one) => codecs.patients.toRow(one));
    expect(await store.meetEach('patients', rows, [condition, test('visits', 'eq', 7)])).toEqual(
      given.map((one) => holds(condition, one)),
    );
  });

  it('pages through what it finds', async () => {
    const condition = any(visitedBy('d1'), guardian(test('visits', 'eq', 7)));
    const order = [
      { property: 'name', direction: 'desc' },
      { property: 'id', direction: 'desc' },
    ] as const;
    const whole = await store.list(query([condition], { order }));
    const position = patients.properties.findIndex(({ name }) => name === 'name');
    const pages: Row[] = [];
    for (let last: Row | undefined; ; last = pages.at(-1)) {
      const after = last && { after: [last[position]!, last[0]!] };
      const page = await store.list(query([condition], { order, limit: 3, ...after }));
      pages.push(...page);
      if (page.length < 3) break;
    }
    expect(ids(pages)).toEqual(ids(whole));
  });

  it('locks the row that it finds, and none that it asks', async () => {
    const reached = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const asked = related('id', 'appointments', 'patientId', []);
    const patient = visits[0]!['patientId'] as string;
    const held = store.transaction(async (transaction) => {
      expect(await transaction.get('patients', patient, [asked])).toBeDefined();
      reached.resolve();
      // On SQLite, the other transaction waits for the end of this one.
      if (store.hasRowLocks) await written.promise;
    });
    await reached.promise;
    const row = codecs.appointments.toRow({ ...visits[0]!, doctor: 'd9' });
    await store.transaction((transaction) => transaction.update('appointments', row, ['doctor']));
    written.resolve();
    await held;
    await store.transaction((transaction) =>
      transaction.update('appointments', codecs.appointments.toRow(visits[0]!), ['doctor']),
    );
  });
});

describe('the statement of a tree of conditions', () => {
  const statementsOf = (dialect: typeof sqliteDialect) =>
    new TableStatements(dialect, tableOf(patients), {}, (key) => tableOf(resources.find((one) => one.key === key)!));
  const listed = (own: string, other: string, column: string, where: string): string =>
    `"patients"."${own}" in (select "related_1_"."${column}" from "${other}" as "related_1_" where ${where})`;
  const existing = (own: string, other: string, column: string, where: string): string =>
    `exists (select 1 from "${other}" as "related_1_" where "related_1_"."${column}" = "patients"."${own}" and ${where})`;
  const rule = any(all(test('name', 'eq', 'Ada'), visitedBy('d2')), guardian(not(test('visits', 'in', [1, 7]))));

  it.each([
    ['SQLite', sqliteDialect, (_n: number): string => '?', listed],
    ['Postgres', postgresDialect, (n: number): string => `$${n}`, existing],
  ] as const)('asks other tables by subqueries, and binds each value, on %s', (_name, dialect, slot, asks) => {
    const { sql, slots } = statementsOf(dialect).count([test('visits', 'gt', 0), rule]);
    const visited = `"related_1_"."doctor" = ${slot(3)}`;
    const guarded = `("related_1_"."visits" in (${slot(4)}, ${slot(5)})) is not true`;
    expect(sql).toBe(
      `select count(*) as "count" from "patients" where "visits" > ${slot(1)} and (("patients"."name" = ${slot(2)} and ${asks('id', 'appointments', 'patient_id', visited)}) or ${asks('guardian_id', 'patients', 'id', guarded)})`,
    );
    expect(slots).toEqual([0, 1, 2, 3, 4]);
  });

  it('reads no row of SQLite that a related row does not lead to', () => {
    const database = new DatabaseSync(':memory:');
    migrateTables(database, resources);
    const { sql, slots } = statementsOf(sqliteDialect).list(query([related('id', 'appointments', 'patientId', [])]));
    const steps = database.prepare(`explain query plan ${sql}`).all(...slots.map(() => 'x'));
    database.close();
    expect(steps.map(({ detail }) => detail).join('; ')).toMatch(/^SEARCH patients .*\(id=\?\); LIST SUBQUERY/);
  });

  it('is made once for all values, and once for each shape', () => {
    const statements = statementsOf(sqliteDialect);
    const other = any(all(test('name', 'eq', 'Eve'), visitedBy('d7')), guardian(not(test('visits', 'in', [3, 4]))));
    expect(statements.get([other])).toBe(statements.get([rule]));
    expect(new Set(CASES.map(([, condition]) => shapeOf([condition]))).size).toBe(CASES.length);
    expect(shapeOf([visitedBy('d1', true)])).not.toBe(shapeOf([visitedBy('d1')]));
    expect(shapeOf([all(test('name', 'eq', 'x'))])).not.toBe(shapeOf([any(test('name', 'eq', 'x'))]));
  });

  it('leads to its rows by an index only where a comparison beside the tree does', () => {
    const table = tableOf(patients);
    const isBounded = (...conditions: Condition[]) => [
      isPageBounded(table, query(conditions)),
      isCountBounded(table, conditions),
    ];
    expect(isBounded()).toEqual([true, false]);
    expect(isBounded(visitedBy('d1'))).toEqual([false, false]);
    expect(isBounded(all(test('id', 'eq', 'x')))).toEqual([false, false]);
    expect(isBounded(test('guardianId', 'eq', 'x'), visitedBy('d1'))).toEqual([false, false]);
    expect(isBounded(test('id', 'eq', 'x'), test('visits', 'gt', 1))).toEqual([true, true]);
  });
});
