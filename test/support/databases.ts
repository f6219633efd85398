import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { migrate } from '../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { openSqliteStore } from '../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../src/runtime/storage/store.ts';

import { hasPostgres, makeDatabase } from './postgres.ts';

/** A store of its own for one test file; `close` leaves nothing behind. */
export interface TestDatabase {
  readonly store: Store;
  close(): Promise<void>;
}

export interface DatabaseKind {
  readonly name: string;
  open(resources: readonly ResourceDescriptor[]): Promise<TestDatabase>;
}

const sqlite: DatabaseKind = {
  name: 'SQLite',
  async open(resources) {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const store = openSqliteStore({ file: join(folder, 'test.db'), resources });
    return {
      store,
      async close() {
        await store.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};

const postgres: DatabaseKind = {
  name: 'Postgres',
  async open(resources) {
    const { url, drop } = await makeDatabase();
    await lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [] }));
    const store = await openPostgresStore({ url, resources, connections: 5 });
    return {
      store,
      async close() {
        await store.close();
        await drop();
      },
    };
  },
};

/** Every database the behaviour tests run on. */
export const databases: readonly DatabaseKind[] = hasPostgres ? [sqlite, postgres] : [sqlite];
