import type { Layout } from '../../src/descriptor/layout.ts';
import type { ResourceDescriptor } from '../../src/descriptor/resource.ts';
import { migrate } from '../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../src/runtime/storage/postgres/postgres-store.ts';
import { administer } from '../../src/tools/postgres-database.ts';
import { endedByTests } from './clean-up.ts';
import { type DatabaseKind, STATEMENT_TIMEOUT_MS } from './databases.ts';
import { borrowDatabase, hasPostgres, makeDatabase, SERVER } from './postgres.ts';

/** Functions with the names and arguments of Citus, which record their calls, and the order of all other changes. */
export const FAKE_CITUS = `
  insert into pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
    values (4000000, 'citus', 10, 'public'::regnamespace, false, '13.2-1');
  create schema fake;
  create table fake.calls (n int generated always as identity, call text);
  create table public.pg_dist_partition (logicalrel regclass);
  create function create_distributed_table(name regclass, distribution_column text, colocate_with text default 'default')
    returns void language sql as $$
      insert into fake.calls (call) values (format('distribute %s by %s beside %s', name, distribution_column, colocate_with));
      insert into public.pg_dist_partition values (name) $$;
  create function create_reference_table(name regclass) returns void language sql as $$
    insert into fake.calls (call) values (format('copy %s', name)); insert into public.pg_dist_partition values (name) $$;
  create function citus_add_local_table_to_metadata(name regclass) returns void language sql as $$
    insert into fake.calls (call) values (format('add %s', name)); insert into public.pg_dist_partition values (name) $$;
  create function citus_relation_size(regclass) returns bigint language sql as $$ select pg_relation_size($1) $$;
  create function fake.watch() returns event_trigger language plpgsql as $$
    begin
      insert into fake.calls (call)
        select format('%s %s', lower(command_tag), object_identity) from pg_event_trigger_ddl_commands()
        where command_tag in ('CREATE TABLE', 'ALTER TABLE', 'CREATE TRIGGER') and object_identity !~ 'lockstep_';
    end $$;
  create event trigger watch on ddl_command_end execute function fake.watch()`;

/** Whether the server has Citus; if not, functions of its names stand in for it, on the tables of one server. */
export const offersCitus =
  hasPostgres && (await administer(SERVER, "select from pg_available_extensions where name = 'citus'")).length > 0;

const COUNTING = `do $$ begin
  execute format('alter database %I set citus.enable_stat_counters = on', current_database());
end $$`;

const CITUS: Layout = { kind: 'citus' };

/** A database with Citus and tables of it, or with what stands in for it, which others borrow, too. */
async function makeCitus(resources: readonly ResourceDescriptor[]): ReturnType<typeof borrowDatabase> {
  const migrated = (url: string) =>
    lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [], layout: CITUS }));
  if (!offersCitus)
    return borrowDatabase(JSON.stringify([CITUS, resources]), async (url) => {
      await administer(url, FAKE_CITUS);
      await migrated(url);
    });
  const url = await makeDatabase();
  await administer(url, 'create extension citus');
  await administer(url, COUNTING);
  await migrated(url);
  return { url, giveBack: async () => {} };
}

/** How many statements of a database have been about several nodes, of those that Citus has counted. */
export async function multiShardStatements(url: string): Promise<number> {
  const database = '(select oid from pg_database where datname = current_database())';
  const [row] = await administer(url, `select query_execution_multi_shard as n from citus_stat_counters(${database})`);
  return Number(row?.['n']);
}

/** Postgres with the layout `citus`. */
export const citus: DatabaseKind = {
  name: offersCitus ? 'Citus' : 'Postgres in the place of Citus',
  layout: CITUS,
  open: (resources) => openCitus(resources),
};

/** The same, with the URL of the database. */
export async function openCitus(resources: readonly ResourceDescriptor[]) {
  const { url, giveBack } = await makeCitus(resources);
  const store = await openPostgresStore({ url, resources, connections: 5, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
  const close = endedByTests(async () => {
    await store.close();
    await giveBack();
  });
  return { url, store, close };
}
