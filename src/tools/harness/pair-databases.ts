import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ResourceDescriptor } from '../../descriptor/resource.ts';
import { migrate } from '../../runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../runtime/storage/postgres/postgres-store.ts';
import { openSqliteStore } from '../../runtime/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../runtime/storage/store.ts';
import { administer, makeDatabaseOn } from '../scratch/postgres-database.ts';

/** A slow disk is no difference between the protocols. */
const LIMITS = { connections: 4, statementTimeoutMs: 60_000 } as const;

/** Empty databases for the two servers of a proof. */
export interface PairDatabases {
  /** A store with the tables of the contract. The pair closes it. */
  open(name: string): Promise<Store>;
  /** Deletes the databases, whose stores are closed. */
  remove(): Promise<void>;
}

/**
 * Files of SQLite in a folder of their own; or databases beside the one of a Postgres URL, which is not touched. Where the
 * rows of tenants are, and policies bind the role of the URL, they are behind row-level security.
 */
export function pairDatabases(
  resources: readonly ResourceDescriptor[],
  postgresUrl: string | undefined,
): Promise<PairDatabases> {
  return postgresUrl === undefined ? onSqlite(resources) : onPostgres(resources, postgresUrl);
}

async function onSqlite(resources: readonly ResourceDescriptor[]): Promise<PairDatabases> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-parity-'));
  return {
    open: async (name) => openSqliteStore({ file: join(folder, `${name}.db`), resources }),
    remove: () => rm(folder, { recursive: true }),
  };
}

async function onPostgres(resources: readonly ResourceDescriptor[], server: string): Promise<PairDatabases> {
  const made: { drop(): Promise<void> }[] = [];
  const hasRowSecurity = resources.some(({ tenant }) => tenant) && (await isBound(server));
  return {
    async open(name) {
      const database = await makeDatabaseOn(server, `proof_${name}`);
      made.push(database);
      await lockedPostgres(database.url, (target) => migrate(target, { resources, handWritten: [], hasRowSecurity }));
      return openPostgresStore({ url: database.url, resources, hasRowSecurity, ...LIMITS });
    },
    async remove() {
      for (const { drop } of made) await drop();
    },
  };
}

const BOUND = 'select not (rolsuper or rolbypassrls) as bound from pg_roles where rolname = current_user';

/** Whether policies bind the role of a URL, as they bind no superuser. */
const isBound = async (url: string): Promise<boolean> => (await administer(url, BOUND))[0]?.['bound'] === true;
