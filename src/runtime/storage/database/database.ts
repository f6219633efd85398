import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ConfigError } from '../../../descriptor/config-error.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { DatabaseLocation } from '../location.ts';
import { ownResources } from '../mapped.ts';
import { readMigrations } from '../migration/hand-written.ts';
import {
  admit,
  type MigrateOptions,
  type Migration,
  type MigrationPlan,
  type MigrationReport,
  migrate,
  rehearse,
} from '../migration/migrator.ts';
import type { MigrationTarget, Report } from '../migration/target.ts';
import type { DatabaseLog } from '../postgres/outage.ts';
import { postgresAddress } from '../postgres/postgres-address.ts';
import { withOwnTables } from '../stand-in.ts';
import type { Store } from '../store.ts';

export type { DatabaseLocation } from '../location.ts';
export type { MigrateOptions } from '../migration/migrator.ts';

/** Loaded when a database is one of these: each is as large as the rest of a small server. */
const modules = {
  postgresStore: () => import('../postgres/postgres-store.ts'),
  postgresMigration: () => import('../postgres/postgres-migration.ts'),
  sqliteStore: () => import('../sqlite/sqlite-store.ts'),
  sqliteMigration: () => import('../sqlite/sqlite-migration.ts'),
};

export interface StoreSettings {
  readonly sqliteSynchronous: 'normal' | 'full';
  /** The database may be one that takes no writes. */
  readonly serveReadsOnly?: boolean;
  readonly maxDependants?: number;
  readonly databaseConnections: number;
  readonly statementTimeoutMs: number;
  /** Servers that divide what an instance may have; one if left out. */
  readonly workers?: number;
  /** URL of a standby that answers reads. */
  readonly databaseRead?: string | undefined;
  /** Whether the rows of tenants have row-level security. */
  readonly databaseRls?: boolean;
  /** Whether inserts that arrive at once on Postgres run in one transaction. */
  readonly groupInserts?: boolean;
  /** What secrets are derived from; left out: the database keeps them. */
  readonly lockstepSecret?: Uint8Array | undefined;
}

/** Opens a database that already has the contract's tables. */
export async function openStore(
  location: DatabaseLocation,
  resources: readonly ResourceDescriptor[],
  settings: StoreSettings,
  log?: DatabaseLog,
): Promise<Store> {
  if (location.kind === 'sqlite')
    return (await modules.sqliteStore()).openSqliteStore({
      file: location.file,
      resources,
      synchronous: settings.sqliteSynchronous,
      maxDependants: settings.maxDependants,
      isReadOnly: settings.serveReadsOnly,
      isMigrated: true,
    });
  const { databaseConnections: connections, statementTimeoutMs, databaseRead: readUrl, databaseRls } = settings;
  const limits = { connections, statementTimeoutMs, workers: settings.workers, groupsInserts: settings.groupInserts };
  const hasRowSecurity = databaseRls ?? false;
  const { openPostgresStore } = await modules.postgresStore();
  const secret = settings.serveReadsOnly ? settings.lockstepSecret : undefined;
  return openPostgresStore({ url: location.url, resources, ...limits, readUrl, log, hasRowSecurity, secret });
}

/** Where mapped resources and their tables part; nothing in a database that has no such tables. */
export async function driftIn(location: DatabaseLocation, resources: readonly ResourceDescriptor[]) {
  if (location.kind === 'sqlite' || !resources.some(({ mapped }) => mapped)) return [];
  return (await modules.postgresMigration()).driftIn(location.url, resources);
}

/** What a database is to hold; `contract` undefined: its tables are migrated, and its rows are not looked at. */
export type Wanted = Omit<Migration, 'handWritten'>;

/**
 * Migrates a database to the contract, with a lock against other servers: runs the pending files of a folder, then the
 * changes that the contract needs. Throws `MigrationError` when data could be lost or rows do not meet the contract.
 */
export function migrateDatabase(
  location: DatabaseLocation,
  wanted: Wanted,
  folder: string,
  options: MigrateOptions = {},
): Promise<MigrationReport> {
  return locked(location, wanted, folder, (target, migration) => migrate(target, migration, options));
}

/** What `migrateDatabase` would do: files that are pending are run and taken back, rows are counted and read. */
export async function planDatabase(
  location: DatabaseLocation,
  wanted: Wanted,
  folder: string,
  report?: Report,
): Promise<MigrationPlan> {
  const migration = { ...ownIn(location, wanted), handWritten: await readMigrations(folder, location.kind) };
  const work = (target: MigrationTarget) => rehearse(target, migration, report);
  if (location.kind === 'postgres') return (await modules.postgresMigration()).lockedPostgres(location.url, work);
  await mkdir(dirname(location.file), { recursive: true });
  const { readSqlite } = await modules.sqliteMigration();
  return readSqlite(location.file, work, migration.handWritten.length > 0);
}

/**
 * Whether a server may be started on a database as it is; records that it serves the contract, unless `isReadOnly`. Throws
 * `PendingMigrationError`, `MigrationError` or `OlderContractError` when it may not.
 */
export function admitServer(location: DatabaseLocation, wanted: Wanted, folder: string): Promise<MigrationReport> {
  return locked(location, wanted, folder, admit);
}

async function locked<T>(
  location: DatabaseLocation,
  wanted: Wanted,
  folder: string,
  work: (target: MigrationTarget, migration: Migration) => Promise<T>,
): Promise<T> {
  const own = ownIn(location, wanted);
  const handWritten = await readMigrations(folder, location.kind);
  const run = (target: MigrationTarget) => work(target, { ...own, handWritten });
  if (location.kind === 'postgres') return (await modules.postgresMigration()).lockedPostgres(location.url, run);
  const { lockedSqlite, readSqlite } = await modules.sqliteMigration();
  if (wanted.isReadOnly) return readSqlite(location.file, run, false);
  await mkdir(dirname(location.file), { recursive: true });
  return lockedSqlite(location.file, run);
}

/** The resources with tables of Lockstep, which are migrated: all of SQLite. Throws `ConfigError` for settings that no table of others has. */
function ownIn(location: DatabaseLocation, wanted: Wanted): Wanted {
  if (location.kind === 'sqlite') return { ...wanted, resources: withOwnTables(wanted.resources) };
  const resources = ownResources(wanted.resources);
  if (resources.length === wanted.resources.length) return wanted;
  if (wanted.hasRowSecurity) throw new ConfigError(['DATABASE_RLS: no policies are put on tables that x-table maps.']);
  if (wanted.layout && wanted.layout.kind !== 'plain')
    throw new ConfigError(['DATABASE_LAYOUT: a contract with tables that x-table maps has the layout plain.']);
  return { ...wanted, resources, mapped: wanted.resources.filter(({ mapped }) => mapped) };
}

/** A location for display, without its password. */
export function nameOf(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return location.file;
  return `Postgres at ${postgresAddress(location.url)!.name}`;
}
