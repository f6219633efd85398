import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { ResourceDescriptor } from '../descriptor/resource.ts';
import { createServer, type ServerOptions } from '../runtime/server.ts';
import type { Store } from '../runtime/storage/index.ts';
import { openSqliteStore } from '../runtime/storage/sqlite/index.ts';

/** A store with the empty tables of a contract, on a database of its own. */
export interface ScratchStore {
  readonly store: Store;
  /** Closes the store and deletes the database. */
  remove(): Promise<void>;
}

/** On a file of SQLite in a folder of its own. `purpose`: a part of its name. */
export async function sqliteScratch(purpose: string, resources: readonly ResourceDescriptor[]): Promise<ScratchStore> {
  const folder = await mkdtemp(join(tmpdir(), `lockstep-${purpose}-${process.pid}-`));
  const store = openSqliteStore({ file: join(folder, `${purpose}.db`), resources });
  return removable(store, () => rm(folder, { recursive: true }));
}

/** A store whose database goes with it. */
export const removable = (store: Store, removeDatabase: () => Promise<void>): ScratchStore => ({
  store,
  async remove() {
    await store.close();
    await removeDatabase();
  },
});

/** A server on a scratch store; to end it, or to fail at its start, removes the database. */
export async function serveOn(
  { remove }: ScratchStore,
  options: ServerOptions,
): Promise<{ readonly app: FastifyInstance; close(): Promise<void> }> {
  const app = await createServer(options).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return { app, close: () => app.close().then(remove) };
}
