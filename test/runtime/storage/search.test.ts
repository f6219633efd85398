import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { planMigration } from '../../../src/descriptor/migration/plan.ts';
import { postgresSchema } from '../../../src/descriptor/migration/postgres-schema.ts';
import { postgresSearches } from '../../../src/descriptor/migration/postgres-searches.ts';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { tableOf } from '../../../src/descriptor/table.ts';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import { postgresDialect } from '../../../src/runtime/storage/postgres/postgres-dialect.ts';
import { sqliteDialect } from '../../../src/runtime/storage/sqlite/sqlite-dialect.ts';
import { lockedSqlite } from '../../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import { TableStatements } from '../../../src/runtime/storage/statements/table-statements.ts';
import type { Row, RowQuery, Store } from '../../../src/runtime/storage/store.ts';
import { databases, postgresFor, type TestDatabase } from '../../support/databases.ts';
import { property, resource } from '../../support/descriptors.ts';
import { hasPostgres } from '../../support/postgres.ts';

const things: ResourceDescriptor = {
  ...resource('things', 'Thing', [property('name', { required: false }), property('note')]),
  list: {
    defaultLimit: 20,
    maximumLimit: 100,
    filters: [{ parameter: 'name', property: 'name', shape: 'object', operators: ['contains'] }],
    sorts: [{ value: 'note', property: 'note', direction: 'asc' }],
    defaultSort: [],
  },
};
const codec = createRowCodec(things.properties);
const time = '2026-01-01T00:00:00.000Z';
const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const thing = (n: number, name: string | null): Row =>
  codec.toRow({ id: idOf(n), version: 1, createdAt: time, updatedAt: time, name, note: `note ${n % 10}` });

/** Texts with what has a meaning in patterns and queries, and beyond ASCII. */
const SPECIAL = [
  '50% off',
  'snake_case',
  'back\\slash',
  'a "quoted" word',
  "it's",
  'ÄÖÜ straße',
  '日本語のカップ',
  'AND OR NOT',
  'x*y*z',
  'end%',
  'zz',
  '',
];
const names = (count: number): (string | null)[] =>
  Array.from({ length: count }, (_, n) =>
    n < SPECIAL.length ? SPECIAL[n]! : n % 50 === 0 ? null : `Blue Mug ${n} of ${n % 97}`,
  );

const ROWS = 6_000;
const ASKED = [
  '0% o',
  'e_c',
  'k\\s',
  '"quo',
  "t's",
  'ÄÖÜ',
  'äöü',
  '本語の',
  'and or',
  '*y*',
  'd%',
  'zz',
  'z',
  'mug 59',
  'MUG',
  '_',
  '%',
  '\\',
  'BLUE MUG 4999 OF',
  '  ',
  'nothing at all',
];

/** As filters compare: ASCII letters match in either case. */
const lower = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

const query = (text: string, limit = 10_000): RowQuery => ({
  resource: 'things',
  conditions: [{ property: 'name', operator: 'contains', value: text }],
  order: [{ property: 'id', direction: 'asc' }],
  limit,
});

async function fill(store: Store): Promise<void> {
  const rows = names(ROWS).map((name, n) => thing(n, name));
  await store.transaction((transaction) => transaction.insertAll('things', rows));
}

const found = async (store: Store, text: string): Promise<unknown[]> =>
  (await store.list(query(text))).map(([id]) => id);

describe.each(databases)('texts that contain another, on $name,', ({ open }) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await open([things]);
    await fill(database.store);
  });
  afterAll(() => database.close());

  it.each(ASKED)('are those with %j in them, whatever finds them', async (text) => {
    const expected = names(ROWS).flatMap((name, n) =>
      name !== null && lower(name).includes(lower(text)) ? [idOf(n)] : [],
    );
    expect(await found(database.store, text)).toEqual(expected);
    expect(await database.store.count('things', query(text).conditions)).toBe(expected.length);
  });

  it('are found as they are after each change', async () => {
    const { store } = database;
    const write = (work: Parameters<Store['transaction']>[0]) => store.transaction(work);
    await write((transaction) => transaction.insert('things', thing(9_001, 'a rare platypus')));
    expect(await found(store, 'PLATY')).toEqual([idOf(9_001)]);
    await write((transaction) => transaction.update('things', thing(9_001, 'a rare wombat'), ['name']));
    expect([await found(store, 'platy'), await found(store, 'wombat')]).toEqual([[], [idOf(9_001)]]);
    await write((transaction) => transaction.update('things', thing(9_001, null), ['name']));
    expect(await found(store, 'wombat')).toEqual([]);
    await write((transaction) => transaction.update('things', thing(9_001, 'an echidna'), ['name']));
    await write((transaction) => transaction.delete('things', idOf(9_001)));
    expect(await found(store, 'echidna')).toEqual([]);
  });
});

