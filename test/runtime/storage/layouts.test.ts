import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/descriptor/config-error.ts';
import { type Layout, layoutNamed, nameOfLayout } from '../../../src/descriptor/layout.ts';
import { layoutIn } from '../../../src/descriptor/migration/layout-in.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { copyRows } from '../../../src/runtime/storage/database/copy.ts';
import { migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { lockedSqlite } from '../../../src/runtime/storage/sqlite/sqlite-migration.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { property, resource } from '../../support/descriptors.ts';
import { withFolder } from '../../support/folder.ts';
import { borrowEmptyDatabase, hasPostgres } from '../../support/postgres.ts';
import { oneIn } from '../../support/thorough.ts';
import { NORTH, SOUTH, workshop } from '../../support/workshop.ts';

const LAYOUTS: readonly Layout[] = ['plain', 'tenants', 'tenants/2'].map((name) => layoutNamed(name)!);
const named = LAYOUTS.map((layout) => ({ layout, name: nameOfLayout(layout) }));

let resources: readonly ResourceDescriptor[] = [];
beforeAll(async () => {
  resources = (await workshop()).resources;
});

const edited = (edits: Readonly<Record<string, (one: ResourceDescriptor) => ResourceDescriptor>>) =>
  resources.map((one) => edits[one.key]?.(one) ?? one);

/** The same without searches, keys, filters, and references but those that are there to stay. */
const earlier = () =>
  edited({
    machines: ({ list, ...one }) => ({
      ...one,
      list: { ...list!, filters: [], sorts: [], search: [], defaultSort: [] } as never,
      unique: [],
      properties: one.properties.filter(({ name }) => name !== 'standardId'),
    }),
    'machines.jobs': (one) => ({
      ...one,
      unique: [],
      list: { ...one.list!, filters: [], sorts: [{ value: 'title', property: 'title', direction: 'asc' }] },
      properties: one.properties.map((own) => (own.name === 'workerId' ? references(own, 'restrict') : own)),
    }),
    'machines.notes': (one) => ({
      ...one,
      properties: one.properties.map(({ references: _, ...own }) =>
        own.name === 'workerId' ? own : { ...own, ...(_ && { references: _ }) },
      ),
    }),
  }).map(withoutSearch);

const references = (own: PropertyDescriptor, onDelete: 'restrict' | 'cascade' | 'set-null'): PropertyDescriptor => ({
  ...own,
  references: { ...own.references!, onDelete },
});

function withoutSearch(one: ResourceDescriptor): ResourceDescriptor {
  if (!one.list?.search) return one;
  const { search: _, ...list } = one.list;
  return { ...one, list };
}

/** The contract, and more: texts that filters search, and one more level of references. */
const later = () =>
  edited({
    machines: (one) => ({
      ...one,
      list: {
        ...one.list!,
        filters: [
          ...one.list!.filters,
          { parameter: 'code', property: 'code', shape: 'object', operators: ['contains'] },
        ],
      },
    }),
  });

const migrated = (url: string, to: readonly ResourceDescriptor[], layout?: Layout) =>
  lockedPostgres(url, (target) => migrate(target, { resources: to, handWritten: [], layout }, { mayDrop: true }));

/** Rows of two tenants, as SQL that fits each layout. */
async function fill(url: string): Promise<void> {
  const has = await administer(url, "select from information_schema.columns where column_name = 'tenant_'");
  for (const [i, tenant] of [NORTH, SOUTH].entries()) {
    const [machine, worker] = [randomUUID(), randomUUID()];
    const common = 'id, version, created_at, updated_at';
    const values = (id: string) => `'${id}', 1, now(), now()`;
    await administer(
      url,
      `insert into workers (${common}, tenant_id, name, email, retired) values (${values(worker)}, '${tenant}', 'Ann', 'a${i}@b.c', false)`,
    );
    await administer(
      url,
      `insert into machines (${common}, tenant_id, code, name, state) values (${values(machine)}, '${tenant}', 'M1', 'lathe', 'IDLE')`,
    );
    for (const title of ['a', 'b'])
      await administer(
        url,
        `insert into machines_jobs (${common}, tenant_id, machine_id, title, worker_id) values (${values(randomUUID())}, '${tenant}', '${machine}', '${title}', '${worker}')`,
      );
    const [column, value] = has.length > 0 ? [', tenant_', `, '${tenant}'`] : ['', ''];
    await administer(
      url,
      `insert into machines_notes (${common}, machine_id, text, worker_id${column}) values (${values(randomUUID())}, '${machine}', 'oiled', '${worker}'${value})`,
    );
  }
}

/** The tables but for the order of their columns. */
async function shapeOf(url: string): Promise<unknown> {
  const constraints = await administer(
    url,
    `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as is, convalidated from pg_constraint
     where connamespace = 'public'::regnamespace and conparentid = 0 order by 1, 2`,
  );
  const indexes = await administer(
    url,
    `select i.relname, pg_get_indexdef(x.indexrelid) as is, x.indisvalid from pg_index x join pg_class i on i.oid = x.indexrelid
     where i.relnamespace = 'public'::regnamespace and i.relname not like 'lockstep%' order by 1`,
  );
  return { constraints, indexes };
}

/** A test is about one in so many of the moments to be killed at, from the one of its number on. */
const MOMENTS = 34;
const PARTS = oneIn(
  MOMENTS,
  Array.from({ length: MOMENTS }, (_, i) => i + 1),
);

describe.skipIf(!hasPostgres).each(named)('the layout $name', ({ layout, name }) => {
  const isPlain = layout.kind === 'plain';

  it('is made in a new database, read from its tables, and needs no setting then', async () => {
    const { url, giveBack } = await borrowEmptyDatabase();
    await migrated(url, resources, layout);
    const live = await lockedPostgres(url, async (target) => target.liveTables());
    expect(layoutIn(resources, live)).toEqual(layout);
    expect(await lockedPostgres(url, (target) => plan(target, { resources, handWritten: [] }))).toMatchObject({
      steps: [],
      differences: [],
    });
    await giveBack();
  });

  it('refuses a setting that differs, and names what helps', async () => {
    const { url, giveBack } = await borrowEmptyDatabase();
    await migrated(url, resources, layout);
    const other = LAYOUTS.find((one) => one !== layout)!;
    const { host, pathname } = new URL(url);
    await expect(migrated(url, resources, other)).rejects.toThrow(
      `DATABASE_LAYOUT: the tables of Postgres at ${host}${pathname} are ${name}. npm run copy moves rows to a database of another layout.`,
    );
    await giveBack();
  });

  let expected: unknown;
  it.each(PARTS)(
    'does all later changes, killed at any moment, and writers go on (%i)',
    async (first) => {
      expected ??= await shapeAfterChanges(layout);
      let tried = 0;
      for (let changes = first; ; changes += MOMENTS) {
        const { url, giveBack } = await borrowEmptyDatabase();
        await migrated(url, earlier(), layout);
        await fill(url);
        const isKilled = await killedAfter(changes, url, () => migrated(url, later()));
        await killedAfter(Number.POSITIVE_INFINITY, url, () => migrated(url, later()));
        expect(await shapeOf(url), `killed after ${changes} statements`).toEqual(expected);
        const words = await administer(url, 'select from machines where machines_name__words is null');
        expect(words).toHaveLength(0);
        await giveBack();
        if (!isKilled) break;
        tried += 1;
      }
      expect(tried).toBeGreaterThan(0);
    },
    600_000,
  );

  it('keeps what is there if rows stand against a key', async () => {
    const { url, giveBack } = await borrowEmptyDatabase();
    await migrated(url, earlier(), layout);
    await fill(url);
    await administer(url, "update machines_jobs set title = 'a'");
    await expect(migrated(url, later())).rejects.toThrow(/rows have the same values as others/);
    await giveBack();
  });

  it.skipIf(isPlain)('refuses a reference to a row of another tenant by SQL', async () => {
    const { url, giveBack } = await borrowEmptyDatabase();
    await migrated(url, resources, layout);
    await fill(url);
    await expect(
      administer(url, `update machines_jobs j set worker_id = w.id from workers w where w.tenant_id <> j.tenant_id`),
    ).rejects.toThrow(/machines_jobs_worker_id_fkey/);
    await expect(
      administer(url, `update machines_notes n set worker_id = w.id from workers w where w.tenant_id <> n.tenant_`),
    ).rejects.toThrow(/machines_notes_worker_id_fkey/);
    await giveBack();
  });

  it.skipIf(isPlain)('refuses a copy of a row that refers to one of another tenant', async () => {
    const [plain, target] = [await borrowEmptyDatabase(), await borrowEmptyDatabase()];
    await migrated(plain.url, resources);
    await migrated(target.url, resources, layout);
    await fill(plain.url);
    await administer(
      plain.url,
      'update machines_jobs j set worker_id = w.id from workers w where w.tenant_id <> j.tenant_id',
    );
    const stores = [];
    for (const { url } of [plain, target]) stores.push(await openPostgresStore({ url, resources, connections: 3 }));
    await expect(copyRows(stores[0]!, stores[1]!, resources)).rejects.toThrow(
      /^--to: a row refers to one that is not there, or is of another tenant: .*machines_jobs_worker_id_fkey/,
    );
    expect(await stores[1]!.count('workers', [])).toBe(0);
    for (const store of stores) await store.close();
    for (const { giveBack } of [plain, target]) await giveBack();
  });

  it.skipIf(isPlain)('refuses in code of all tenants a reference to another, and finds its rows', async () => {
    const { url, giveBack } = await borrowEmptyDatabase();
    await migrated(url, resources, layout);
    await fill(url);
    const store = await openPostgresStore({ url, resources, connections: 3 });
    const all = { order: [{ property: 'id', direction: 'asc' }], limit: 9, conditions: [] } as const;
    const jobs = await store.list({ resource: 'machines.jobs', ...all });
    const workers = await store.list({ resource: 'workers', ...all });
    const { properties } = resources.find(({ key }) => key === 'machines.jobs')!;
    const at = (wanted: string) => properties.findIndex(({ name }) => name === wanted);
    const job = jobs[0]!;
    const other = workers.find((row) => row[4] !== job[at('tenantId')])!;
    const changed = job.with(at('workerId'), other[0]!);
    const update = store.transaction((transaction) => transaction.update('machines.jobs', changed, ['workerId']));
    await expect(update).rejects.toMatchObject({ failure: { kind: 'reference' } });
    const kept = await store.transaction((transaction) => transaction.update('machines.jobs', job, ['title']));
    expect(kept).toEqual(job);
    await store.close();
    await giveBack();
  });
});

/** More rows, whose keys and references are checked. */
async function fillAgain(url: string): Promise<void> {
  await expect(
    administer(url, `insert into machines_jobs select * from machines_jobs where title = 'a' limit 1`),
  ).rejects.toThrow(/duplicate key/);
  await expect(administer(url, `update machines_notes set worker_id = '${NORTH}'`)).rejects.toThrow(/foreign key/);
}

async function shapeAfterChanges(layout: Layout): Promise<unknown> {
  const { url, giveBack } = await borrowEmptyDatabase();
  await migrated(url, earlier(), layout);
  await fill(url);
  await migrated(url, later());
  const shape = await shapeOf(url);
  await fillAgain(url);
  await giveBack();
  return shape;
}

const CHANGE = /^(?:alter|create|drop|with some_|analyze|commit)\b/;

/**
 * Whether the connection of a migration was cut before its change of this number. At each change, another writes to the rows:
 * it may have to wait, and never fails.
 */
async function killedAfter(changes: number, url: string, work: () => Promise<unknown>): Promise<boolean> {
  const { query } = pg.Client.prototype;
  const writer = new pg.Client({ connectionString: url });
  await writer.connect();
  const writes: Promise<unknown>[] = [];
  let count = 0;
  let isKilled = false;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { readonly text?: string })?.text;
    if (CHANGE.test(text ?? '')) {
      count += 1;
      // Words are filled into the rows that nobody has locked.
      if (!text!.startsWith('with'))
        for (const table of ['machines', 'machines_jobs'])
          writes.push(writer.query(`update ${table} set version = version + 1`));
      if (count === changes) {
        isKilled = true;
        (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      }
    }
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as never;
  try {
    await work();
  } catch (error) {
    if (!isKilled) throw error;
  } finally {
    pg.Client.prototype.query = query;
    await Promise.all(writes);
    await writer.end();
  }
  return isKilled;
}

describe.skipIf(!hasPostgres)('a layout by tenant is refused before anything is made', () => {
  const tenants: Layout = { kind: 'tenants', partitions: 2 };

  async function refused(
    contract: readonly ResourceDescriptor[],
    layout: Layout,
    more: { readonly hasRowSecurity?: boolean; readonly hasReplica?: boolean } = {},
  ): Promise<readonly string[]> {
    const { url, giveBack } = await borrowEmptyDatabase();
    const wanted = { resources: contract, handWritten: [], layout, ...more };
    const error = await lockedPostgres(url, (target) => migrate(target, wanted)).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ConfigError);
    expect(await administer(url, "select from pg_tables where schemaname = 'public'")).toEqual([]);
    await giveBack();
    return (error as ConfigError).message.split('\n').map((line) => line.trim());
  }

  it('without x-tenant', async () => {
    const things = [resource('things', 'Thing', [property('name')])];
    expect(await refused(things, tenants)).toContain(
      'DATABASE_LAYOUT: tenants/2 needs x-tenant, which the contract does not have.',
    );
  });

  it('if callers choose ids, also by x-owner', async () => {
    const chosen = edited({
      machines: (one) => ({
        ...one,
        properties: one.properties.map((own) => (own.name === 'id' ? { ...own, origin: 'input' } : own)),
      }),
      workers: (one) => ({ ...one, owner: { property: 'id', reads: 'owner' } }),
    });
    const lines = await refused(chosen, tenants);
    for (const key of ['machines', 'workers'])
      expect(lines).toContain(
        `DATABASE_LAYOUT: callers choose the ids of ${key}. Keys that begin with the tenant cannot keep them unique over all tenants.`,
      );
  });

  it('if rows of all tenants refer to those of one', async () => {
    const referring = property('machineId', {
      type: 'uuid',
      references: { resource: 'machines', onDelete: 'set-null' },
    });
    const lines = await refused(
      edited({ standards: (one) => ({ ...one, properties: [...one.properties, referring] }) }),
      tenants,
    );
    expect(lines).toContain(
      'DATABASE_LAYOUT: standards.machineId refers to machines. Rows that all tenants share cannot refer to those of one.',
    );
  });

  it('on Citus without its extension, with a replica, and with row-level security, all at once', async () => {
    const lines = await refused(resources, { kind: 'citus' }, { hasRowSecurity: true, hasReplica: true });
    expect(lines.filter((line) => line.startsWith('DATABASE_LAYOUT: '))).toHaveLength(3);
    expect(lines.join()).toMatch(/does not have the extension citus\./);
  });

  it('on a Postgres before 15, which cannot set one column of a reference to null', async () => {
    const { url, giveBack } = await borrowEmptyDatabase();
    const wanted = { resources, handWritten: [], layout: tenants };
    const { host, pathname } = new URL(url);
    const on = (version: number) =>
      lockedPostgres(url, (target) => migrate({ ...target, layouts: { version, hasCitus: false } }, wanted));
    await expect(on(14)).rejects.toThrow(
      `DATABASE_LAYOUT: tenants/2 needs Postgres 15 or newer; Postgres at ${host}${pathname} is 14.`,
    );
    expect(await administer(url, "select from pg_tables where schemaname = 'public'")).toEqual([]);
    await on(15);
    await giveBack();
  });

  it('if a partition would have the name of a table, of the contract or of another program', async () => {
    const fault = 'DATABASE_LAYOUT: a partition of machines would have the name of the table machines_p0.';
    const things = { ...resource('things', 'Thing', [property('name')]), table: 'machines_p0' };
    expect(await refused([...resources, things], tenants)).toContain(fault);
    const { url, giveBack } = await borrowEmptyDatabase();
    await administer(url, 'create table machines_p0 (id int)');
    await expect(migrated(url, resources, tenants)).rejects.toThrow(fault);
    await administer(url, 'drop table machines_p0; create table machines_p2 (id int)');
    await migrated(url, resources, tenants);
    await expect(migrated(url, [...resources, things])).rejects.toThrow(fault);
    await giveBack();
  });

  it('on SQLite', () =>
    withFolder({}, async (folder) => {
      const work = lockedSqlite(`${folder}/some.db`, (target) =>
        migrate(target, { resources, handWritten: [], layout: tenants }),
      );
      await expect(work).rejects.toThrow('DATABASE_LAYOUT: tenants/2 needs Postgres');
    }));

  it('by a contract that comes later, in the same words', async () => {
    const { url, giveBack } = await borrowEmptyDatabase();
    await migrated(url, resources, tenants);
    const bare = resources.map(({ tenant: _, ...one }) => one);
    await expect(migrated(url, bare)).rejects.toThrow(
      'DATABASE_LAYOUT: tenants/2 needs x-tenant, which the contract does not have.',
    );
    await giveBack();
  });
});
