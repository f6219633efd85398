import type { CompiledContract } from '../descriptor/compiled-contract.ts';
import type { Peers } from './engine/events/peers.ts';
import type { Counter } from './http/rate-limiter.ts';
import type { RedisLog } from './redis/resilient-connection.ts';
import type { Config } from './settings/config.ts';
import type { Team } from './workers/team.ts';

/** What a server shares with others. */
export interface SharedServices {
  readonly peers: Peers;
  readonly counter: Counter;
  close(): Promise<void>;
}

/** Those of the other instances, and of the other workers; undefined for a server without others. */
export async function openShared(
  { redis, redisPrefix }: Config,
  { resources }: CompiledContract,
  log: RedisLog,
  team: Team | undefined,
): Promise<SharedServices | undefined> {
  const opening = redis === undefined ? undefined : await import('./open-redis.ts');
  if (!team) return redis === undefined ? undefined : opening?.openRedis(redis, redisPrefix, resources, log);
  const counter = redis === undefined ? undefined : await opening?.openCounter(redis, redisPrefix, log);
  return {
    peers: team.peers,
    counter: counter ? team.countingBy(counter) : team.counter,
    async close() {
      counter?.close();
      await team.close();
    },
  };
}
