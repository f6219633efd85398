import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { scopeStatements } from '../../../src/runtime/storage/postgres/row-security.ts';
import type { RowScope } from '../../../src/runtime/storage/row-scope.ts';
import type { Reader, Row, Store } from '../../../src/runtime/storage/store.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { type DatabaseKind, STATEMENT_TIMEOUT_MS } from '../../support/databases.ts';
import { ownedDatabase } from '../../support/owned-database.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import {
  auditor,
  callerOf,
  NORTH,
  north,
  operator,
  SOUTH,
  south,
  tenantless,
  workshop,
} from '../../support/workshop.ts';

const NORTHERN: RowScope = { kind: 'tenant', tenant: NORTH };
const QUERY = {
  resource: 'machines',
  conditions: [],
  order: [{ property: 'id', direction: 'asc' }],
  limit: 50,
} as const;
const codesIn = (rows: readonly Row[]) => rows.map((row) => row[5]);

const migrated = (url: string, resources: readonly ResourceDescriptor[], hasRowSecurity: boolean) =>
  lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [], hasRowSecurity }));

const kinds = [
  { name: 'Postgres', isPooled: false },
  ...(hasPgBouncer ? [{ name: 'Postgres behind PgBouncer in transaction mode', isPooled: true }] : []),
];

describe.skipIf(!hasPostgres).each(kinds)('row-level security, on $name,', ({ name, isPooled }) => {
  let database: Awaited<ReturnType<typeof ownedDatabase>>;
  let bouncer: PgBouncer | undefined;
  let url: string;
  let store: Store;
  let service: Service;
  let resources: readonly ResourceDescriptor[];

  /** The engine forgets the conditions on reading: the walls alone are left. */
  beforeAll(async () => {
    const contract = await workshop();
    resources = contract.resources;
    database = await ownedDatabase();
    // Backslashes in texts mean most where this is off.
    await administer(database.admin, `alter role ${database.role} set standard_conforming_strings = off`);
    bouncer = isPooled ? await startPgBouncer(database.url, 'transaction') : undefined;
    url = bouncer ? bouncer.through(database.url) : database.url;
    await migrated(url, resources, true);
    const limits = { connections: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
    store = await openPostgresStore({ url, resources, hasRowSecurity: true, ...limits });
    const kind: DatabaseKind = { name, open: async () => ({ store, close: async () => {} }) };
    const forgetful = contract.resources.map(({ rowAccess: _, ...rest }) => rest);
    service = await startCompiled({ ...contract, resources: forgetful }, kind);
    const { machine, worker } = callerOf(service);
    await machine(north, 'N1');
    await machine(north, 'N2');
    await machine(south, 'S1');
    await worker(south, 'a@example.com');
  });
  afterAll(async () => {
    await service.close();
    await store.close();
    await bouncer?.close();
  });

  it('holds where conditions are forgotten, in both protocols', async () => {
    const { ids, send } = callerOf(service);
    expect(await ids('/machines', north)).toHaveLength(2);
    expect(await ids('/machines', south)).toHaveLength(1);
    expect(await ids('/workers', north)).toEqual([]);
    const [foreign] = (await ids('/machines', south)) as readonly string[];
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { name: 'taken' }],
      ['DELETE', undefined],
    ] as const)
      expect((await send(method, `/machines/${foreign}`, north, body)).status).toBe(404);
    const text = '{ machines(first: 3) { totalCount nodes { tenantId jobs(first: 2) { nodes { id } } } } }';
    const { data } = await service.graphql(text, { as: south });
    expect(data.machines).toEqual({ totalCount: 1, nodes: [{ tenantId: SOUTH, jobs: { nodes: [] } }] });
    expect(await ids('/machines', tenantless[0])).toEqual([]);
    for (const as of [operator, auditor]) expect(await ids('/machines', as)).toHaveLength(3);
  });

  it('lets each statement reach the rows that it is about, however many go at once', async () => {
    const read = async (scope: RowScope) => codesIn(await store.within(scope).list(QUERY));
    const expected: readonly (readonly [RowScope, readonly string[]])[] = [
      [NORTHERN, ['N1', 'N2']],
      [{ kind: 'tenant', tenant: SOUTH }, ['S1']],
      [{ kind: 'tenant', tenant: `${SOUTH}' or 'a' = 'a` }, []],
      [{ kind: 'tenant', tenant: `\\'; set local lockstep.all_tenants = on; --` }, []],
      [{ kind: 'none' }, []],
      [{ kind: 'all' }, ['N1', 'N2', 'S1']],
    ];
    const asked = Array.from({ length: 60 }, (_, i) => expected[i % expected.length]!);
    expect(await Promise.all(asked.map(([scope]) => read(scope)))).toEqual(asked.map(([, codes]) => codes));
    expect(codesIn(await (await store.reads(0n, NORTHERN)).list(QUERY))).toEqual(['N1', 'N2']);
  });

  it('binds transactions of each isolation, and what they write', async () => {
    const southern = (await store.list(QUERY)).find((row) => row.includes('S1'))!;
    const id = southern[0] as string;
    for (const isolation of ['single', 'locking', 'serial'] as const) {
      const within = <T>(work: (reader: Reader) => Promise<T>) =>
        store.transaction(async (transaction) => work(transaction), isolation, undefined, NORTHERN);
      expect(codesIn(await within(async (reader) => reader.list(QUERY)))).toEqual(['N1', 'N2']);
      expect(await within(async (reader) => reader.count('machines', []))).toBe(2);
      const deleted = store.transaction((one) => one.delete('machines', id), isolation, undefined, NORTHERN);
      expect(await deleted).toBe(false);
      const renamed = southern.map((value, i) => (i === 0 ? NORTH : i === 5 ? 'STOLEN' : value));
      const inserted = store.transaction((one) => one.insert('machines', renamed), isolation, undefined, NORTHERN);
      await expect(inserted).rejects.toThrow('store: reference');
    }
    expect(codesIn(await store.list(QUERY))).toEqual(['N1', 'N2', 'S1']);
  });

  it('binds statements that say nothing of tenants themselves', async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const within = async (sql: string) => {
      try {
        await client.query(`begin; ${scopeStatements(NORTHERN)}`);
        return await client.query(sql);
      } finally {
        await client.query('rollback');
      }
    };
    const { rows } = await within('select code from machines order by code');
    expect(rows).toEqual([{ code: 'N1' }, { code: 'N2' }]);
    expect((await within(`update machines set name = 'taken' where code = 'S1'`)).rowCount).toBe(0);
    await expect(within(`update machines set tenant_id = '${SOUTH}'`)).rejects.toThrow(/row-level security/);
    await client.end();
  });

  it('is made once, keeps the server’s own work going, and is taken away where it is not wanted', async () => {
    const planned = (hasRowSecurity: boolean | undefined) =>
      lockedPostgres(url, async (target) => {
        const { steps } = await plan(target, {
          resources,
          handWritten: [],
          ...(hasRowSecurity !== undefined && { hasRowSecurity }),
        });
        return steps.map(({ what }) => what);
      });
    expect(await planned(true)).toEqual([]);
    expect(await planned(undefined)).toEqual([]);
    expect(await planned(false)).toHaveLength(4);
    const open = await openPostgresStore({ url, resources, connections: 2 });
    expect(codesIn(await open.list(QUERY))).toEqual(['N1', 'N2', 'S1']);
    await open.close();
  });
});

