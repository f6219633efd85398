import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceDescriptor } from '../descriptor/resource.ts';
import { RedisCounter } from './redis/redis-counter.ts';
import { RedisPeers } from './redis/redis-peers.ts';
import type { RedisLog } from './redis/resilient-connection.ts';
import type { Config } from './settings/config.ts';

export interface SharedByRedis {
  readonly peers: RedisPeers;
  readonly counter: RedisCounter;
  close(): Promise<void>;
}

/** A moment for Redis to answer, so that the first requests are counted together; without it all goes on. */
const PATIENCE_MS = 1_000;
const LOOK_MS = 5;

/** What servers share by Redis, if the settings name one; it need not answer. */
export async function openRedis(
  { redis: url, redisPrefix: prefix }: Pick<Config, 'redis' | 'redisPrefix'>,
  resources: readonly ResourceDescriptor[],
  log: RedisLog,
): Promise<SharedByRedis | undefined> {
  if (url === undefined) return undefined;
  const peers = new RedisPeers({ url, prefix, layout: layoutOf(resources), id: randomUUID(), log });
  const counter = new RedisCounter({ url, prefix, log });
  for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await delay(LOOK_MS))
    if (counter.isReady && peers.epoch !== undefined) break;
  return {
    peers,
    counter,
    async close() {
      await peers.close();
      counter.close();
    },
  };
}

/** Of servers with the same, rows have the same values in the same order. */
function layoutOf(resources: readonly ResourceDescriptor[]): string {
  const columns = resources.map(({ key, properties }) => [key, properties.map(({ name, type }) => [name, type])]);
  return createHash('sha256').update(JSON.stringify(columns)).digest('base64url').slice(0, 16);
}
