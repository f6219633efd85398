import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { administer, makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import { isAvailable } from './service-availability.ts';

/** Where the tests find a Postgres that they may make databases in. */
export const SERVER = process.env['TEST_POSTGRES_URL'] ?? 'postgres://postgres:postgres@127.0.0.1:5432/postgres';

/** In the names of all databases of a run, its workers' included. */
const RUN = process.env['TEST_RUN'] ?? randomBytes(4).toString('hex');
process.env['TEST_RUN'] = RUN;
const PURPOSE = `test_${RUN}`;

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

/**
 * An empty database; its URL. It is dropped at the end of the run: before it drops one, Postgres writes what it has in memory of all
 * others to the disk.
 */
export async function makeDatabase(): Promise<string> {
  return (await makeDatabaseOn(SERVER, PURPOSE)).url;
}

/** A role that is not a superuser, for one database; dropped at the end of the run. */
export async function makeRole(url: string): Promise<{ readonly role: string; readonly password: string }> {
  const [role, password] = [`lockstep_${PURPOSE}_${randomBytes(6).toString('hex')}`, 'secret'];
  await administer(url, `create role ${role} login password '${password}' nosuperuser`);
  return { role, password };
}

/** How to reach a database: its URL, and that of the superuser. */
interface Reached {
  readonly url: string;
  readonly admin: string;
}

/** Databases that are empty again, by the tables that they have. */
const emptied = new Map<string, Reached[]>();

/**
 * A database with the tables that `migrate` makes, and no rows; its URL, and how to give it back. To make one takes Postgres long, so
 * that others with the same tables (the same `kind`) get it once more. `make`: makes the empty one, if it is not the superuser's.
 */
export async function borrowDatabase(
  kind: string,
  migrate: (url: string) => Promise<unknown>,
  make: () => Promise<Reached> = superusers,
): Promise<{ readonly url: string; giveBack(): Promise<void> }> {
  const idle = emptied.get(kind) ?? [];
  emptied.set(kind, idle);
  const reached = idle.pop() ?? (await migrated(await make(), migrate));
  return {
    url: reached.url,
    async giveBack() {
      await administer(reached.admin, EMPTY_ALL);
      idle.push(reached);
    },
  };
}

async function superusers(): Promise<Reached> {
  const url = await makeDatabase();
  return { url, admin: url };
}

async function migrated(reached: Reached, migrate: (url: string) => Promise<unknown>): Promise<Reached> {
  await migrate(reached.url);
  return reached;
}

const bare: string[] = [];

/** A database without tables, which loses all its schemas when it is given back; for tests that change nothing else of it. */
export async function borrowEmptyDatabase(): ReturnType<typeof borrowDatabase> {
  const url = bare.pop() ?? (await makeDatabase());
  return {
    url,
    async giveBack() {
      await administer(url, DROP_SCHEMAS);
      bare.push(url);
    },
  };
}

/** To truncate a table takes Postgres a file, and as long as a test. */
const EMPTY_ALL = `do $$ declare name text; begin
  set local session_replication_role = replica;
  for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname not in ('lockstep_migration', 'pg_dist_partition')
  loop execute format('delete from %I', name); end loop;
end $$`;

const DROP_SCHEMAS = `do $$ declare name text; begin
  for name in select nspname from pg_namespace where nspname !~ '^pg_|^information_schema$'
  loop execute format('drop schema %I cascade', name); end loop;
  create schema public;
  grant usage on schema public to public;
end $$`;

/** How many databases are dropped at once: what one waits for, the others wait for, too. */
const AT_ONCE = 20;

/** At the end of a run, its databases and roles are dropped, whatever became of the worker that made them. */
export default function dropDatabases(): () => Promise<void> {
  return async () => {
    if (!hasPostgres) return;
    const named = async (catalog: string, column: string): Promise<string[]> => {
      const rows = await administer(SERVER, `select ${column} from ${catalog} where ${column} like '${OF_RUN}'`);
      return rows.map((row) => String(row[column]));
    };
    const names = await named('pg_database', 'datname');
    const dropNext = async (): Promise<void> => {
      for (let name = names.pop(); name; name = names.pop())
        await administer(SERVER, `drop database if exists ${name} with (force)`);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, dropNext));
    for (const role of await named('pg_roles', 'rolname')) await administer(SERVER, `drop role ${role}`);
  };
}

const OF_RUN = `lockstep\\_test\\_${RUN}\\_%`;
