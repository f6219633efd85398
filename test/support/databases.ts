import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { openSqliteStore } from '../../src/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../src/storage/store.ts';

/** A store of its own for one test file; `close` leaves nothing behind. */
export interface TestDatabase {
  readonly store: Store;
  close(): Promise<void>;
}

/** Every database the behaviour tests run on. */
export const databases: readonly {
  readonly name: string;
  open(resources: readonly ResourceDescriptor[]): Promise<TestDatabase>;
}[] = [
  {
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
  },
];
