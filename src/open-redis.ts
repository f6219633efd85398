import { createHash, randomUUID } from 'node:crypto';
import type { Config } from './config.ts';
import type { ResourceDescriptor } from './descriptor/resource.ts';
import { RedisCounter } from './redis/redis-counter.ts';
import { RedisPeers } from './redis/redis-peers.ts';
import type { RedisLog } from './redis/resilient.ts';

export interface SharedByRedis {
  readonly peers: RedisPeers;
  readonly counter: RedisCounter;
  close(): Promise<void>;
}

/** What servers share by Redis, if the settings name one; it need not answer yet. */
export function openRedis(
  { redis: url, redisPrefix: prefix }: Pick<Config, 'redis' | 'redisPrefix'>,
  resources: readonly ResourceDescriptor[],
  log: RedisLog,
): SharedByRedis | undefined {
  if (url === undefined) return undefined;
  const peers = new RedisPeers({ url, prefix, layout: layoutOf(resources), id: randomUUID(), log });
  const counter = new RedisCounter({ url, prefix, log });
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
