import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeNotification } from '../../../src/runtime/engine/events/peers.ts';
import { RedisCounter } from '../../../src/runtime/redis/redis-counter.ts';
import { RedisPeers } from '../../../src/runtime/redis/redis-peers.ts';
import { hasRedisServer } from '../../faults/support/redis-server.ts';
import { clusterTopology, sentinelTopology, type Topology } from '../../faults/support/redis-topologies.ts';
import { eventually } from '../../support/eventually.ts';
import { makePrefix } from '../../support/redis.ts';

const silent = { info() {}, warn() {} };
const topologies = [
  { name: 'a master that Sentinels name', start: sentinelTopology },
  { name: 'a cluster of three masters', start: () => clusterTopology() },
];

describe.skipIf(!hasRedisServer).each(topologies)('Redis as $name', ({ start }) => {
  let redis: Topology;
  const prefix = makePrefix();

  beforeAll(async () => {
    redis = await start();
  });
  afterAll(async () => redis.close());

  it('counts requests of many callers together', async () => {
    const counters = [1, 2].map(() => new RedisCounter({ url: redis.url, prefix, log: silent }));
    let attempts = 0;
    // On a busy machine Redis may take longer than a request waits for it, which is then counted alone.
    await eventually(async () => {
      const callers = Array.from({ length: 30 }, (_, i) => `caller ${i} of ${attempts}`);
      attempts += 1;
      for (const [i, counter] of [...counters, ...counters].entries()) {
        const counts = await Promise.all(callers.map((caller) => counter.add(caller, 60_000)));
        expect(counts).toEqual(callers.map(() => i + 1));
      }
    });
    for (const counter of counters) counter.close();
  });

  it('carries changes of many resources, in their order', async () => {
    const heard: ChangeNotification[] = [];
    const peers = Array.from({ length: 3 }, () => {
      return new RedisPeers({ url: redis.url, prefix, layout: '', id: randomUUID(), log: silent });
    });
    const [one, other] = peers as [RedisPeers, RedisPeers];
    await eventually(() => {
      for (const peer of peers) expect(peer.isConnected).toBe(true);
    });
    other.listen({ onNotification: (notification) => heard.push(notification), onMissedEvents: () => {} });
    const keys = Array.from({ length: 20 }, (_, i) => `resource${i}`);
    await Promise.all(keys.map((key) => other.follow(key).heard));
    for (let i = 0; i < 5; i++) for (const key of keys) one.publish({ stale: [key], changes: [] });
    await eventually(() => expect(heard).toHaveLength(100));
    expect(heard.flatMap(({ stale }) => stale)).toEqual(Array.from({ length: 5 }, () => keys).flat());
    for (const peer of peers) await peer.close();
  });
});
