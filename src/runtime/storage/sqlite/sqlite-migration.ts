import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { planMigration } from '../../../descriptor/migration/plan.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { tableOf } from '../../../descriptor/table.ts';
import { failedStatement, type HandWritten } from '../migration/hand-written.ts';
import { duplicateRows } from '../migration/migration-error.ts';
import { refuseLoss } from '../migration/migrator.ts';
import { planOwnTables } from '../migration/own-tables.ts';
import { forgetMade, recordMade, recordMigration } from '../migration/records.ts';
import type { MigrationTarget } from '../migration/target.ts';
import { TableStatements } from '../statements/table-statements.ts';
import type { RowQuery, StoredValue } from '../store.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { liveTables, sqliteSchema } from './sqlite-schema.ts';

/** SQLite's extended result code SQLITE_CONSTRAINT_UNIQUE. */
const UNIQUE = 2067;

/** How long a migration waits for another process that holds the lock of the file. */
export const BUSY_TIMEOUT_MS = 10_000;

/** Runs `work` in one transaction, while nobody else can write to the database. */
export async function lockedSqlite<T>(file: string, work: (target: MigrationTarget) => Promise<T>): Promise<T> {
  return inDatabase(file, 'begin immediate', 'commit', work);
}

/**
 * Runs `work` on the database as it is now. Others may write to it, unless `work` may: what it changes is taken back.
 */
export async function readSqlite<T>(
  file: string,
  work: (target: MigrationTarget) => Promise<T>,
  mayWrite: boolean,
): Promise<T> {
  return inDatabase(file, mayWrite ? 'begin immediate' : 'begin', 'rollback', work);
}

async function inDatabase<T>(
  file: string,
  begin: string,
  end: string,
  work: (target: MigrationTarget) => Promise<T>,
): Promise<T> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  try {
    if (begin !== 'begin') database.exec('pragma journal_mode = wal');
    database.exec(begin);
    const result = await work(targetOf(database));
    database.exec(end);
    return result;
  } finally {
    database.close();
  }
}

const runOn =
  (database: DatabaseSync) =>
  (sql: string, values: readonly StoredValue[] = []): StoredValue[][] => {
    const prepared = database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
    prepared.setReturnArrays(true);
    return prepared.all(...(values as readonly SQLInputValue[])) as never;
  };

function targetOf(database: DatabaseSync): MigrationTarget {
  const connection = new SqliteConnection(database);
  const run = runOn(database);
  const target: MigrationTarget = {
    kind: 'sqlite',
    dialect: sqliteSchema,
    run,
    liveTables: () => liveTables(database),
    reader(resource) {
      const statements = new TableStatements(sqliteDialect, tableOf(resource));
      const list = (query: RowQuery) => connection.all(statements.list(query), [...(query.after ?? []), query.limit]);
      return { list };
    },
    async make(steps, report) {
      for (const step of steps) {
        report(step.what);
        make(database, step);
        if (step.makes) await recordMade(run, step.makes);
        if (step.drops !== undefined) await forgetMade(run, step.drops);
      }
    },
    async apply(file) {
      if (file.isOutsideTransaction) outsideTransaction(database, file);
      else execute(database, file);
      await recordMigration(run, file);
    },
    rehearse: (work) =>
      work({
        run: (file) => execute(database, file),
        make: (steps) => {
          for (const step of steps) make(database, step);
        },
      }),
  };
  return target;
}

/** The lock is released meanwhile: others who migrate at the same time may run the file as well. */
function outsideTransaction(database: DatabaseSync, file: HandWritten): void {
  database.exec('commit');
  try {
    execute(database, file);
  } finally {
    database.exec('pragma foreign_keys = on');
    database.exec('begin immediate');
  }
}

/** Throws `FailedMigrationError`. */
function execute(database: DatabaseSync, file: HandWritten): void {
  for (const statement of file.statements) {
    try {
      database.exec(statement.sql);
    } catch (error) {
      throw failedStatement(file, statement, error as Error);
    }
  }
}

/**
 * Migrates the tables to the contract, in one transaction. Throws `MigrationError`, and changes nothing, when data
 * could be lost.
 */
export function migrateTables(database: DatabaseSync, resources: readonly ResourceDescriptor[]): void {
  database.exec('begin immediate');
  try {
    const live = liveTables(database);
    const { steps, differences } = planMigration(sqliteSchema, resources, live);
    refuseLoss(differences);
    const run = runOn(database);
    for (const step of [...planOwnTables('sqlite', live), ...steps]) {
      make(database, step);
      if (step.makes) recordMade(run, step.makes);
    }
    database.exec('commit');
  } catch (error) {
    // SQLite may have rolled back by itself, as it does when the disk is full.
    if (database.isTransaction) database.exec('rollback');
    throw error;
  }
}

function make(database: DatabaseSync, step: Step): void {
  try {
    database.exec(step.sql);
  } catch (error) {
    throw (error as { errcode?: number }).errcode === UNIQUE ? duplicateRows(step, error as Error) : error;
  }
}
