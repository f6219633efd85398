import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openRedis, type RedisServices } from '../../../src/runtime/open-redis.ts';
import { openPostgresStore } from '../../../src/runtime/storage/postgres/postgres-store.ts';
import { postgresFor, STATEMENT_TIMEOUT_MS } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { onList } from '../../support/reads.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';
import { contractOf, tokenOf } from '../../support/service.ts';
import { admin, type Json, Shop } from '../../support/storefront.ts';
import { type TcpProxy, tcpProxy } from '../../support/tcp-proxy.ts';

const silent = { info() {}, warn() {} };
const MISSED = 'EVENTS_MISSED';

/** A server of the shop, its Redis behind a proxy of its own. */
interface Member {
  readonly shop: Shop;
  readonly shared: RedisServices;
  readonly proxy: TcpProxy;
  /** What the database was asked for. */
  readonly lists: () => number;
  /** Names of the products that a subscriber has received events of, and codes of errors. */
  subscribe(): Promise<{ readonly received: string[]; end(): Promise<void> }>;
}

describe.skipIf(!hasRedis || !hasPostgres)('servers that share a Redis', () => {
  let database: { url: string; giveBack(): Promise<void> };
  let prefix: string;
  let members: Member[];

  async function join(layout?: object[]): Promise<Member> {
    const contract = await contractOf('contracts');
    const proxy = await tcpProxy(REDIS_URL);
    const resources = (layout ?? contract.resources) as typeof contract.resources;
    const shared = await openRedis(proxy.url, prefix, resources, silent);
    let lists = 0;
    const shop = await Shop.open(
      {
        name: 'Postgres',
        async open(resources) {
          const limits = { connections: 4, statementTimeoutMs: STATEMENT_TIMEOUT_MS };
          const store = await openPostgresStore({ url: database.url, resources, ...limits });
          onList(store, () => lists++);
          return { store, close: async () => store.close() };
        },
      },
      { peers: shared.peers, counter: shared.counter, requestsPerMinute: 100_000 },
    );
    const member: Member = { shop, shared, proxy, lists: () => lists, subscribe: () => subscribe(shop) };
    members.push(member);
    await eventually(() => expect(shared.peers.isConnected).toBe(true));
    return member;
  }

  async function subscribe(shop: Shop) {
    const port = await shop.listen();
    const client = createClient({
      url: `ws://127.0.0.1:${port}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: { authorization: `Bearer ${await tokenOf({ sub: admin.subject, scope: admin.scope })}` },
    });
    const received: string[] = [];
    const events = client.iterate<Json>({ query: 'subscription { productCreated { name } }' });
    void (async () => {
      for await (const { data, errors } of events)
        received.push(data?.productCreated.name ?? errors?.[0]?.extensions?.code);
    })().catch((error: unknown) => received.push(String(error)));
    // What is asked after a subscription is answered after it began.
    await client.iterate({ query: '{ __typename }' }).next();
    return { received, end: async () => client.dispose() };
  }

  const names = async ({ shop }: Member): Promise<string[]> =>
    (await shop.get('/products?sort=name')).body.data.map(({ name }: Json) => name);

  beforeEach(async () => {
    prefix = makePrefix();
    members = [];
    const { resources } = await contractOf('contracts');
    database = await postgresFor(resources);
  });

  afterEach(async () => {
    for (const { shop, shared, proxy } of members) {
      await shared.close();
      await shop.close();
      await proxy.close();
    }
    await database.giveBack();
  });

  it('publish changes to each other, each once', async () => {
    const [one, other] = [await join(), await join()];
    const [here, there] = [await one.subscribe(), await other.subscribe()];
    for (const name of ['Mug', 'Cup']) await one.shop.product({ name });
    await other.shop.product({ name: 'Tray' });
    await eventually(() => {
      expect(here.received.toSorted()).toEqual(['Cup', 'Mug', 'Tray']);
      expect(there.received.toSorted()).toEqual(['Cup', 'Mug', 'Tray']);
    });
    expect(here.received.slice(0, 2)).toEqual(['Mug', 'Cup']);
    await here.end();
    await there.end();
  });

  it('keep pages until one of them writes', async () => {
    const [one, other] = [await join(), await join()];
    await one.shop.product({ name: 'Mug' });
    await eventually(async () => expect(await names(other)).toEqual(['Mug']));
    await eventually(async () => {
      const before = other.lists();
      for (let i = 0; i < 3; i++) expect(await names(other)).toEqual(['Mug']);
      expect(other.lists()).toBe(before);
    });
    await one.shop.product({ name: 'Cup' });
    expect(await names(one)).toEqual(['Cup', 'Mug']);
    await eventually(async () => expect(await names(other)).toEqual(['Cup', 'Mug']));
  });

  it('continue without it, report missed events to subscribers, and reconnect by themselves', async () => {
    const [one, other] = [await join(), await join()];
    const [here, there] = [await one.subscribe(), await other.subscribe()];
    for (const { proxy } of members) await proxy.shut();
    await eventually(() => expect([here.received, there.received]).toEqual([[MISSED], [MISSED]]));
    await one.shop.product({ name: 'Mug' });
    await eventually(() => expect(here.received).toEqual([MISSED, 'Mug']));
    expect(await names(other)).toEqual(['Mug']);
    await one.shop.product({ name: 'Cup' });
    expect(await names(other)).toEqual(['Cup', 'Mug']);
    for (const { proxy } of members) await proxy.open();
    // Each server finds that it has missed events, and learns that the other could not publish some.
    await eventually(() => expect(there.received.filter((one) => one === MISSED).length).toBeGreaterThan(1));
    await eventually(() => expect(here.received.filter((one) => one === MISSED).length).toBeGreaterThan(1));
    await eventually(async () => {
      await one.shop.product({ name: 'Tray' });
      expect(there.received).toContain('Tray');
    });
    expect(there.received).not.toContain('Mug');
    await here.end();
    await there.end();
  });

  it('report that events are missing which they could not publish', async () => {
    const [one, other] = [await join(), await join()];
    const there = await other.subscribe();
    await one.proxy.shut();
    await eventually(() => expect(one.shared.peers.isConnected).toBe(false));
    await one.shop.product({ name: 'Mug' });
    expect(there.received).toEqual([]);
    await one.proxy.open();
    await eventually(() => expect(there.received).toEqual([MISSED]));
    expect(await names(other)).toEqual(['Mug']);
    await there.end();
  });

  it('notice when it hangs', async () => {
    const one = await join();
    const here = await one.subscribe();
    one.proxy.freeze();
    await eventually(() => expect(here.received).toEqual([MISSED]));
    expect(one.shared.peers.isConnected).toBe(false);
    const begun = performance.now();
    // A command is given up after a second.
    for (let i = 0; i < 100; i++) expect((await one.shop.get('/products')).status).toBe(200);
    expect(performance.now() - begun).toBeLessThan(60_000);
    one.proxy.thaw();
    await eventually(() => expect(here.received).toEqual([MISSED, MISSED]));
    expect(one.shared.peers.isConnected).toBe(true);
    await here.end();
  });

  it('report missed events when one of them dies, and not when it shuts down', async () => {
    const [one, other, third] = [await join(), await join(), await join()];
    const there = await other.subscribe();
    // Its beats are heard from now on.
    await one.shop.product({ name: 'Mug' });
    await third.shop.product({ name: 'Cup' });
    await eventually(() => expect(there.received.toSorted()).toEqual(['Cup', 'Mug']));
    await third.shared.close();
    await one.proxy.shut();
    await eventually(() => expect(there.received.slice(2)).toEqual([MISSED]));
    await there.end();
  });

  it('answer what is asked after a subscription only when its events are heard', async () => {
    const [one, other] = [await join(), await join()];
    other.proxy.freeze();
    let isAnswered = false;
    const subscribing = other.subscribe().then((subscribed) => {
      isAnswered = true;
      return subscribed;
    });
    // Both go over the network; the first also over the frozen proxy.
    await one.shop.product({ name: 'Mug' });
    await other.shop.get('/users');
    expect(isAnswered).toBe(false);
    other.proxy.thaw();
    const there = await subscribing;
    await one.shop.product({ name: 'Cup' });
    await eventually(() => expect(there.received).toContain('Cup'));
    expect(there.received).not.toContain('Mug');
    await there.end();
  });

  it('do not read events of another contract, and say so', async () => {
    const [one, other] = [await join(), await join([])];
    const there = await other.subscribe();
    await one.shop.product({ name: 'Mug' });
    await eventually(() => expect(new Set(there.received)).toEqual(new Set([MISSED])));
    await there.end();
  });
});
