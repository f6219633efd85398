import { execFileSync } from 'node:child_process';
import { eventually } from '../../support/eventually.ts';
import { RedisServer } from './redis-server.ts';

/** Several servers of Redis that act as one. */
export interface Topology {
  readonly url: string;
  /** Those that may be killed: the service goes on. */
  readonly masters: readonly RedisServer[];
  close(): Promise<void>;
}

/** A master with a replica, and a Sentinel that puts the one in the place of the other. */
export async function sentinelTopology(): Promise<Topology> {
  const master = await RedisServer.start();
  const replica = await RedisServer.start(['--replicaof', '127.0.0.1', String(master.port)]);
  await eventually(() => {
    if (!replica.ask('info', 'replication').includes('master_link_status:up')) throw new Error('not in step yet');
  });
  const sentinel = await master.sentinel();
  // It learns of the replica from the master.
  await eventually(() => {
    if (!sentinel.ask('sentinel', 'replicas', 'mymaster').includes(String(replica.port)))
      throw new Error('not known yet');
  });
  return topology(`redis+sentinel://127.0.0.1:${sentinel.port}/mymaster/0`, [master], [replica, sentinel]);
}

const CLUSTER = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1000'];

/** A cluster of three masters, each with so many replicas. */
export async function clusterTopology(replicas = 0): Promise<Topology> {
  const servers = await Promise.all(Array.from({ length: 3 * (1 + replicas) }, () => RedisServer.start(CLUSTER)));
  const addresses = servers.map(({ port }) => `127.0.0.1:${port}`);
  const create = ['--cluster', 'create', ...addresses, '--cluster-replicas', String(replicas), '--cluster-yes'];
  execFileSync('redis-cli', create, { stdio: 'ignore' });
  await eventually(() => {
    for (const server of servers)
      if (!server.ask('cluster', 'info').includes('cluster_state:ok')) throw new Error('not made yet');
  });
  const masters = servers.filter((server) => server.ask('role').startsWith('master'));
  const others = servers.filter((server) => !masters.includes(server));
  return topology(`redis+cluster://${addresses.join(',')}`, masters, others);
}

const topology = (url: string, masters: readonly RedisServer[], others: readonly RedisServer[]): Topology => ({
  url,
  masters,
  async close() {
    for (const server of [...masters, ...others]) await server.close();
  },
});
