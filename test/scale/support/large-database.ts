import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { migrateDatabase, openStore } from '../../../src/runtime/storage/database/database.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import type { Query } from './without-indexes.ts';

/** A database of its own, which is filled by SQL. */
export interface LargeDatabase {
  readonly store: Store;
  /** Runs statements outside the store. */
  run(sql: string): Promise<void>;
  /** The rows of a statement outside the store, as texts. */
  readonly query: Query;
  /** How the database would run a statement of the store. */
  plan(sql: string): Promise<string>;
  close(): Promise<void>;
}

export interface LargeDatabaseKind {
  readonly name: 'SQLite' | 'Postgres';
  open(resources: readonly ResourceDescriptor[]): Promise<LargeDatabase>;
}

const SETTINGS = { sqliteSynchronous: 'normal', databaseConnections: 10, statementTimeoutMs: 10_000 } as const;
const NO_FILES = join(import.meta.dirname, 'no-migrations');

const sqlite: LargeDatabaseKind = {
  name: 'SQLite',
  async open(resources) {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const location = { kind: 'sqlite', file: join(folder, 'large.db') } as const;
    await migrateDatabase(location, { resources }, NO_FILES);
    const store = await openStore(location, resources, SETTINGS);
    const query: Query = async (sql) => {
      const database = new DatabaseSync(location.file);
      // What is lost in a fall is filled again.
      database.exec('pragma synchronous = off');
      const rows = database.prepare(sql).all();
      database.close();
      return rows.map((row) => Object.values(row).map(String));
    };
    return {
      store,
      query,
      async run(sql) {
        await query(sql);
      },
      plan: async (sql) => (await query(`explain query plan ${sql}`)).map((row) => row.at(-1)).join('\n'),
      close: endedByTests(async () => {
        await store.close();
        await rm(folder, { recursive: true });
      }),
    };
  },
};

const postgres: LargeDatabaseKind = {
  name: 'Postgres',
  async open(resources) {
    const { url, drop } = await makeDatabase();
    const location = { kind: 'postgres', url } as const;
    await migrateDatabase(location, { resources }, NO_FILES);
    const store = await openStore(location, resources, SETTINGS);
    const query: Query = async (sql) => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      try {
        const { rows } = await client.query({ text: sql, rowMode: 'array' });
        return rows.map((row: unknown[]) => row.map(String));
      } finally {
        await client.end();
      }
    };
    return {
      store,
      query,
      async run(sql) {
        await query(sql);
      },
      async plan(sql) {
        const values = [...new Set(sql.match(/\$\d+/g))].map(() => 'null').join();
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query(`set plan_cache_mode = force_generic_plan; prepare asked as ${sql}`);
        const { rows } = await client.query(`explain execute asked${values && `(${values})`}`);
        await client.end();
        return rows.map((row) => row['QUERY PLAN']).join('\n');
      },
      close: endedByTests(async () => {
        await store.close();
        await drop();
      }),
    };
  },
};

/** The databases that figures are taken on. */
export const largeDatabases: readonly LargeDatabaseKind[] = hasPostgres ? [sqlite, postgres] : [sqlite];
