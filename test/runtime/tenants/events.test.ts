import { randomUUID } from 'node:crypto';
import { createClient } from 'graphql-ws';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { RedisPeers } from '../../../src/runtime/redis/redis-peers.ts';
import type { DatabaseKind } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';
import { type As, type Service, tokenOf } from '../../support/service.ts';
import { tenantDatabases } from '../../support/walled-databases.ts';
import {
  auditor,
  callerOf,
  NORTH,
  north,
  operator,
  SOUTH,
  south,
  startWorkshop,
  tenantless,
  workshop,
} from '../../support/workshop.ts';

const FOLLOWERS = { north, south, auditor, tenantless: tenantless[0]! };
const FIELDS = ['machineCreated { code }', 'machineUpdated { name }', 'machineDeleted', 'noteCreated { text }'];

/** Two servers of one database, of which the other makes the changes that the followers of the first are told. */
describe.skipIf(!hasRedis).each(tenantDatabases)('events of tenants between servers, on $name,', (database) => {
  const services: Service[] = [];
  const ends: (() => unknown)[] = [];
  const told: Record<keyof typeof FOLLOWERS, string[]> = { north: [], south: [], auditor: [], tenantless: [] };

  let url: string;
  const published = new Set<string>();
  const prefix = makePrefix();
  const client = new Redis(REDIS_URL);

  beforeAll(async () => {
    const { resources } = await workshop();
    client.on('pmessage', (_pattern, name: string, text: string) => {
      const { news } = JSON.parse(text);
      published.add(`${name.slice(prefix.length + 1)}${news?.changes.length > 0 ? ' with rows' : ''}`);
    });
    await client.psubscribe(`${prefix}:*`);
    const shared = await database.share([resources, resources]);
    for (const store of shared.stores) {
      const log = { info() {}, warn() {} };
      const peers = new RedisPeers({ url: REDIS_URL, prefix, layout: 'the same', id: randomUUID(), log });
      const kind: DatabaseKind = { name: database.name, open: async () => ({ store, close: async () => {} }) };
      services.push(await startWorkshop(kind, {}, { peers, listCacheBytes: 2 ** 20 }));
      ends.unshift(() => peers.close());
      await eventually(() => expect(peers.isConnected).toBe(true));
    }
    ends.push(shared.close);
    url = `ws://127.0.0.1:${await services[0]!.listen()}/graphql`;
    for (const [name, as] of Object.entries(FOLLOWERS)) {
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      ends.unshift(() => client.dispose());
      for (const field of FIELDS) void follow(client, field, told[name as keyof typeof FOLLOWERS]);
      await client.iterate({ query: '{ __typename }' }).next();
    }
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    for (const end of ends) await end();
    client.disconnect();
  });

  async function follow(client: ReturnType<typeof createClient>, field: string, into: string[]): Promise<void> {
    for await (const { data, errors } of client.iterate({ query: `subscription { ${field} }` }))
      into.push(JSON.stringify(Object.values((data as object | null) ?? {})[0] ?? errors?.[0]?.extensions?.['code']));
  }

  it('are told to their tenant, and to who sees all', async () => {
    const { machine, made, send } = callerOf(services[1]!);
    await machine(north, 'N1');
    const second = await machine(south, 'S1');
    const path = `/machines/${second.id}`;
    await send('PATCH', path, operator, { name: 'changed by the operator' });
    await made(`${path}/notes`, south, { text: 'of the south' });
    // Who sees a note is who sees its machine, as long as that is there.
    await eventually(() => expect(told.south).toContain(JSON.stringify({ text: 'of the south' })));
    await send('DELETE', path, south);
    await machine(north, 'N2');
    const ofSouth = [{ code: 'S1' }, { name: 'changed by the operator' }, { text: 'of the south' }, second.id];
    const ofNorth = [{ code: 'N1' }, { code: 'N2' }];
    const sorted = (events: readonly unknown[]) => events.map((one) => JSON.stringify(one)).sort();
    await eventually(() => expect(told.auditor.toSorted()).toEqual(sorted([...ofNorth, ...ofSouth])));
    await eventually(() => expect(told.north.toSorted()).toEqual(sorted(ofNorth)));
    await eventually(() => expect(told.south.toSorted()).toEqual(sorted(ofSouth)));
    expect(told.tenantless).toEqual([]);
  });

  it('go over channels of their tenant, which those alone hear who ask for its rows', async () => {
    const heard = async () => {
      const names = (await client.pubsub('CHANNELS', `${prefix}:*:machines`)) as string[];
      return names.map((name) => name.slice(prefix.length + 1)).sort();
    };
    await services[1]!.request('GET', '/v1/machines', { as: south });
    expect(await heard()).toEqual(['*:machines', '-:machines', `=${NORTH}:machines`, `=${SOUTH}:machines`]);
    published.clear();
    const { machine, worker, send } = callerOf(services[1]!);
    const [{ id }, { id: one }] = [await machine(north, 'N3'), await worker(north, 'a@example.com')];
    await send('PATCH', `/machines/${id}`, operator, { name: 'renamed' });
    await send('DELETE', `/workers/${one}`, north);
    await send('DELETE', `/machines/${id}`, operator);
    await eventually(() => expect(told.north).toContain(JSON.stringify(id)));
    const names = [...published].filter((name) => /:(machines|workers)( |$)/.test(name)).sort();
    expect(names).toEqual([
      '*:machines with rows',
      '*:workers with rows',
      // Whose workers the database has changed along with the machine, nobody knows.
      '-:workers',
      `=${NORTH}:machines with rows`,
      `=${NORTH}:workers with rows`,
    ]);
  });

  it('that other rows may have decided are said to be missed to nobody of another tenant', async () => {
    const followers = { north, south, auditor };
    const seen: Record<string, string[]> = {};
    for (const [name, as] of Object.entries(followers)) {
      const connectionParams = { authorization: `Bearer ${tokenOf(as)}` };
      const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams });
      ends.unshift(() => client.dispose());
      seen[name] = [];
      void follow(client, 'workerUpdated { name }', seen[name]);
      await client.iterate({ query: '{ __typename }' }).next();
    }
    const { machine, worker, made, send } = callerOf(services[0]!);
    for (const as of [south, north]) {
      const { id: machineId } = await machine(as, 'X1');
      const { id: workerId } = await worker(as, 'b@example.com');
      // Who reads a worker is who has a job of the same title, too.
      await made(`/machines/${machineId}/jobs`, as, { title: 'Turn', workerId });
      await send('PATCH', `/workers/${workerId}`, as, { name: as === north ? 'Nora' : 'Sue' });
      await send('DELETE', `/machines/${machineId}`, as);
    }
    const [missed, nora, sue] = ['"EVENTS_MISSED"', '{"name":"Nora"}', '{"name":"Sue"}'];
    await eventually(() => expect(seen['auditor']!.filter((one) => one !== missed)).toEqual([sue, nora]));
    await eventually(() => expect(seen['north']).toEqual([missed, nora, missed]));
    await eventually(() => expect(seen['south']).toEqual([missed, sue, missed]));
  });

  it('make cached lists stale, which are kept for each tenant', async () => {
    const [here, there] = [callerOf(services[0]!), callerOf(services[1]!)];
    const codes = async (as: As) => {
      const { body } = await here.send('GET', '/machines?sort=name', as);
      return body.data.map(({ code }: { code: string }) => code);
    };
    for (let i = 0; i < 3; i++) {
      expect(await codes(north)).toEqual(['N1', 'N2']);
      expect(await codes(south)).toEqual([]);
    }
    await there.machine(south, 'S2');
    await eventually(async () => expect(await codes(south)).toEqual(['S2']));
    expect(await codes(north)).toEqual(['N1', 'N2']);
    expect(await codes(auditor)).toEqual(['N1', 'N2', 'S2']);
  });
});
