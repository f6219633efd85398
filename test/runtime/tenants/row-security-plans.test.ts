import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tablesOf } from '../../../src/descriptor/table.ts';
import { searchCondition } from '../../../src/runtime/engine/lists/search-condition.ts';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { postgresTables } from '../../../src/runtime/storage/postgres/postgres-tables.ts';
import { scopeStatements } from '../../../src/runtime/storage/postgres/row-security.ts';
import { bind } from '../../../src/runtime/storage/statements/shapes.ts';
import type { Condition, RowQuery, Store } from '../../../src/runtime/storage/store.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { ownedDatabase } from '../../support/owned-database.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';
import { NORTH, workshop } from '../../support/workshop.ts';

const ROWS = 20_000;
/** One row in ten is of tenant `north`, one in a thousand has the word `rare` and is of it, or of another. */
const INSERT = `
  insert into issues (id, version, created_at, updated_at, tenant_id, project_id, title, status, priority)
  select gen_random_uuid(), 1, now(), now(), case when n % 10 < 1 or n % 1000 = 5 then 'north' else 'tenant ' || n % 50 end,
    gen_random_uuid(), case when n % 500 = 5 then 'a rare thing' else 'thing ' || n end, 'OPEN', n % 5
  from generate_series(1, ${ROWS}) as n`;
const FOUND = ROWS / 1_000;

const TENANT: Condition = { property: 'tenantId', operator: 'eq', value: 'north' };
const SEARCH = searchCondition(['title', 'body'], 'rare');
const query = (conditions: readonly Condition[]): RowQuery => ({
  ...{ resource: 'issues', conditions, limit: 100 },
  order: [{ property: 'id', direction: 'asc' }],
});

/** Operators of indexes for texts may be told of no row before the policy has let it through (PostgreSQL, 41.5). */
describe.skipIf(!hasPostgres)('a search behind row-level security', () => {
  let database: Awaited<ReturnType<typeof ownedDatabase>>;
  let store: Store;
  let client: pg.Client;
  let sql: string;
  let values: readonly unknown[];

  beforeAll(async () => {
    const { resources } = await contractOf('tracker');
    database = await ownedDatabase();
    const wanted = { resources, handWritten: [], hasRowSecurity: true };
    await lockedPostgres(database.url, (target) => migrate(target, wanted));
    // No project is needed here.
    await administer(database.admin, 'alter table issues drop constraint issues_project_id_fkey');
    await administer(database.admin, INSERT);
    await administer(database.admin, 'analyze issues');
    store = await openPostgresStore({ url: database.url, resources, connections: 2, hasRowSecurity: true });
    const listed = postgresTables(tablesOf(resources))
      .get('issues')!
      .statements.list(query([TENANT, SEARCH]));
    ({ sql } = listed);
    values = bind(listed.slots, ['north', "'1rare':*|'2rare':*", 100]);
    client = new pg.Client(database.url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await store.close();
  });

  async function plan(): Promise<string> {
    await client.query(`begin; ${scopeStatements({ kind: 'tenant', tenant: 'north' })}`);
    const { rows } = await client.query(`explain (analyze, costs off, timing off) ${sql}`, [...values]);
    await client.query('commit');
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  }

  async function finds(): Promise<void> {
    const reader = store.within!({ kind: 'tenant', tenant: 'north' });
    for (const conditions of [[TENANT, SEARCH], [SEARCH]]) {
      const found = await reader.list(query(conditions));
      expect(found).toHaveLength(FOUND);
      expect(found.every((row) => row.includes('north'))).toBe(true);
    }
    expect(await store.within!({ kind: 'none' }).list(query([SEARCH]))).toEqual([]);
    expect(await store.list(query([SEARCH]))).toHaveLength(2 * FOUND);
  }

  it('reads the rows of its tenant by an index, and of no other', async () => {
    const read = await plan();
    expect(read).toMatch(/Index Cond: \(tenant_id = /);
    expect(read).not.toContain('Seq Scan');
    const removed = [...read.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(...removed)).toBeLessThan(ROWS / 5);
  });

  it('finds what there is of its tenant, also where conditions are forgotten', finds);

  it('asks the index of words where somebody vouches for its operator, and finds the same', async () => {
    await administer(database.admin, 'alter function ts_match_vq(tsvector, tsquery) leakproof');
    expect(await plan()).toMatch(/Index Cond: \(\S+__words @@ /);
    await finds();
  });
});

/** Of a policy that asks whether there `exists` a row above, the planner would read them all. */
describe.skipIf(!hasPostgres)('a list of rows below those of tenants, behind row-level security,', () => {
  it('reads its own rows, and the one above by its id', async () => {
    const { resources } = await workshop();
    const database = await ownedDatabase();
    const wanted = { resources, handWritten: [], hasRowSecurity: true };
    await lockedPostgres(database.url, (target) => migrate(target, wanted));
    await administer(
      database.admin,
      `insert into machines (id, version, created_at, updated_at, tenant_id, code, name, state)
      select gen_random_uuid(), 1, now(), now(), '${NORTH}', n, 'lathe', 'IDLE' from generate_series(1, 2000) as n;
      insert into machines_notes (id, version, created_at, updated_at, machine_id, text)
      select gen_random_uuid(), 1, now(), now(), (select id from machines where code = '1'), 'oiled' from generate_series(1, 100);
      analyze machines, machines_notes`,
    );
    const [machine] = await administer(database.admin, `select id from machines where code = '1'`);
    const notes = postgresTables(tablesOf(resources)).get('machines.notes')!.statements;
    const { sql } = notes.list({ ...query([{ property: 'machineId', operator: 'eq', value: '' }]), limit: 20 });
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query(`begin; ${scopeStatements({ kind: 'tenant', tenant: NORTH })}`);
    const { rows } = await client.query(`explain (analyze, costs off, timing off) ${sql}`, [machine!['id'], 20]);
    await client.end();
    const read = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(read).toMatch(/Index Scan using machines_pkey on machines lockstep_above .*loops=20/);
    expect(read).not.toContain('Seq Scan');
  });
});