describe.skipIf(!hasPostgres)('row-level security refuses', () => {
  let database: Awaited<ReturnType<typeof ownedDatabase>>;
  let resources: readonly ResourceDescriptor[];
  beforeAll(async () => {
    ({ resources } = await workshop());
    database = await ownedDatabase();
    await migrated(database.url, resources, true);
  });

  const opening = (url: string, of = resources) =>
    openPostgresStore({ url, resources: of, connections: 2, hasRowSecurity: true }).then((store) => store.close());

  it('a superuser', async () => {
    await expect(opening(database.admin)).rejects.toThrow(/DATABASE_RLS: the role \S+ is a superuser/);
  });

  it('a role with BYPASSRLS', async () => {
    await administer(database.admin, `alter role ${database.role} bypassrls`);
    await expect(opening(database.url)).rejects.toThrow(/has BYPASSRLS/);
    await administer(database.admin, `alter role ${database.role} nobypassrls`);
    await expect(opening(database.url)).resolves.not.toThrow();
  });

  it('an owner on whom it is not forced', async () => {
    await administer(database.admin, 'alter table workers no force row level security');
    await expect(opening(database.url)).rejects.toThrow(/does not bind lockstep_test_\w+ on workers/);
    await migrated(database.url, resources, true);
    await expect(opening(database.url)).resolves.not.toThrow();
  });

  it('a contract without tenants', async () => {
    const open = resources.filter(({ tenant, parent }) => !tenant && !parent);
    await expect(opening(database.url, open)).rejects.toThrow(/has no `x-tenant`/);
  });
});
