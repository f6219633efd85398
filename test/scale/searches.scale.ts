import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { expect, it } from 'vitest';
import { tsqueryText } from '../../src/descriptor/migration/postgres-words.ts';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { wordSearchOf } from '../../src/descriptor/searches.ts';
import { tableOf } from '../../src/descriptor/table.ts';
import { searchCondition } from '../../src/runtime/engine/lists/search-condition.ts';
import { createRowCodec } from '../../src/runtime/engine/resource/row-codec.ts';
import { migrate } from '../../src/runtime/storage/migration/migrator.ts';
import type { MigrationTarget } from '../../src/runtime/storage/migration/target.ts';
import { postgresDialect } from '../../src/runtime/storage/postgres/postgres-dialect.ts';
import { lockedPostgres } from '../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { sqliteDialect } from '../../src/runtime/storage/sqlite/sqlite-dialect.ts';
import { lockedSqlite } from '../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { openSqliteStore } from '../../src/runtime/storage/sqlite/sqlite-store.ts';
import { fts5Query } from '../../src/runtime/storage/sqlite/sqlite-words.ts';
import { TableStatements } from '../../src/runtime/storage/statements/table-statements.ts';
import type { Row, RowQuery, Store } from '../../src/runtime/storage/store.ts';
import { makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import { Random } from '../../src/tools/random.ts';
import { property, resource } from '../support/descriptors.ts';
import { hasPostgres, SERVER } from '../support/postgres.ts';

const ROWS = 100_000;
const AT_ONCE = 2_000;
const ASKS = 200;
const WORDS = 20_000;

const base = resource('notes', 'Note', [property('title'), property('body')]);
const list = { defaultLimit: 20, maximumLimit: 100, filters: [], sorts: [], defaultSort: [] };
const unsearched: ResourceDescriptor = { ...base, list };
const notes: ResourceDescriptor = { ...base, list: { ...list, search: ['title', 'body'] } };
const codec = createRowCodec(notes.properties);
const random = new Random(1);

/** Few words are frequent, and most are rare, as in any language. */
const word = (rank: number): string => `w${rank.toString(36)}é`;
const anyWord = (): string => word(Math.floor(WORDS ** random.next()));
const text = (words: number): string => Array.from({ length: words }, anyWord).join(' ');

const rows: readonly Row[] = Array.from({ length: ROWS }, (_, n) => {
  const id = `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
  const time = '2026-01-01T00:00:00.000Z';
  return codec.toRow({ id, version: 1, createdAt: time, updatedAt: time, title: text(6), body: text(60) });
});

const condition = (search: string) => searchCondition(['title', 'body'], search);
const searched = (search: string): string => condition(search).value as string;
const words = wordSearchOf(notes)!;
const query = (search: string): RowQuery => ({
  resource: 'notes',
  conditions: [condition(search)],
  order: [{ property: 'id', direction: 'asc' }],
  limit: 21,
});

interface Place {
  readonly name: string;
  open(): Promise<{
    store(resource: ResourceDescriptor): Promise<Store>;
    locked<T>(work: (target: MigrationTarget) => Promise<T>): Promise<T>;
    plan(search: string): Promise<string>;
    close(): Promise<unknown>;
  }>;
}

const sqlite: Place = {
  name: 'SQLite',
  async open() {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const file = join(folder, 'large.db');
    return {
      store: async (one) => openSqliteStore({ file, resources: [one] }),
      locked: (work) => lockedSqlite(file, work),
      plan: async (search) => {
        const database = new DatabaseSync(file);
        const { sql, slots } = new TableStatements(sqliteDialect, tableOf(notes)).list(query(search));
        const values = slots.map((slot) => [fts5Query(searched(search)), 21][slot]!);
        const steps = database.prepare(`explain query plan ${sql}`).all(...values);
        database.close();
        return steps.map(({ detail }) => detail).join('\n');
      },
      close: () => rm(folder, { recursive: true }),
    };
  },
};

const postgres: Place = {
  name: 'Postgres',
  async open() {
    const { url, drop } = await makeDatabaseOn(SERVER, 'scale');
    return {
      store: (one) => openPostgresStore({ url, resources: [one] }),
      locked: (work) => lockedPostgres(url, work),
      plan: async (search) => {
        const client = new pg.Client(url);
        await client.connect();
        const { sql, slots } = new TableStatements(postgresDialect, tableOf(notes)).list(query(search));
        const values = slots.map((slot) => [tsqueryText(words, searched(search)), '21'][slot]);
        const { rows: lines } = await client.query({ text: `explain analyze ${sql}`, values, rowMode: 'array' });
        await client.end();
        return lines.flat().join('\n');
      },
      close: drop,
    };
  },
};

async function latenciesOf(store: Store, searches: readonly string[]): Promise<string> {
  const times: number[] = [];
  for (const search of searches) {
    const started = performance.now();
    await store.list(query(search));
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.ceil(times.length * part) - 1]!.toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

it.each(hasPostgres ? [sqlite, postgres] : [sqlite])('searches of 100,000 rows, on $name', async ({ name, open }) => {
  const place = await open();
  await place.locked((target) => migrate(target, { resources: [unsearched], handWritten: [] }));
  const before = await place.store(unsearched);
  for (let i = 0; i < ROWS; i += AT_ONCE)
    await before.transaction((transaction) => transaction.insertAll('notes', rows.slice(i, i + AT_ONCE)));
  await before.close();
  const started = performance.now();
  await place.locked((target) => migrate(target, { resources: [notes], handWritten: [] }));
  const indexed = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  const store = await place.store(notes);
  const rare = (): string => word(1_000 + random.below(WORDS - 1_000));
  const searches: Readonly<Record<string, () => string>> = {
    'one word': rare,
    'two words': () => `${rare()} ${anyWord()}`,
    'the beginning of a word': () => `${rare().slice(0, 3)}*`,
    'a word of every third row': () => word(3),
  };
  console.log(`${name}: the index of ${ROWS} rows is made in ${indexed}`);
  for (const [what, search] of Object.entries(searches))
    console.log(`${name}: ${what}: ${await latenciesOf(store, Array.from({ length: ASKS }, search))}`);
  const plan = await place.plan(word(5_000));
  console.log(plan);
  expect(plan).toContain('notes_title_body__words');
  await store.close();
  await place.close();
});
