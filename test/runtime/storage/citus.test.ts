import pg from 'pg';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import type { ResourceDescriptor } from '../../../src/descriptor/resource.ts';
import { copyRows } from '../../../src/runtime/storage/database/copy.ts';
import { migrate, plan } from '../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../src/runtime/storage/postgres/postgres-migration.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { citus, FAKE_CITUS, multiShardStatements, offersCitus, openCitus } from '../../support/citus.ts';
import { type DatabaseKind, databases } from '../../support/databases.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { contractOf, startCompiled } from '../../support/service.ts';
import { auditor, callerOf, north, south, workshop } from '../../support/workshop.ts';

let resources: readonly ResourceDescriptor[] = [];
beforeAll(async () => {
  resources = (await workshop()).resources;
});

it.skipIf(!hasPostgres)('tables are distributed when they are made, and before they refer to each other', async () => {
  const url = await makeDatabase();
  await administer(url, FAKE_CITUS);
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
    'add lockstep_job',
    'add lockstep_outbox',
    'add lockstep_schedule',
    'add lockstep_object',
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
});

describe.skipIf(!hasPostgres)('on Citus', () => {
  const opened = async (database: DatabaseKind, contract: CompiledContract) => {
    const { store, close } = await database.open(contract.resources);
    const service = await startCompiled(contract, { name: 'opened', open: async () => ({ store, close }) });
    return { store, service };
  };

  it('rows of all tenants are listed and counted below shared ones, by a statement each', async () => {
    const contract = await workshop();
    const answers: unknown[] = [];
    for (const database of [citus, ...databases]) {
      const { service } = await opened(database, contract);
      const call = callerOf(service);
      const standards = [];
      for (const name of ['ISO', 'DIN', 'EN']) standards.push(await call.made('/standards', north, { name }));
      for (const [i, as] of [north, south, north].entries())
        await call.machine(as, `M${i}`, { standardId: standards[i % 2]!.id });
      const asked = vi.spyOn(pg.Client.prototype, 'query');
      const query = '{ standards { nodes { name machines(first: 2) { totalCount nodes { code tenantId } } } } }';
      const { data, errors } = await service.graphql(query, { as: auditor });
      expect(errors).toBeUndefined();
      answers.push(data);
      const texts = asked.mock.calls.map(([one]) => JSON.stringify(one)).filter((text) => text.includes('machines'));
      asked.mockRestore();
      if (database === citus) {
        expect(texts.length).toBeGreaterThan(3);
        expect(texts.join()).not.toContain('lateral');
      }
      await service.close();
    }
    for (const other of answers) expect(other).toEqual(answers[0]);
  });

  it.runIf(offersCitus)('statements of a caller of one tenant are about one node', async () => {
    const contract = await workshop();
    const { url, store, close } = await openCitus(contract.resources);
    const service = await startCompiled(contract, { name: 'opened', open: async () => ({ store, close }) });
    const call = callerOf(service);
    const standard = await call.made('/standards', north, { name: 'ISO' });
    const before = await multiShardStatements(url);
    for (const as of [north, south]) {
      const worker = await call.worker(as, 'ann@example.com');
      const machine = await call.machine(as, 'M1', { standardId: standard.id });
      await call.made(`/machines/${machine.id}/jobs`, as, { title: 'drill', workerId: worker.id });
      await call.made(`/machines/${machine.id}/notes`, as, { text: 'oiled', workerId: worker.id });
      expect(await call.ids('/machines?search=lathe&count=true', as)).toEqual([machine.id]);
      const query =
        '{ machines { totalCount nodes { code jobs { nodes { worker { name } } } notes { totalCount } } } }';
      expect((await service.graphql(query, { as })).errors).toBeUndefined();
      for (const path of [`/workers/${worker.id}`, `/machines/${machine.id}`])
        expect((await call.send('DELETE', path, as)).status).toBe(204);
    }
    expect(await multiShardStatements(url)).toBe(before);
    await service.close();
  });

  it('a copy inserts what is referred to first, and sets references within a table at the end', async () => {
    const contract = await contractOf('festival');
    const [source, target] = [await opened(databases[0]!, contract), await opened(citus, contract)];
    const as = { sub: 'ann', scope: 'festival:write', claims: { festival: 'spring' } };
    const made = async (url: string, body: object) => {
      const reply = await source.service.request('POST', `/v1${url}`, { as, body });
      expect([reply.status, reply.text]).toEqual([201, expect.anything()]);
      return reply.body;
    };
    const venue = { name: 'Hall', city: 'Ulm', capacity: 5 };
    await made('/venues', { ...venue, code: 'first' });
    const last = await made('/venues', { ...venue, code: 'last' });
    await made('/venues/first/halls', { title: 'Red' });
    const changed = await source.service.request('PATCH', '/v1/venues/first', {
      as,
      body: { annexId: last.id },
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect(changed.status).toBe(200);
    const counts = await copyRows(source.store, target.store, contract.resources.toReversed());
    expect([...counts].sort()).toEqual([
      ['venues', 2],
      ['venues.halls', 1],
    ]);
    const copied = await target.service.request('GET', '/v1/venues/first', { as });
    expect(copied.body).toMatchObject({ annexId: last.id, version: changed.body.version });
    for (const { service } of [source, target]) await service.close();
  });

  it('a copy is refused if rows require each other, before any is written', async () => {
    const contract = await workshop();
    const [source, target] = [await opened(databases[0]!, contract), await opened(citus, contract)];
    await callerOf(source.service).machine(north, 'M1');
    const references = { resource: 'machines.jobs', onDelete: 'restrict' } as const;
    const circular = contract.resources.map((one) => ({
      ...one,
      properties: one.properties.map((own) =>
        own.name === 'standardId' ? { ...own, required: true, nullable: false, references } : own,
      ),
    }));
    await expect(copyRows(source.store, target.store, circular)).rejects.toThrow(
      '--to: Citus checks references at once. Rows of machines, machines.jobs require each other, so that none is first.',
    );
    expect(await target.store.count('machines', [])).toBe(0);
    for (const { service } of [source, target]) await service.close();
  });
});
