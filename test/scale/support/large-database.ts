import { join } from 'node:path';
import pg from 'pg';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { migrateDatabase, openStore } from '../../../src/runtime/storage/database/database.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { endedByTests } from '../../support/clean-up.ts';
import { type BareDatabase, type DatabaseKind, databaseKinds } from './bare-database.ts';

/** A database of its own, which is filled by SQL. */
export interface LargeDatabase extends Pick<BareDatabase, 'query'> {
  readonly store: Store;
  /** How the database would run a statement of the store. */
  plan(sql: string): Promise<string>;
  close(): Promise<void>;
}

export interface LargeDatabaseKind {
  readonly name: DatabaseKind['name'];
  open(resources: readonly ResourceDescriptor[]): Promise<LargeDatabase>;
}

const SETTINGS = { sqliteSynchronous: 'normal', databaseConnections: 10, statementTimeoutMs: 10_000 } as const;
const NO_FILES = join(import.meta.dirname, 'no-migrations');

const PLANS: Readonly<Record<DatabaseKind['name'], (database: BareDatabase, sql: string) => Promise<string>>> = {
  SQLite: async ({ query }, sql) => (await query(`explain query plan ${sql}`)).map((row) => row.at(-1)).join('\n'),
  async Postgres({ url }, sql) {
    const values = [...new Set(sql.match(/\$\d+/g))].map(() => 'null').join();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(`set plan_cache_mode = force_generic_plan; prepare asked as ${sql}`);
    const { rows } = await client.query(`explain execute asked${values && `(${values})`}`);
    await client.end();
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  },
};

/** The databases that figures are taken on, with the tables of a contract. */
export const largeDatabases: readonly LargeDatabaseKind[] = databaseKinds.map(({ name, open }) => ({
  name,
  async open(resources) {
    const database = await open();
    await migrateDatabase(database.location, { resources }, NO_FILES);
    const store = await openStore(database.location, resources, SETTINGS);
    return {
      store,
      query: database.query,
      plan: (sql) => PLANS[name](database, sql),
      close: endedByTests(async () => {
        await store.close();
        await database.close();
      }),
    };
  },
}));
