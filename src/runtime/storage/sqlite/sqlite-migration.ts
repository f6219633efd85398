import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { quote } from '../../../descriptor/migration/literal.ts';
import { planMigration } from '../../../descriptor/migration/plan.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { tableOf } from '../../../descriptor/table.ts';
import { type MaybePromise, rescued, whenKnown } from '../../async/maybe-promise.ts';
import { failedStatement, type HandWritten } from '../migration/hand-written.ts';
import { duplicateRows } from '../migration/migration-error.ts';
import { refuseLoss } from '../migration/migrator.ts';
import { planOwnTables } from '../migration/own-tables.ts';
import { inPieces, type PieceLimits } from '../migration/pieces.ts';
import { forgetMade, recordMade, recordMigration } from '../migration/records.ts';
import { grouped, type MigrationTarget } from '../migration/target.ts';
import { TableStatements } from '../statements/table-statements.ts';
import type { RowQuery, StoredValue } from '../store.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { sqliteDialect } from './sqlite-dialect.ts';
import { liveTables, sqliteSchema } from './sqlite-schema.ts';

/** SQLite's extended result code SQLITE_CONSTRAINT_UNIQUE. */
const UNIQUE = 2067;
/** SQLITE_BUSY: another connection holds the lock. */
const BUSY = 5;

/** How long a migration waits for another process that holds the lock of the file. */
export const BUSY_TIMEOUT_MS = 10_000;

const PIECE_LIMITS: PieceLimits = { pieceMs: 250, pauseMs: 30, clock: () => performance.now() };
const LOCK_POLL_MS = 50;

const WAL = 'pragma journal_mode = wal';

/** Runs `work` while no other migration runs, waiting for its turn. Others write to the database meanwhile. */
export function lockedSqlite<T>(
  file: string,
  work: (target: MigrationTarget) => Promise<T>,
  limits = PIECE_LIMITS,
): Promise<T> {
  return whileAlone(file, () =>
    inDatabase(file, (database) => {
      database.exec(WAL);
      return work(targetOf(database, limits));
    }),
  );
}

/**
 * Runs `work` on the database as it is now. Others may write to it, unless `work` may: what it changes is taken back.
 */
export function readSqlite<T>(
  file: string,
  work: (target: MigrationTarget) => Promise<T>,
  mayWrite: boolean,
): Promise<T> {
  return inDatabase(file, async (database) => {
    if (mayWrite) database.exec(WAL);
    database.exec(mayWrite ? 'begin immediate' : 'begin');
    return work(targetOf(database, PIECE_LIMITS));
  });
}

/** The lock is that of an empty file beside the database: it ends with the process, whatever ends that. */
async function whileAlone<T>(file: string, work: () => Promise<T>): Promise<T> {
  if (file === ':memory:') return work();
  const lock = new DatabaseSync(`${file}-migration`, { timeout: 0 });
  try {
    while (!isTaken(lock)) await delay(LOCK_POLL_MS);
    return await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    return false;
  }
}

async function inDatabase<T>(file: string, work: (database: DatabaseSync) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return await work(database);
  } finally {
    // What is not committed is taken back.
    database.close();
  }
}

/** At once, if `work` is done at once. */
function inTransaction<T>(database: DatabaseSync, work: () => MaybePromise<T>): MaybePromise<T> {
  const commit = (result: T): T => {
    database.exec('commit');
    return result;
  };
  const rollBack = (error: unknown): never => {
    if (database.isTransaction) database.exec('rollback');
    throw error;
  };
  database.exec('begin immediate');
  return rescued(() => whenKnown(work(), commit), rollBack);
}

/** Runs statements on a connection. */
export const runOn =
  (database: DatabaseSync) =>
  (sql: string, values: readonly StoredValue[] = []): StoredValue[][] => {
    const prepared = database.prepare(values.length > 0 ? sql.replaceAll(/\$(\d+)/g, '?$1') : sql);
    prepared.setReturnArrays(true);
    return prepared.all(...(values as readonly SQLInputValue[])) as never;
  };

function targetOf(database: DatabaseSync, limits: PieceLimits): MigrationTarget {
  const connection = new SqliteConnection(database);
  const run = runOn(database);
  const target: MigrationTarget = {
    kind: 'sqlite',
    place: 'SQLite',
    dialect: sqliteSchema,
    run,
    liveTables: () => liveTables(database),
    reader(resource) {
      const statements = new TableStatements(sqliteDialect, tableOf(resource));
      const list = (query: RowQuery) => connection.all(statements.list(query), [...(query.after ?? []), query.limit]);
      return { list };
    },
    transaction: async (work) => inTransaction(database, work),
    heldMs: ({ rows }, ms) => (rows?.pieces ? limits.pieceMs : ms),
    async make(steps, report) {
      // What takes long for itself, so that others can write in between.
      for (const group of grouped(steps, ({ rows }) => rows)) {
        await target.transaction(() => {
          for (const step of group) {
            report(step.what, step.estimate);
            make(database, step);
          }
        });
        const pieces = group[0]!.rows?.pieces;
        if (pieces) await inPieces(target, pieces, limits);
      }
    },
    async apply(file, guard) {
      const work = () => {
        execute(database, file);
        return recordMigration(run, file);
      };
      const guarded = async () => {
        await work();
        await guard?.(file);
      };
      await (file.marks.has('no transaction') ? work() : target.transaction(guarded));
    },
    rehearse: (work) =>
      work({
        run: (file) => execute(database, file),
        make: (steps) => {
          for (const { sql } of steps) database.exec(sql);
        },
      }),
  };
  return target;
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
  // No transaction changes it, and a file that runs in none may have.
  database.exec('pragma foreign_keys = on');
}

/**
 * Migrates the tables to the contract, in one transaction. Throws `MigrationError`, and changes nothing, when data
 * could be lost.
 */
export function migrateTables(database: DatabaseSync, resources: readonly ResourceDescriptor[]): void {
  void inTransaction(database, () => {
    const live = liveTables(database);
    const { steps, differences } = planMigration(sqliteSchema, resources, live);
    refuseLoss(
      differences.filter(({ rows }) => rows?.kind !== 'filled' || !rows.isHarmless || isFilled(database, rows)),
    );
    for (const step of [...planOwnTables('sqlite', live), ...steps]) makeWhole(database, step);
  });
}

/** Whether a column has values, which its loss would take. */
const isFilled = (database: DatabaseSync, { table, column }: { readonly table: string; readonly column: string }) =>
  database.prepare(`select 1 from ${quote(table)} where ${quote(column)} is not null limit 1`).get() !== undefined;

function make(database: DatabaseSync, { what, sql, makes, drops }: Step): void {
  try {
    database.exec(sql);
  } catch (error) {
    throw (error as { errcode?: number }).errcode === UNIQUE ? duplicateRows({ what }, error as Error) : error;
  }
  if (makes) recordMade(runOn(database), makes);
  if (drops !== undefined) forgetMade(runOn(database), drops);
}

/** With all rows at once, within the transaction that goes on. */
function makeWhole(database: DatabaseSync, step: Step): void {
  make(database, step);
  const { next, end } = step.rows?.pieces ?? {};
  if (next) database.exec([...next(Number.MAX_SAFE_INTEGER, undefined), end].join(';\n'));
}
