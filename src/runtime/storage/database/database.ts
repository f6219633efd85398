import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { readMigrations } from '../migration/hand-written.ts';
import {
  type MigrationPlan,
  type MigrationReport,
  type MigrationTarget,
  migrate,
  plan,
} from '../migration/migrator.ts';
import { postgresAddress } from '../postgres/postgres-address.ts';
import { lockedPostgres } from '../postgres/postgres-migration.ts';
import { openPostgresStore } from '../postgres/postgres-store.ts';
import { lockedSqlite } from '../sqlite/sqlite-migration.ts';
import { openSqliteStore } from '../sqlite/sqlite-store.ts';
import type { Store } from '../store.ts';

/** Where rows are kept. */
export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | { readonly kind: 'postgres'; readonly url: string };

export interface StoreSettings {
  readonly sqliteSynchronous: 'normal' | 'full';
  readonly databaseConnections: number;
  readonly statementTimeoutMs: number;
}

/** Opens a database that already has the contract's tables. */
export async function openStore(
  location: DatabaseLocation,
  resources: readonly ResourceDescriptor[],
  settings: StoreSettings,
): Promise<Store> {
  if (location.kind === 'sqlite')
    return openSqliteStore({
      file: location.file,
      resources,
      synchronous: settings.sqliteSynchronous,
      isMigrated: true,
    });
  const { databaseConnections: connections, statementTimeoutMs } = settings;
  return openPostgresStore({ url: location.url, resources, connections, statementTimeoutMs });
}

/**
 * Migrates a database to the contract, with a lock against other servers: runs the pending files of a folder, then the
 * changes that the contract needs. Throws `MigrationError` when data could be lost.
 */
export function migrateDatabase(
  location: DatabaseLocation,
  resources: readonly ResourceDescriptor[],
  folder: string,
): Promise<MigrationReport> {
  return withTarget(location, resources, folder, migrate);
}

/** What `migrateDatabase` would do. */
export function planDatabase(
  location: DatabaseLocation,
  resources: readonly ResourceDescriptor[],
  folder: string,
): Promise<MigrationPlan> {
  return withTarget(location, resources, folder, plan);
}

async function withTarget<T>(
  location: DatabaseLocation,
  resources: readonly ResourceDescriptor[],
  folder: string,
  work: (target: MigrationTarget, migration: Parameters<typeof migrate>[1]) => Promise<T>,
): Promise<T> {
  const handWritten = await readMigrations(folder, location.kind);
  const run = (target: MigrationTarget) => work(target, { resources, handWritten });
  if (location.kind === 'postgres') return lockedPostgres(location.url, run);
  await mkdir(dirname(location.file), { recursive: true });
  return lockedSqlite(location.file, run);
}

/** A location for display, without its password. */
export function nameOf(location: DatabaseLocation): string {
  if (location.kind === 'sqlite') return location.file;
  return `Postgres at ${postgresAddress(location.url)!.name}`;
}
