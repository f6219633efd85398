import { setTimeout as delay } from 'node:timers/promises';
import { quote } from '../../../descriptor/migration/literal.ts';
import type { TableLock } from '../../../descriptor/migration/step.ts';
import { FailedMigrationError } from '../migration/hand-written.ts';
import { LockedTableError } from '../migration/migration-error.ts';
import type { Query } from './answer.ts';
import { isPostgresError } from './postgres-errors.ts';
import { given } from './values.ts';

/** How long a migration waits for locks that others hold. */
export interface LockLimits {
  /** For one attempt: as long may others wait behind it (`lock_timeout`). */
  readonly attemptMs: number;
  /** Between attempts, in which others get their turn. */
  readonly pauseMs: number;
  /** For all attempts. */
  readonly patienceMs: number;
}

export const LOCK_LIMITS: LockLimits = { attemptMs: 1_000, pauseMs: 500, patienceMs: 120_000 };

/** While one table is locked, the lock of another is hardly waited for: who waits for the first has to wait as well. */
const FURTHER_LOCK_MS = 50;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/**
 * Runs `work` in one transaction that holds a lock on tables. Locks are waited for briefly and again, each time for
 * another table first, so that a reader who takes long delays nobody but those of its own table, and these never for
 * longer than an attempt. Throws `LockedTableError` when the patience is at its end.
 */
export async function withTableLock(
  query: Query,
  lock: TableLock | undefined,
  limits: LockLimits,
  work: () => Promise<void>,
): Promise<void> {
  const tables = lock?.tables ?? [];
  const attempt = (turn: number) =>
    inTransaction(query, async () => {
      const order = tables.map((_, i) => tables[(i + turn) % tables.length]!);
      for (const [i, table] of order.entries()) {
        await query(`set local lock_timeout = ${i === 0 ? limits.attemptMs : FURTHER_LOCK_MS}`);
        await query(`lock table ${quote(table)} in ${lock!.mode} mode`);
      }
      await query(`set local lock_timeout = ${limits.attemptMs}`);
      await work();
    });
  await retryLocked(query, tables, limits, attempt);
}

/** Repeats what cannot get a lock. `attempt` gets the number of attempts before it. */
export async function retryLocked<T>(
  query: Query,
  tables: readonly string[],
  { pauseMs, patienceMs }: LockLimits,
  attempt: (turn: number) => Promise<T>,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let turn = 0; ; turn++) {
    try {
      return await attempt(turn);
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (performance.now() > until) throw await lockedError(query, tables, error);
    }
    await delay(pauseMs);
  }
}

/** Whether a statement, or that of a hand-written file, could not get a lock. */
function isLocked(error: unknown): boolean {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return isPostgresError(cause) && (cause.code === LOCK_NOT_AVAILABLE || cause.code === DEADLOCK_DETECTED);
}

/** Commits what `work` has done, or rolls it back when it throws. */
export async function inTransaction<T>(query: Query, work: () => Promise<T>): Promise<T> {
  await query('begin');
  try {
    const result = await work();
    await query('commit');
    return result;
  } catch (error) {
    // The connection may be gone, for the same reason.
    await query('rollback').catch(() => {});
    throw error;
  }
}

/** Who holds a lock on one of these tables. */
const HOLDERS = `
  select c.relname, a.pid, a.application_name, a.state, to_char(now() - a.xact_start, 'HH24:MI:SS'), left(a.query, 100)
  from pg_locks l join pg_stat_activity a on a.pid = l.pid join pg_class c on c.oid = l.relation
  where c.relname in (select jsonb_array_elements_text($1::jsonb)) and c.relkind in ('r', 'p') and a.datname = current_database() and l.granted
    and a.pid <> pg_backend_pid()
  group by 1, 2, 3, 4, 5, 6 order by 5 desc nulls last limit 5`;

/** A statement of a file may wait for any table that it names. */
async function lockedError(query: Query, tables: readonly string[], error: unknown): Promise<LockedTableError> {
  const named = error instanceof FailedMigrationError ? error.sql.split(/\W+/) : tables;
  const { rows } = await query(HOLDERS, [JSON.stringify(named)]);
  const held = new Set(rows.map(([table]) => given(table)));
  const holders = rows.map(
    ([, pid, name, state, age, sql]) => `process ${pid} (${name || 'no name'}, ${state}, ${age}): ${sql}`,
  );
  return new LockedTableError(held.size > 0 ? [...held] : tables, holders, error);
}
