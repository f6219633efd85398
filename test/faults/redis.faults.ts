import { setTimeout as delay } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../support/eventually.ts';
import { Instance } from '../support/instance.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { makePrefix } from '../support/redis.ts';
import type { Json } from '../support/storefront.ts';
import { Client } from './support/client.ts';
import { hasRedisServer } from './support/redis-server.ts';
import { clusterTopology, sentinelTopology } from './support/redis-topologies.ts';
import { activeProduct, adminToken, quantile, report } from './support/shop.ts';

const topologies = [
  { name: 'by Sentinel', start: sentinelTopology },
  { name: 'in a cluster', start: () => clusterTopology(1) },
];
const SECONDS = 1_000;

/** Stays subscribed to changes of products; what it gets, as `event` or the code of an error. */
async function follow(instance: Instance) {
  const url = `${instance.origin.replace('http', 'ws')}/graphql`;
  const client = createClient({ url, webSocketImpl: WebSocket });
  const received: string[] = [];
  void (async () => {
    for await (const { errors } of client.iterate<Json>({ query: 'subscription { productUpdated { id } }' }))
      received.push((errors?.[0]?.extensions?.['code'] as string) ?? 'event');
  })();
  await client.iterate({ query: '{ __typename }' }).next();
  return { received, end: async () => client.dispose() };
}

/** Changes a product at one instance and lists it at the other, in turn. */
class Load {
  readonly statuses = new Map<number, number>();
  readonly tookMs: number[] = [];
  readonly #client = new Client(2);
  readonly #running: Promise<void>;
  #isOver = false;
  stock = 0;

  constructor(writes: Instance, reads: Instance, id: string) {
    this.#running = this.#run(writes, reads, id);
  }

  async #run(writes: Instance, reads: Instance, id: string): Promise<void> {
    while (!this.#isOver) {
      const body = { stock: ++this.stock };
      await this.#send('PATCH', `${writes.base}/products/${id}`, { token: adminToken, body });
      await this.#send('GET', `${reads.base}/products`);
    }
  }

  async #send(method: string, url: string, asked = {}): Promise<void> {
    const { status, tookMs } = await this.#client.send(method, url, asked);
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.tookMs.push(tookMs);
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
    this.#client.close();
  }
}

describe.skipIf(!hasRedisServer || !hasPostgres).each(topologies)('a failover of Redis $name', ({ name, start }) => {
  it('costs events alone, which is reported, and they come again by themselves', async () => {
    const redis = await start();
    const url = await makeDatabase();
    const shared = {
      DATABASE_URL: url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: makePrefix(),
      RATE_LIMIT: '1000000',
    };
    const instances = await Promise.all([Instance.start(shared), Instance.start(shared)]);
    const [one, other] = instances;
    const client = new Client(1);
    const { id } = await activeProduct(client, one.base);
    const there = await follow(other);
    const load = new Load(one, other, id);
    await eventually(() => expect(there.received).toContain('event'));
    const missedBefore = there.received.length;
    await redis.masters[0]!.kill();
    const killedAt = performance.now();
    await delay(5 * SECONDS);
    await eventually(() => expect(there.received.at(-1)).toBe('event'));
    const before = there.received.length;
    await eventually(() => expect(there.received.length).toBeGreaterThan(before + 10));
    const resumedInMs = performance.now() - killedAt;
    await load.end();
    const missed = there.received.slice(missedBefore).filter((what) => what === 'EVENTS_MISSED').length;
    report(`Redis fails over ${name}`, {
      requests: load.tookMs.length,
      missed,
      'p99, ms': quantile(load.tookMs, 0.99),
      'longest, ms': Math.max(...load.tookMs),
      'ms until events came again': resumedInMs,
    });
    expect([...load.statuses.keys()]).toEqual([200]);
    expect(Math.max(...load.tookMs)).toBeLessThan(2 * SECONDS);
    await eventually(async () => {
      const { text } = await client.send('GET', `${other.base}/products`);
      expect(JSON.parse(text).data[0].stock).toBe(load.stock);
    });
    await there.end();
    client.close();
    for (const instance of instances) await instance.end('SIGKILL');
    await redis.close();
  });
});
