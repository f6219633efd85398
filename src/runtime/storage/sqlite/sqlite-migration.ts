import { DatabaseSync } from 'node:sqlite';
import { planMigration } from '../../../descriptor/migration/plan.ts';
import type { Step } from '../../../descriptor/migration/schema-dialect.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { HandWritten } from '../migration/hand-written.ts';
import { duplicateRows } from '../migration/migration-error.ts';
import type { MigrationTarget } from '../migration/migrator.ts';
import { refuseLoss } from '../migration/migrator.ts';
import { liveTables, sqliteSchema } from './sqlite-schema.ts';

const OWN_TABLES = [
  'create table if not exists lockstep_secret (name text primary key, value blob not null) strict',
  'create table if not exists lockstep_memory (key text primary key, value text not null, expires_at text not null) strict',
  'create index if not exists lockstep_memory_expires_at_index on lockstep_memory (expires_at)',
  'create table if not exists lockstep_migration (name text primary key, digest text not null, applied_at text not null) strict',
];

/** SQLite's extended result code SQLITE_CONSTRAINT_UNIQUE. */
const UNIQUE = 2067;

/** How long a migration waits for another process that holds the lock of the file. */
const BUSY_TIMEOUT_MS = 10_000;

/** Runs `work` in one transaction, while nobody else can write to the database. */
export async function lockedSqlite<T>(file: string, work: (target: MigrationTarget) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec('pragma journal_mode = wal');
    database.exec('begin immediate');
    const result = await work(targetOf(database));
    database.exec('commit');
    return result;
  } finally {
    database.close();
  }
}

function targetOf(database: DatabaseSync): MigrationTarget {
  return {
    dialect: sqliteSchema,
    liveTables: () => liveTables(database),
    applied: () => applied(database),
    prepare: () => prepare(database),
    apply({ name, sql, digest }: HandWritten) {
      database.exec(sql);
      const record = database.prepare("insert into lockstep_migration values (?, ?, strftime('%FT%TZ', 'now'))");
      record.run(name, digest);
    },
    run: (steps) => run(database, steps),
  };
}

function applied(database: DatabaseSync): Map<string, string> {
  if (!liveTables(database).has('lockstep_migration')) return new Map();
  const rows = database.prepare('select name, digest from lockstep_migration').all();
  return new Map(rows.map(({ name, digest }) => [name as string, digest as string]));
}

/**
 * Migrates the tables to the contract, in one transaction. Throws `MigrationError`, and changes nothing, when data
 * could be lost.
 */
export function migrateTables(database: DatabaseSync, resources: readonly ResourceDescriptor[]): void {
  database.exec('begin immediate');
  try {
    prepare(database);
    const { steps, differences } = planMigration(sqliteSchema, resources, liveTables(database));
    refuseLoss(differences);
    run(database, steps);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

function prepare(database: DatabaseSync): void {
  for (const sql of OWN_TABLES) database.exec(sql);
}

function run(database: DatabaseSync, steps: readonly Step[]): void {
  for (const step of steps) {
    try {
      database.exec(step.sql);
    } catch (error) {
      throw (error as { errcode?: number }).errcode === UNIQUE ? duplicateRows(step, error as Error) : error;
    }
  }
}
