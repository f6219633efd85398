import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { editedContract } from '../../support/edited-contract.ts';
import { eventually } from '../../support/eventually.ts';
import { type As, type Service, startCompiled, tokenOf } from '../../support/service.ts';
import { walledDatabases } from '../../support/walled-databases.ts';
import { callerOf, north, south, workshop } from '../../support/workshop.ts';

type Made = { readonly id: string };

const FIELDS = ['machineUpdated { id standardId version }', 'machineDeleted', 'noteDeleted'];
const deleting = {
  REST: (service: Service, id: string, as: As) => service.request('DELETE', `/v1/standards/${id}`, { as }),
  GraphQL: (service: Service, id: string, as: As) =>
    service.graphql('mutation ($id: ID!) { deleteStandard(id: $id) }', { as, variables: { id } }),
};
type Protocol = keyof typeof deleting;
const protocols = Object.keys(deleting) as readonly Protocol[];

/** All tenants share standards; machines that refer to one are of a tenant each. */
describe.each(walledDatabases)('a shared row that is deleted by one tenant, on $name,', (database) => {
  let service: Service;
  let call: ReturnType<typeof callerOf>;
  const ends: (() => unknown)[] = [];
  const told: Record<'north' | 'south', string[]> = { north: [], south: [] };

  async function start(contract: CompiledContract, handlers = {}): Promise<void> {
    service = await startCompiled(contract, database, handlers, { listCacheBytes: 2 ** 20 });
    call = callerOf(service);
    for (const events of Object.values(told)) events.length = 0;
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    for (const [name, as] of Object.entries({ north, south })) {
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      ends.push(() => client.dispose());
      for (const field of FIELDS) void follow(client, field, told[name as 'north']);
      await client.iterate({ query: '{ __typename }' }).next();
    }
  }
  async function follow(client: ReturnType<typeof createClient>, field: string, into: string[]): Promise<void> {
    for await (const { data } of client.iterate({ query: `subscription { ${field} }` }))
      into.push(JSON.stringify(Object.values(data as object)[0]));
  }
  async function end(): Promise<void> {
    for (const one of ends.splice(0)) await one();
    await service.close();
  }
  const standard = (): Promise<Made> => call.made('/standards', north, { name: 'ISO' });
  const machine = (as: As, code: string, standardId: string): Promise<Made> => call.machine(as, code, { standardId });

  describe('which others lose (set-null),', () => {
    beforeAll(async () => start(await workshop()));
    afterAll(end);

    it.each(protocols)('gives their rows the next version, and sends their events: %s', async (protocol) => {
      const { id } = await standard();
      const [mine, theirs] = [await machine(north, `N${protocol.length}`, id), await machine(south, 'S1', id)];
      const url = `/v1/machines/${theirs.id}`;
      const { headers } = await service.request('GET', url, { as: south });
      expect((await service.request('GET', '/v1/machines', { as: south })).body.data).toMatchObject([
        { standardId: id, version: 1 },
      ]);
      await deleting[protocol](service, id, north);
      const known = { 'if-none-match': headers['etag'] as string };
      const { status, body } = await service.request('GET', url, { as: south, headers: known });
      expect([status, body.version, body.standardId]).toEqual([200, 2, null]);
      expect((await service.request('GET', '/v1/machines', { as: south })).body.data).toMatchObject([{ version: 2 }]);
      const event = (one: Made) => JSON.stringify({ id: one.id, standardId: null, version: 2 });
      await eventually(() => expect(told.south).toContain(event(theirs)));
      await eventually(() => expect(told.north).toContain(event(mine)));
      expect(told.north).not.toContain(event(theirs));
      await call.send('DELETE', `/machines/${theirs.id}`, south);
    });
  });

  describe('with which others go (cascade),', () => {
    beforeAll(async () => {
      const cascade = ['openapi.yaml', /(x-inverse: machines, x-on-delete: )set-null/g, '$1cascade'] as const;
      await start(await editedContract('workshop', [cascade]));
    });
    afterAll(end);

    it.each(protocols)('sends the events of their rows, and of those below: %s', async (protocol) => {
      const { id } = await standard();
      const theirs = await machine(south, 'S1', id);
      const other = await call.machine(south, 'S2');
      const note = await call.made(`/machines/${theirs.id}/notes`, south, { text: 'theirs' });
      const job = await call.made(`/machines/${other.id}/jobs`, south, { title: 'turn', standbyId: theirs.id });
      await deleting[protocol](service, id, north);
      await eventually(() => {
        for (const one of [theirs, note]) expect(told.south).toContain(JSON.stringify(one.id));
      });
      const left = await service.request('GET', `/v1/machines/${other.id}/jobs/${job.id}`, { as: south });
      expect(left.body).toMatchObject({ standbyId: null, version: 2 });
      expect(told.north).toEqual([]);
      await call.send('DELETE', `/machines/${other.id}`, south);
    });
  });

  describe('by code that deletes what is out of its reach,', () => {
    let theirs: string;
    beforeAll(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: the code of a contract that has no emitted types
      const create = async (given: unknown, { store }: any, next: (given: unknown) => unknown) => {
        await store.machines.delete(theirs).catch(() => {});
        return next(given);
      };
      await start(await workshop(), { overrides: { standards: { create } } });
    });
    afterAll(end);

    it('leaves what refers to it as it is', async () => {
      const [{ id }, other] = [await call.machine(south, 'S1'), await call.machine(south, 'S2')];
      const job = await call.made(`/machines/${other.id}/jobs`, south, { title: 'turn', standbyId: id });
      theirs = id;
      await standard();
      expect((await call.send('GET', `/machines/${other.id}/jobs/${job.id}`, south)).body).toEqual(job);
      expect((await call.send('GET', `/machines/${id}`, south)).status).toBe(200);
    });
  });
});
