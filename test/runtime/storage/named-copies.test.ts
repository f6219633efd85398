import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyRows } from '../../../src/runtime/storage/database/copy.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { runHere } from '../../support/command.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import type { Edit } from '../../support/edited-contract.ts';
import { withFolder } from '../../support/folder.ts';
import { Probes, probedContract } from '../../support/probes.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';
import { callerOf, north, south } from '../../support/workshop.ts';

/** Tables and columns have other names: that of the tenant, that of the row above, and one that is a unique key. */
const NAMED: readonly Edit[] = [
  ['openapi.yaml', /^ {4}Machine:$/gm, '    Machine:\n      x-table: devices'],
  ['openapi.yaml', /^ {4}Note:$/gm, '    Note:\n      x-table: remarks'],
  ['openapi.yaml', /tenantId: \{ type: string,/g, 'tenantId: { x-column: company, type: string,'],
  ['openapi.yaml', /machineId: \{ type: string,/g, 'machineId: { x-column: device, type: string,'],
  ['openapi.yaml', /code: \{ type: string,(?=.*x-unique)/g, 'code: { x-column: serial, type: string,'],
];
const contract = probedContract('workshop', NAMED);

const served = async (store: Store, probes = new Probes()): Promise<Service> => {
  const opened: DatabaseKind = { name: 'opened', open: async () => ({ store, close: async () => {} }) };
  return startCompiled(await contract, opened, probes.handlers);
};

async function fill(service: Service): Promise<void> {
  const caller = callerOf(service);
  const { id } = await caller.machine(north, 'N1');
  await caller.made(`/machines/${id}/notes`, north, { text: 'oiled' });
  await caller.made(`/machines/${id}/jobs`, north, { title: 'drill' });
  await caller.machine(south, 'S1');
}

/** What callers see of it, over both protocols and by code. */
async function expectFilled(service: Service, probes: Probes): Promise<void> {
  const { body } = await service.request('GET', '/v1/machines?search=lathe&sort=name', { as: north });
  expect(body.data).toMatchObject([{ code: 'N1', name: 'N1 lathe' }]);
  const [machine] = body.data;
  const query =
    '{ machines(search: "lathe") { nodes { code tenantId notes { nodes { text } } jobs { nodes { title } } } } }';
  const { data } = await service.graphql(query, { as: north });
  expect(data.machines.nodes).toEqual([
    {
      code: 'N1',
      tenantId: machine.tenantId,
      notes: { nodes: [{ text: 'oiled' }] },
      jobs: { nodes: [{ title: 'drill' }] },
    },
  ]);
  const seen = await probes.run(service, 'readProbe', south, async ({ store, asCaller }) => [
    (await store.machines.list({})).map(({ code }: { code: string }) => code),
    await asCaller.machines.get(machine.id),
  ]);
  expect(seen).toEqual({ value: [['S1'], null] });
  expect((await service.request('GET', '/v1/machines/by-code/N1', { as: south })).status).toBe(404);
  const again = { code: 'N1', name: 'Other', state: 'IDLE' };
  expect(await service.request('POST', '/v1/machines', { as: north, body: again })).toMatchObject({ status: 409 });
}

/** Each database is copied from, and into, once. */
const pairs = walledDatabases.map((from, i) => {
  const to = walledDatabases[(i + 1) % walledDatabases.length]!;
  return { from, to, name: `${from.name} to ${to.name}` };
});

describe.each(pairs)('tables and columns of other names, copied from $name,', ({ from, to }) => {
  it('are read and written alike', async () => {
    const { resources } = await contract;
    const [source, target] = [await from.open(resources), await to.open(resources)];
    const probes = new Probes();
    const [before, after] = [await served(source.store, probes), await served(target.store, probes)];
    await fill(before);
    await expectFilled(before, probes);
    await copyRows(source.store, target.store, resources);
    await expectFilled(after, probes);
    for (const one of [before, after, source, target]) await one.close();
  });
});

it('tables and columns of other names are in a backup', () =>
  withFolder({}, async (folder) => {
    const { resources } = await contract;
    const [file, backup] = [join(folder, 'first.db'), join(folder, 'backup.db')];
    const store = openSqliteStore({ file, resources });
    const before = await served(store);
    await fill(before);
    await before.close();
    await store.close();
    const done = await runHere('scripts/backup.ts', ['--to', backup], { DATABASE_URL: `sqlite:${file}` });
    expect(done).toMatchObject({ code: 0 });
    const restored = openSqliteStore({ file: backup, resources });
    const probes = new Probes();
    const after = await served(restored, probes);
    await expectFilled(after, probes);
    await after.close();
    await restored.close();
  }));
