import { PLAIN } from '../../../descriptor/layout.ts';
import { postgresSchema } from '../../../descriptor/migration/postgres-schema.ts';
import { postgresSearches, type TrigramSupport } from '../../../descriptor/migration/postgres-searches.ts';
import type { Step } from '../../../descriptor/migration/step.ts';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { tableOf } from '../../../descriptor/table.ts';
import { failedStatement, type HandWritten } from '../migration/hand-written.ts';
import { duplicateRows, PooledMigrationError } from '../migration/migration-error.ts';
import { inPieces } from '../migration/pieces.ts';
import { forgetMade, type RunSql, recordMade, recordMigration } from '../migration/records.ts';
import { type SqlStatement, sqlStatements } from '../migration/sql-statements.ts';
import { grouped, type MigrationTarget, type Report, type Trial } from '../migration/target.ts';
import { type Query, singleValue } from './answer.ts';
import { liveTables } from './live-tables.ts';
import type { Drift } from './mapped-drift.ts';
import { heldAgainst, refuseErrors } from './mapped-tables.ts';
import { inMigrationSession, type MigrationSession } from './migration-session.ts';
import { postgresAddress } from './postgres-address.ts';
import { isPostgresError } from './postgres-errors.ts';
import { PostgresReader, type Read } from './postgres-reader.ts';
import { postgresTables } from './postgres-tables.ts';
import { planRowSecurity } from './row-security.ts';
import { identityOf } from './standby.ts';
import { inTransaction, LOCK_LIMITS, type LockLimits, retryLocked, withTableLock } from './table-locks.ts';
import { given } from './values.ts';

const UNIQUE_VIOLATION = '23505';
/** Others wait for single rows at most, and need no pause. */
const PIECE_LIMITS = { pieceMs: 250, pauseMs: 0, clock: () => performance.now() };

/** Runs `work` on the database while no other migration runs, waiting for its turn. */
export function lockedPostgres<T>(
  url: string,
  work: (target: MigrationTarget) => Promise<T>,
  limits = LOCK_LIMITS,
): Promise<T> {
  return inMigrationSession(url, async (session) =>
    work(targetOf(session, await supportOf(session.query, url), limits)),
  );
}

/** Where mapped resources and the tables of a database part. */
export const driftIn = (url: string, resources: readonly ResourceDescriptor[]): Promise<readonly Drift[]> =>
  inMigrationSession(url, async ({ query }) => (await heldAgainst(query, resources)).drift);

/** What a server has that a migration may need. */
interface Support extends Required<Pick<MigrationTarget, 'place' | 'layouts'>> {
  readonly schema: string | undefined;
  readonly trigrams: TrigramSupport;
}

function targetOf({ query, isPooled }: MigrationSession, support: Support, limits: LockLimits): MigrationTarget {
  const run: RunSql = async (sql, values = []) => (await query(sql, values)).rows;
  const target: MigrationTarget = {
    kind: 'postgres',
    place: support.place,
    layouts: support.layouts,
    dialect: { ...postgresSchema, searches: postgresSearches(support.trigrams) },
    run,
    rowSecurity: (tables, isOn) => planRowSecurity(run, tables, isOn),
    narrowEncoding: async () => narrow(singleValue(await query('show server_encoding'))),
    identity: () => identityOf(query),
    liveTables: () => liveTables(query),
    prepare: () => makeSchema(query, support.schema),
    refuseDrift: async (mapped) => refuseErrors((await heldAgainst(query, mapped)).drift),
    strangeTables: async () => (await query(STRANGE)).rows.map(([name]) => given(name)),
    reader(resource, tenant) {
      const table = tableOf(resource, PLAIN, tenant && new Map([[resource.key, tenant]]));
      const read: Read = (_table, _isBounded, sql, values) => query(sql, values);
      return new PostgresReader(postgresTables([table]), read);
    },
    transaction: (work) => inTransaction(query, async () => work()),
    heldMs: ({ lock }) => (lock ? limits.attemptMs : 0),
    async make(steps, report) {
      for (const group of grouped(steps, lockOf))
        if (group[0]!.isConcurrent) await alone(query, target, group[0]!, report);
        else await together(query, run, group, limits, report, support.layouts.hasCitus);
    },
    apply(file, guard) {
      if (!file.marks.has('no transaction')) return applyTogether(query, run, file, limits, guard);
      if (isPooled) throw new PooledMigrationError(file);
      return applyAlone(query, run, file, limits);
    },
    rehearse: (work) => rehearse(query, limits, work),
  };
  return target;
}

/** Tables on the search path, but for those of extensions, if none of them is Lockstep's. */
const STRANGE = `
  with found as (
    select n.nspname, c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any (current_schemas(false)) and c.relkind in ('r', 'p') and not c.relispartition
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))
  select nspname || '.' || relname from found
  where not exists (select from found where relname like 'lockstep\\_%') order by 1`;

/** Bytes are kept as they are in SQL_ASCII. */
const narrow = (encoding: string): string | undefined =>
  encoding === 'UTF8' || encoding === 'SQL_ASCII' ? undefined : encoding;

/** A trusted extension can be installed by whoever may create schemas in the database (PostgreSQL, CREATE EXTENSION). */
const TRIGRAMS = `
  select (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'),
    has_database_privilege(current_database(), 'create') and exists (
      select from pg_available_extension_versions where name = 'pg_trgm'
      and (trusted or (select rolsuper from pg_roles where rolname = current_user)))`;

