import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { administer, makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import { endedByTests } from './clean-up.ts';
import { isAvailable } from './service-availability.ts';

/** Where the tests find a Postgres that they may make databases in. */
export const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres:postgres@127.0.0.1:5432/postgres';

/** In the names of all databases of a run, its workers' included. */
const RUN = process.env['TEST_RUN'] ?? randomBytes(4).toString('hex');
process.env['TEST_RUN'] = RUN;

async function answers(): Promise<boolean> {
  const client = new pg.Client({ connectionString: SERVER, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Whether the tests on Postgres run. With `REQUIRE_POSTGRES=true` they do, and fail without a server. */
export const hasPostgres = await isAvailable('POSTGRES', answers);

/** An empty database; its URL, and how to drop it. */
export async function makeDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const { url, drop } = await makeDatabaseOn(SERVER, `test_${RUN}`);
  return { url, drop: endedByTests(drop) };
}

/** Databases that are empty again, by the tables that they have. */
const emptied = new Map<string, string[]>();

/**
 * A database with the tables that `migrate` makes, and no rows; its URL, and how to give it back. To make and to drop
 * one takes Postgres long, so that others with the same tables (the same `kind`) get it once more.
 */
export async function borrowDatabase(
  kind: string,
  migrate: (url: string) => Promise<unknown>,
): Promise<{ readonly url: string; giveBack(): Promise<void> }> {
  const idle = emptied.get(kind) ?? [];
  emptied.set(kind, idle);
  const url = idle.pop() ?? (await migrated(migrate));
  return {
    url,
    async giveBack() {
      await administer(url, EMPTY_ALL);
      idle.push(url);
    },
  };
}

const bare: string[] = [];

/** A database without tables, which loses all its schemas when it is given back; for tests that change nothing else of it. */
export async function borrowEmptyDatabase(): ReturnType<typeof borrowDatabase> {
  const url = bare.pop() ?? (await migrated(async () => undefined));
  return {
    url,
    async giveBack() {
      await administer(url, DROP_SCHEMAS);
      bare.push(url);
    },
  };
}

async function migrated(migrate: (url: string) => Promise<unknown>): Promise<string> {
  const { url } = await makeDatabaseOn(SERVER, `test_${RUN}`);
  await migrate(url);
  return url;
}

/** To truncate a table takes Postgres a file, and as long as a test. */
const EMPTY_ALL = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'lockstep_migration'
  loop execute format('delete from %I', name); end loop;
end $$`;

const DROP_SCHEMAS = `do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname !~ '^pg_|^information_schema$'
  loop execute format('drop schema %I cascade', name); end loop;
  create schema public;
  grant usage on schema public to public;
end $$`;

/** At the end of a run: what is left of its databases is dropped, whatever became of the worker that made them. */
export default function dropDatabases(): () => Promise<void> {
  return async () => {
    if (!hasPostgres) return;
    const names = `select datname from pg_database where datname like 'lockstep\\_test\\_${RUN}\\_%'`;
    for (const { datname } of await administer(SERVER, names))
      await administer(SERVER, `drop database if exists ${datname} with (force)`);
  };
}