describe('the search index of SQLite', () => {
  let folder: string;
  let store: Store;
  const file = () => join(folder, 'test.db');
  const execute = (...statements: readonly string[]): void => {
    const other = new DatabaseSync(file());
    for (const sql of statements) other.exec(sql);
    other.close();
  };
  const pending = () => lockedSqlite(file(), (target) => plan(target, { resources: [things], handWritten: [] }));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-search-'));
    store = openSqliteStore({ file: file(), resources: [things] });
    await fill(store);
  });
  afterAll(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });

  it('is what finds the rows', () => {
    const { searched } = new TableStatements(sqliteDialect, tableOf(things)).list(query('mug'));
    const other = new DatabaseSync(file());
    const steps = other.prepare(`explain query plan ${searched!.statement.sql}`).all();
    expect(steps.map(({ detail }) => detail).join('; ')).toMatch(
      /SEARCH things USING INDEX.*things_name_search VIRTUAL TABLE INDEX/,
    );
    other.close();
  });

  it('outlives a rebuild of the file, which gives rows other numbers', async () => {
    await store.transaction((transaction) => transaction.delete('things', idOf(20)));
    execute('vacuum');
    expect(await found(store, 'mug 5999')).toEqual([idOf(5_999)]);
  });

  it('is kept by whoever writes, and needs nothing more', async () => {
    execute("update things set name = 'a lone okapi' where name like '% 5998 %'");
    expect(await found(store, 'okapi')).toEqual([idOf(5_998)]);
    expect((await pending()).steps).toEqual([]);
  });

  it('is not asked while a part of it is missing, and is made anew by a migration', async () => {
    execute(
      'drop trigger things_name_search_update',
      "update things set name = 'a lone tapir' where name = 'a lone okapi'",
    );
    expect([await found(store, 'okapi'), await found(store, 'tapir')]).toEqual([[], [idOf(5_998)]]);
    expect((await pending()).steps.map(({ what, isOptional }) => [what, isOptional])).toEqual([
      ['drop search index things_name_search', true],
      ['create search index things_name_search on things (name)', true],
    ]);
    await lockedSqlite(file(), (target) => migrate(target, { resources: [things], handWritten: [] }));
    expect((await pending()).steps).toEqual([]);
    expect(await found(store, 'tapir')).toEqual([idOf(5_998)]);
  });

  it('goes with its filter', async () => {
    const without = { ...things, list: { ...things.list!, filters: [] } };
    await lockedSqlite(file(), (target) =>
      migrate(target, { resources: [without], handWritten: [] }, { mayDrop: true }),
    );
    const other = new DatabaseSync(file());
    const left = other
      .prepare("select count(*) as count from sqlite_schema where name like '%\\_search%' escape '\\'")
      .get();
    other.close();
    expect(left).toEqual({ count: 0 });
    expect(await found(store, 'tapir')).toEqual([idOf(5_998)]);
  });
});

describe('the search index of Postgres', () => {
  it.skipIf(!hasPostgres)('is what finds the rows', async () => {
    const { url, giveBack } = await postgresFor([things]);
    const client = new pg.Client(url);
    await client.connect();
    const { sql, slots } = new TableStatements(postgresDialect, tableOf(things)).list(query('mug'));
    // On an empty table, other ways cost no more.
    await client.query('set enable_seqscan = off; set enable_indexscan = off');
    const values = slots.map((slot) => ['mug', '5'][slot]);
    const { rows } = await client.query({ text: `explain ${sql}`, values, rowMode: 'array' });
    expect(rows.flat().join('\n')).toMatch(/Bitmap Index Scan on things_name_search/);
    await client.end();
    await giveBack();
  });

  it('is planned where pg_trgm is installed or can be, and elsewhere the plan says what it lacks', () => {
    const planned = (kind: 'installable' | 'missing') =>
      planMigration({ ...postgresSchema, searches: postgresSearches({ kind }) }, [things], new Map());
    const about = (steps: readonly { what: string }[]) =>
      steps.map(({ what }) => what).filter((what) => /search|trgm/.test(what));
    const installable = planned('installable');
    expect(about(installable.steps)).toEqual([
      'install extension pg_trgm',
      'create search index things_name_search on things (name)',
    ]);
    const missing = planned('missing');
    expect(about(missing.steps)).toEqual([]);
    expect(missing.differences).toEqual([
      {
        what: expect.stringContaining(
          'search index things_name_search on things (name) cannot be made: the extension pg_trgm',
        ),
        byHand: ['create extension pg_trgm'],
        isHarmless: true,
      },
    ]);
  });
});
