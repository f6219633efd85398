import { beforeAll, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { workshop } from '../../support/workshop.ts';

/** Functions with the names and arguments of Citus, which record their calls, and the order of all other changes. */
const FAKE = `
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
    insert into fake.calls (call) values (format('add %s', name)) $$;
  create function citus_relation_size(regclass) returns bigint language sql as $$ select pg_relation_size($1) $$;
  create function fake.watch() returns event_trigger language plpgsql as $$
    begin
      insert into fake.calls (call)
        select format('%s %s', lower(command_tag), object_identity) from pg_event_trigger_ddl_commands()
        where command_tag in ('CREATE TABLE', 'ALTER TABLE', 'CREATE TRIGGER') and object_identity !~ 'lockstep_';
    end $$;
  create event trigger watch on ddl_command_end execute function fake.watch()`;

let resources: readonly ResourceDescriptor[] = [];
beforeAll(async () => {
  resources = (await workshop()).resources;
});

it.skipIf(!hasPostgres)('tables are distributed when they are made, and before they refer to each other', async () => {
  const { url, drop } = await makeDatabase();
  await administer(url, FAKE);
  const wanted = { resources, handWritten: [], layout: { kind: 'citus' } as const };
  await lockedPostgres(url, (target) => migrate(target, wanted));
  const calls = (await administer(url, 'select call from fake.calls order by n')).map(({ call }) => String(call));
  const isCall = (call: string) => /^(?:distribute|copy|add) /.test(call);
  expect(calls.filter(isCall)).toEqual([
    'distribute machines by tenant_id beside default',
    'distribute machines_jobs by tenant_id beside "machines"',
    'distribute machines_notes by tenant_ beside "machines"',
    'distribute workers by tenant_id beside "machines"',
    'copy standards',
    'add lockstep_memory',
  ]);
  const at = (test: (call: string) => boolean): number => calls.findIndex(test);
  const lastTable = calls.findLastIndex((call) => call.startsWith('create table'));
  const firstChange = at((call) => call.startsWith('alter table'));
  expect(lastTable).toBeLessThan(at(isCall));
  expect(calls.findLastIndex(isCall)).toBeLessThan(firstChange);
  expect(calls.filter((call) => call.startsWith('create trigger'))).toEqual([]);
  const columns = await administer(
    url,
    "select attgenerated from pg_attribute where attname = 'machines_name__words' and attgenerated = 's'",
  );
  expect(columns.length).toBeGreaterThan(0);
  const nulls = await administer(url, "select conname from pg_constraint where contype = 'f' and confdeltype = 'n'");
  expect(nulls.map(({ conname }) => conname)).toEqual(['machines_standard_id_fkey']);
  const settings = await administer(
    url,
    'select setconfig from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = current_database())',
  );
  expect(JSON.stringify(settings)).toContain('citus.multi_shard_modify_mode=sequential');
  const again = await lockedPostgres(url, (target) => plan(target, { resources, handWritten: [] }));
  expect(again).toMatchObject({ steps: [], differences: [] });
  await drop();
});
