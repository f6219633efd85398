import { setTimeout as delay } from 'node:timers/promises';
import { postgresSchema } from '../../../descriptor/migration/postgres-schema.ts';
import { postgresSearches, type TrigramSupport } from '../../../descriptor/migration/postgres-searches.ts';
import type { Step } from '../../../descriptor/migration/schema-dialect.ts';
import { duplicateRows } from '../migration/migration-error.ts';
import type { MigrationTarget } from '../migration/migrator.ts';
import { liveTables } from './live-tables.ts';
import { PostgresConnection, type Query } from './postgres-connection.ts';
import { isPostgresError } from './postgres-errors.ts';

const OWN_TABLES = [
  'create table if not exists lockstep_secret (name text primary key, value bytea not null)',
  `create table if not exists lockstep_memory (
     key text collate "C" primary key, value text not null, expires_at timestamptz not null)`,
  'create index if not exists lockstep_memory_expires_at_index on lockstep_memory (expires_at)',
  `create table if not exists lockstep_migration (
     name text collate "C" primary key, digest text not null, applied_at timestamptz not null)`,
];

/** Key of the advisory lock: "lockstep" in ASCII, as eight bytes. */
const LOCK_KEY = Buffer.from('lockstep').readBigInt64BE().toString();
const LOCK_POLL_MS = 50;
const CONNECT_TIMEOUT_MS = 5_000;
const UNIQUE_VIOLATION = '23505';

/** Runs `work` on the database while no other migration runs, waiting for its turn. */
export async function lockedPostgres<T>(url: string, work: (target: MigrationTarget) => Promise<T>): Promise<T> {
  const nameOf = () => undefined;
  const connection = new PostgresConnection({
    url,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    statementTimeoutMs: 0,
    nameOf,
  });
  await connection.open();
  const query = connection.pinnedQuery();
  try {
    // Polls: a statement that waits for the lock holds a snapshot, and `create index concurrently` waits for snapshots.
    while ((await query('select pg_try_advisory_lock($1::bigint)', [LOCK_KEY])).rows[0]![0] !== 't')
      await delay(LOCK_POLL_MS);
    return await work(targetOf(query, await trigramSupport(query)));
  } finally {
    await connection.close();
  }
}

function targetOf(query: Query, support: TrigramSupport): MigrationTarget {
  const inOneTransaction = async (work: () => Promise<void>): Promise<void> => {
    await query('begin');
    try {
      await work();
      await query('commit');
    } catch (error) {
      await query('rollback');
      throw error;
    }
  };
  return {
    dialect: { ...postgresSchema, searches: postgresSearches(support) },
    liveTables: () => liveTables(query),
    async prepare() {
      for (const sql of OWN_TABLES) await query(sql);
    },
    async applied() {
      if ((await query("select to_regclass('lockstep_migration')")).rows[0]![0] === null) return new Map();
      const { rows } = await query('select name, digest from lockstep_migration');
      return new Map(rows.map(([name, digest]) => [name!, digest!]));
    },
    apply: ({ name, sql, digest }) =>
      inOneTransaction(async () => {
        await query(sql);
        await query('insert into lockstep_migration values ($1, $2, now())', [name, digest]);
      }),
    async run(steps) {
      await inOneTransaction(async () => {
        for (const { sql, isConcurrent } of steps) if (!isConcurrent) await query(sql);
      });
      for (const step of steps) if (step.isConcurrent) await buildIndex(query, step);
    },
  };
}

/** A trusted extension can be installed by whoever may create schemas in the database (PostgreSQL, CREATE EXTENSION). */
const TRIGRAMS = `
  select (select n.nspname from pg_extension e join pg_namespace n on n.oid = e.extnamespace where extname = 'pg_trgm'),
    has_database_privilege(current_database(), 'create') and exists (
      select from pg_available_extension_versions where name = 'pg_trgm'
      and (trusted or (select rolsuper from pg_roles where rolname = current_user)))`;

async function trigramSupport(query: Query): Promise<TrigramSupport> {
  const [schema, isInstallable] = (await query(TRIGRAMS)).rows[0]!;
  if (schema) return { kind: 'installed', schema };
  return { kind: isInstallable === 't' ? 'installable' : 'missing' };
}

/** Builds an index. When that fails, Postgres leaves an invalid index behind, which is dropped. */
async function buildIndex(query: Query, step: Step): Promise<void> {
  try {
    await query(step.sql);
  } catch (error) {
    const name = /^create .*index concurrently ("[^"]+")/.exec(step.sql)?.[1];
    if (name) await query(`drop index if exists ${name}`);
    throw isPostgresError(error) && error.code === UNIQUE_VIOLATION ? duplicateRows(step, error) : error;
  }
}
