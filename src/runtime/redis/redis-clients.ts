import { Cluster, Redis, type RedisOptions } from 'ioredis';
import { connectorTo } from './node-connector.ts';
import { type Node, type RedisAddress, redisAddress } from './redis-address.ts';

const MAX_RETRY_MS = 1_000;
/** Sentinels, and nodes of a cluster, are asked again after this time, however often they were. */
const MAX_SEARCH_MS = 500;

const waitingMs = (attempt: number): number => Math.min(attempt * 50, MAX_RETRY_MS);
const searchingMs = (attempt: number): number => Math.min(attempt * 50, MAX_SEARCH_MS);

/** Commands fail at once instead of waiting for an unreachable server. */
const OPTIONS = {
  lazyConnect: true,
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 2_000,
  commandTimeout: 1_000,
  enableAutoPipelining: true,
  retryStrategy: waitingMs,
} satisfies RedisOptions;

/**
 * A client for Pub/Sub, not connected yet. In a cluster it is connected to one node, and to the next one when that is lost: what
 * is published on any node reaches all of them, what comes from one in the order in which it was published.
 */
export function messageClient(url: string): Redis {
  const address = known(url);
  if (address.kind !== 'cluster') return serverClient(address);
  const { nodes, credentials, hasTls } = address;
  return new Redis({ ...OPTIONS, ...credentials, Connector: connectorTo(nodes, hasTls) });
}

/** A client for commands with keys, not connected yet: of a cluster, it asks the node that has the key. */
export function keyClient(url: string): Redis | Cluster {
  const address = known(url);
  if (address.kind !== 'cluster') return serverClient(address);
  const { enableAutoPipelining: _, ...redisOptions } = OPTIONS;
  return new Cluster(
    address.nodes.map(({ host, port }: Node) => ({ host, port })),
    {
      lazyConnect: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: searchingMs,
      redisOptions: { ...redisOptions, ...address.credentials, ...(address.hasTls && { tls: {} }) },
    },
  );
}

function serverClient(address: Exclude<RedisAddress, { kind: 'cluster' }>): Redis {
  if (address.kind === 'server') return new Redis(address.url, OPTIONS);
  const { sentinels, master, database, credentials, sentinelCredentials, hasTls } = address;
  const { username, password } = sentinelCredentials;
  return new Redis({
    ...OPTIONS,
    sentinels: sentinels.map(({ host, port }) => ({ host, port })),
    name: master,
    db: database,
    ...credentials,
    ...(username && { sentinelUsername: username }),
    ...(password && { sentinelPassword: password }),
    ...(hasTls && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelRetryStrategy: searchingMs,
    sentinelReconnectStrategy: searchingMs,
  });
}

/** Settings are checked before they come here. */
function known(url: string): RedisAddress {
  const address = redisAddress(url);
  if (!address) throw new Error('The URL of Redis is not valid.');
  return address;
}
