import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { levelsFrom } from '../descriptor/levels.ts';
import type { ResourceDescriptor } from '../descriptor/resource.ts';
import type { Counter } from './http/rate-limiter.ts';
import { RedisCounter } from './redis/redis-counter.ts';
import { RedisPeers, type RedisPeersOptions } from './redis/redis-peers.ts';
import type { RedisLog } from './redis/resilient-connection.ts';

/** What servers share through Redis. */
export interface RedisServices {
  readonly peers: RedisPeers;
  readonly counter: RedisCounter;
  close(): Promise<void>;
}

/** How long to wait for Redis, so that it counts the first requests. After that, the server starts without it. */
const START_TIMEOUT_MS = 1_000;
const POLL_MS = 5;

/** Connects to Redis, which need not be available. */
export async function openRedis(
  url: string,
  prefix: string,
  resources: readonly ResourceDescriptor[],
  log: RedisLog,
): Promise<RedisServices> {
  const peers = makePeers(url, prefix, resources, log);
  const counter = new RedisCounter({ url, prefix, log });
  await connected(() => counter.isReady && peers.isConnected);
  return {
    peers,
    counter,
    async close() {
      await peers.close();
      counter.close();
    },
  };
}

/** Connects to the other instances. */
export async function openPeers(
  url: string,
  prefix: string,
  resources: readonly ResourceDescriptor[],
  log: RedisLog,
): Promise<RedisPeers> {
  const peers = makePeers(url, prefix, resources, log);
  await connected(() => peers.isConnected);
  return peers;
}

/** Connects to what counts the requests of all instances. */
export async function openCounter(url: string, prefix: string, log: RedisLog): Promise<Counter & { close(): void }> {
  const counter = new RedisCounter({ url, prefix, log });
  await connected(() => counter.isReady);
  return counter;
}

function makePeers(url: string, prefix: string, resources: readonly ResourceDescriptor[], log: RedisLog): RedisPeers {
  // A change of a row has the rows above it, too.
  const layouts = new Map(resources.map((one) => [one.key, layoutOf(levelsFrom(one, resources))]));
  const layout = layoutOf(resources);
  return new RedisPeers({ url, prefix, layout, layouts, ...tenancyOf(resources), id: randomUUID(), log });
}

async function connected(isReady: () => boolean): Promise<void> {
  for (const end = performance.now() + START_TIMEOUT_MS; performance.now() < end; await delay(POLL_MS))
    if (isReady()) return;
}

/** A hash of all columns: rows of servers with the same layout have the same values in the same order. */
function layoutOf(resources: readonly ResourceDescriptor[]): string {
  return hashOf(resources.map(({ key, properties }) => [key, properties.map(({ name, type }) => [name, type])]));
}

/** Servers whose tenants are others do not notify each other of single ones. */
function tenancyOf(resources: readonly ResourceDescriptor[]): Pick<RedisPeersOptions, 'tenancy' | 'hasOperators'> {
  const rules = resources.flatMap(({ key, tenant }) => (tenant ? [{ key, ...tenant }] : []));
  rules.sort((a, b) => (a.key < b.key ? -1 : 1));
  if (rules.length === 0) return {};
  const hasOperators = rules.some(({ across }) => across !== undefined);
  return { tenancy: hashOf([hasOperators, rules.map(({ key, property }) => [key, property])]), hasOperators };
}

const hashOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16);
