import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Layout, nameOfLayout, PLAIN } from '../../src/descriptor/layout.ts';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { migrate } from '../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../src/runtime/storage/store.ts';
import { endedByTests } from './clean-up.ts';
import { borrowDatabase, borrowEmptyDatabase, hasPostgres } from './postgres.ts';

/** A store of its own for one test file; `close` leaves nothing behind. */
export interface TestDatabase {
  readonly store: Store;
  close(): Promise<void>;
}

type Resources = readonly ResourceDescriptor[];

/** Longer than a slow disk takes: what a statement that waits too long is answered has tests of its own. */
export const STATEMENT_TIMEOUT_MS = 60_000;

/** Stores of several contracts over one database, as instances of several releases have them. */
export interface SharedTestDatabase {
  readonly stores: readonly Store[];
  close(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  /** How it keeps the rows of tenants; plain if left out. */
  readonly layout?: Layout;
  open(resources: Resources): Promise<TestDatabase>;
}

/** A kind of database that several contracts may share. */
export interface SharedDatabaseKind extends DatabaseKind {
  /** Migrates one database to each of the contracts, in their order, and opens a store for each. */
  share(contracts: readonly Resources[]): Promise<SharedTestDatabase>;
}

const sqlite: SharedDatabaseKind = {
  name: 'SQLite',
  async open(resources) {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const store = openSqliteStore({ file: join(folder, 'test.db'), resources });
    const close = endedByTests(async () => {
      await store.close();
      await rm(folder, { recursive: true });
    });
    return { store, close };
  },
  async share(contracts) {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const stores = contracts.map((resources) => openSqliteStore({ file: join(folder, 'test.db'), resources }));
    const close = endedByTests(async () => {
      for (const store of stores) await store.close();
      await rm(folder, { recursive: true });
    });
    return { stores, close };
  },
};

/** Postgres, with the tables of tenants in a layout. */
export const postgresIn = (layout: Layout): SharedDatabaseKind => ({
  name: layout.kind === 'plain' ? 'Postgres' : `Postgres, ${nameOfLayout(layout)}`,
  layout,
  async open(resources) {
    const { url, giveBack } = await postgresFor(resources, layout);
    const store = await openPostgresStore({ url, resources, connections: 5, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    const close = endedByTests(async () => {
      await store.close();
      await giveBack();
    });
    return { store, close };
  },
  async share(contracts) {
    const { url, giveBack } = await borrowEmptyDatabase();
    const stores: Store[] = [];
    for (const resources of contracts) {
      await lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [], layout }));
      stores.push(
        await openPostgresStore({ url, resources, connections: 3, statementTimeoutMs: STATEMENT_TIMEOUT_MS }),
      );
    }
    const close = endedByTests(async () => {
      for (const store of stores) await store.close();
      await giveBack();
    });
    return { stores, close };
  },
});

const postgres = postgresIn(PLAIN);

/** A database of Postgres with the tables of resources; its URL, and how to give it back. */
export const postgresFor = (
  resources: readonly ResourceDescriptor[],
  layout = PLAIN,
): ReturnType<typeof borrowDatabase> =>
  borrowDatabase(JSON.stringify([layout, resources]), (url) =>
    lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [], layout })),
  );

/** Every database the behaviour tests run on. */
export const databases: readonly SharedDatabaseKind[] = hasPostgres ? [sqlite, postgres] : [sqlite];
