import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { migrate } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import type { RowScope } from '../../../src/runtime/storage/row-scope.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { hasPostgresServer, PostgresServer } from '../../faults/support/postgres-server.ts';
import { eventually } from '../../support/eventually.ts';
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

const QUERY = {
  resource: 'machines',
  conditions: [],
  order: [{ property: 'id', direction: 'asc' }],
  limit: 50,
} as const;

const REPLICA_READS = 100;

/** The URL of a server for another role. */
function as(role: string, { url }: PostgresServer): string {
  const changed = new URL(url);
  changed.username = role;
  return changed.href;
}

describe.skipIf(!hasPostgresServer)('row-level security on a replica', () => {
  let primary: PostgresServer;
  let standby: PostgresServer;
  let resources: readonly ResourceDescriptor[];
  let store: Store;
  let service: Service;
  const logged: string[] = [];
  const note = ({ err }: { err?: Error }, message: string): void => void logged.push(`${message} ${err?.message}`);
  const log = { info: note, warn: note };

  const open = (role: string) =>
    openPostgresStore({
      ...{ url: as('app', primary), readUrl: as(role, standby), resources },
      ...{ connections: 4, hasRowSecurity: true, log },
    });
  const replicaServes = (one = store) => eventually(() => expect(one.replica!().isServing).toBe(true));

  /** The engine forgets the conditions on reading: the wall alone is left. */
  beforeAll(async () => {
    const contract = await workshop();
    resources = contract.resources;
    primary = await PostgresServer.start();
    await primary.query('create role app login nosuperuser');
    await primary.query('create role backup login nosuperuser bypassrls in role app');
    await primary.query('grant all on schema public to app; grant create on database postgres to app');
    standby = await primary.standby();
    const wanted = { resources, handWritten: [], hasRowSecurity: true };
    await lockedPostgres(as('app', primary), (target) => migrate(target, wanted));
    store = await open('app');
    const kind = { name: 'Postgres with a replica', open: async () => ({ store, close: async () => {} }) };
    const forgetful = contract.resources.map(({ rowAccess: _, ...rest }) => rest);
    service = await startCompiled({ ...contract, resources: forgetful }, kind);
    const { machine } = callerOf(service);
    for (const [who, code] of [
      [north, 'N1'],
      [north, 'N2'],
      [south, 'S1'],
    ] as const)
      await machine(who, code);
    await replicaServes();
  });
  afterAll(async () => {
    await service.close();
    await store.close();
    await standby.close();
    await primary.close();
  });

  it('holds where conditions are forgotten, in both protocols', async () => {
    const { ids } = callerOf(service);
    const { replica } = store.replica!();
    // However often the replica lags, and the primary answers.
    while (store.replica!().replica - replica < REPLICA_READS) {
      expect(await ids('/machines', north)).toHaveLength(2);
      expect(await ids('/machines', south)).toHaveLength(1);
      const { data } = await service.graphql('{ machines(first: 3) { totalCount nodes { tenantId } } }', { as: south });
      expect(data.machines).toEqual({ totalCount: 1, nodes: [{ tenantId: SOUTH }] });
      expect(await ids('/machines', tenantless[0])).toEqual([]);
      for (const one of [operator, auditor]) expect(await ids('/machines', one)).toHaveLength(3);
    }
  });

  it('lets each statement reach the rows that it is about, however many go at once', async () => {
    const scopes: readonly (readonly [RowScope, number])[] = [
      [{ kind: 'tenant', tenant: NORTH }, 2],
      [{ kind: 'tenant', tenant: SOUTH }, 1],
      [{ kind: 'none' }, 0],
      [{ kind: 'all' }, 3],
    ];
    const asked = Array.from({ length: 60 }, (_, i) => scopes[i % scopes.length]!);
    const read = async (scope: RowScope) => (await (await store.reads(0n, scope)).list(QUERY)).length;
    expect(await Promise.all(asked.map(([scope]) => read(scope)))).toEqual(asked.map(([, count]) => count));
  });

  it('refuses a role that it does not bind', async () => {
    await expect(open('postgres')).rejects.toThrow(
      'DATABASE_RLS: the role postgres of DATABASE_READ_URL is a superuser',
    );
    await expect(open('backup')).rejects.toThrow('the role backup of DATABASE_READ_URL has BYPASSRLS');
  });

  it('leaves a replica out that comes later with such a role', async () => {
    await standby.crash();
    const late = await open('postgres');
    await standby.start();
    const refused = 'the replica is refused: reads go to the primary DATABASE_RLS: the role postgres of';
    await eventually(() => expect(logged.filter((line) => line.startsWith(refused))).toHaveLength(1));
    expect(late.replica!().isServing).toBe(false);
    expect(await (await late.reads(0n, { kind: 'tenant', tenant: SOUTH })).list(QUERY)).toHaveLength(1);
    await late.close();
    await replicaServes();
  });
});
