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

/** A database of its own, which is filled by SQL. */
export interface LargeDatabase {
  readonly store: Store;
  /** Runs statements outside the store. */
  run(sql: string): Promise<void>;
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
    return {
      store,
      async run(sql) {
        const database = new DatabaseSync(location.file);
        database.exec(sql);
        database.close();
      },
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
    return {
      store,
      async run(sql) {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query(sql);
        await client.end();
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