const LAYOUTS = `
  select current_setting('server_version_num'), exists (select from pg_extension where extname = 'citus')`;

async function supportOf(query: Query, url: string): Promise<Support> {
  const [[version, hasCitus] = []] = (await query(LAYOUTS)).rows;
  const layouts = { version: Math.floor(Number(version) / 10_000), hasCitus: hasCitus === 't' };
  const { name, schema } = postgresAddress(url) ?? {};
  return { trigrams: await trigramSupport(query), place: `Postgres at ${name}`, layouts, schema };
}

/** `create schema if not exists` takes a right also where it exists. */
async function makeSchema(query: Query, schema: string | undefined): Promise<void> {
  if (schema === undefined) return;
  const isThere = singleValue(await query('select exists (select from pg_namespace where nspname = $1)', [schema]));
  if (isThere !== 't') await query(`create schema ${postgresSchema.quote(schema)}`);
}

async function trigramSupport(query: Query): Promise<TrigramSupport> {
  const [schema, isInstallable] = (await query(TRIGRAMS)).rows[0]!;
  if (schema) return { kind: 'installed', schema };
  return { kind: isInstallable === 't' ? 'installable' : 'missing' };
}

/** Steps that take the same lock, or none, share a transaction; those that are concurrent run by themselves. */
const lockOf = ({ isConcurrent, lock }: Step): unknown => (isConcurrent ? Symbol() : JSON.stringify(lock ?? null));

async function together(
  query: Query,
  run: RunSql,
  steps: readonly Step[],
  limits: LockLimits,
  report: Report,
  isSingle: boolean,
): Promise<void> {
  await withTableLock(query, steps[0]!.lock, limits, async () => {
    for (const step of steps) {
      report(step.what, step.estimate);
      // Citus passes on one statement at a time.
      for (const sql of isSingle ? sqlStatements(step.sql, 'postgres').map((one) => one.sql) : [step.sql])
        await query(sql);
      if (step.makes) await recordMade(run, step.makes);
    }
  });
}

/**
 * Runs one step outside a transaction. What it makes is recorded before: an index that is not finished, because this
 * process was killed, is known to be Lockstep's own.
 */
async function alone(query: Query, target: MigrationTarget, step: Step, report: Report): Promise<void> {
  const { run } = target;
  const { what, sql, makes, drops, rows, each, undo = [] } = step;
  report(what, step.estimate);
  if (makes) await recordMade(run, makes);
  try {
    if (rows?.pieces) await inPieces(target, rows.pieces, PIECE_LIMITS);
    else for (const statement of each ?? [sql]) await query(statement);
  } catch (error) {
    for (const statement of undo) await query(statement);
    // Postgres leaves an index behind that is not valid.
    if (makes && sql.startsWith('create ')) {
      await query(`drop index if exists ${postgresSchema.quote(makes.name)}`);
      await forgetMade(run, makes.name);
    }
    throw isPostgresError(error) && error.code === UNIQUE_VIOLATION ? duplicateRows(step, error) : error;
  }
  if (drops !== undefined) await forgetMade(run, drops);
}

async function applyTogether(
  query: Query,
  run: RunSql,
  file: HandWritten,
  limits: LockLimits,
  guard?: (file: HandWritten) => Promise<void>,
): Promise<void> {
  await retryLocked(query, [], limits, () =>
    inTransaction(query, async () => {
      await query(`set local lock_timeout = ${limits.attemptMs}`);
      for (const statement of file.statements) await execute(query, file, statement);
      await guard?.(file);
      await recordMigration(run, file);
    }),
  );
}

async function applyAlone(query: Query, run: RunSql, file: HandWritten, limits: LockLimits): Promise<void> {
  for (const statement of file.statements) {
    // An index that is built concurrently keeps nobody waiting, and cannot be tried twice.
    const timeoutMs = /\bconcurrently\b/i.test(statement.sql) ? 0 : limits.attemptMs;
    await query(`set lock_timeout = ${timeoutMs}`);
    await retryLocked(query, [], limits, () => execute(query, file, statement));
  }
  await query('set lock_timeout = 0');
  await recordMigration(run, file);
}

async function rehearse<T>(query: Query, limits: LockLimits, work: (trial: Trial) => Promise<T>): Promise<T> {
  const trial: Trial = {
    async run(file) {
      for (const statement of file.statements) await execute(query, file, statement);
    },
    // Tables without rows: what runs outside a transaction elsewhere makes no difference to a file.
    async make(steps) {
      for (const { sql, isConcurrent } of steps) if (!isConcurrent) await query(sql);
    },
  };
  return retryLocked(query, [], limits, async () => {
    await query('begin');
    try {
      await query(`set local lock_timeout = ${limits.attemptMs}`);
      return await work(trial);
    } finally {
      await query('rollback').catch(() => {});
    }
  });
}

/** Throws `FailedMigrationError`. */
async function execute(query: Query, file: HandWritten, statement: SqlStatement): Promise<void> {
  try {
    await query(statement.sql);
  } catch (error) {
    if (!isPostgresError(error)) throw error;
    throw failedStatement(file, statement, error, Number(error.position ?? 1));
  }
}
