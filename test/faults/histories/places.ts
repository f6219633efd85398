import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../support/command.ts';
import { Instance } from '../../support/instance.ts';
import { hasPgBouncer, startPgBouncer } from '../../support/pgbouncer.ts';
import { makePrefix } from '../../support/redis.ts';
import { hasPostgresServer, PostgresServer } from '../support/postgres-server.ts';
import { hasRedisServer, RedisServer } from '../support/redis-server.ts';
import { fileNemeses, type Nemesis, poolerNemeses, postgresNemeses, processNemeses, redisNemeses } from './nemeses.ts';
import type { Scene } from './scene.ts';
import { postgresTriggers, sqliteTriggers } from './triggers.ts';

export interface Place {
  readonly name: string;
  readonly nemeses: readonly Nemesis[];
  /** `entry`: the script that starts each instance, if it is not that of production. */
  readonly open: (environment?: Environment, entry?: string) => Promise<Scene>;
}

async function onSqlite(environment: Environment = {}, entry?: string): Promise<Scene> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-histories-'));
  const file = join(folder, 'shop.db');
  const instance = await Instance.start({ ...environment, DATA_DIR: folder, DATABASE_URL: `sqlite:${file}` }, entry);
  return {
    instances: new Map([['the instance', instance]]),
    triggers: sqliteTriggers(file),
    file,
    async close() {
      await instance.end('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}

/** Three instances on a Postgres and a Redis of their own. */
async function onPostgres(
  postgres: PostgresServer,
  url = postgres.url,
  environment: Environment = {},
  entry?: string,
): Promise<Scene> {
  const redis = await RedisServer.start();
  const shared = { REDIS_URL: redis.url, REDIS_PREFIX: makePrefix(), ...environment };
  const start = async (name: string): Promise<[string, Instance]> => [
    name,
    await Instance.start({ ...shared, DATABASE_URL: `${url}?application_name=${encodeURIComponent(name)}` }, entry),
  ];
  const instances = new Map(await Promise.all(['instance 1', 'instance 2', 'instance 3'].map(start)));
  const all = [...instances.values()];
  return {
    instances,
    triggers: await postgresTriggers(postgres.url),
    postgres,
    redis,
    async close() {
      await Promise.all(all.map((instance) => instance.end('SIGKILL')));
      await redis.close();
      await postgres.close();
    },
  };
}

/** Reads are answered by a replica. */
async function withReplica(): Promise<Scene> {
  const server = await PostgresServer.start();
  const standby = await server.standby();
  const scene = await onPostgres(server, server.url, { DATABASE_READ_URL: standby.url });
  return {
    ...scene,
    async close() {
      await scene.close();
      await standby.close();
    },
  };
}

async function behindPgBouncer(): Promise<Scene> {
  const server = await PostgresServer.start();
  const pooler = await startPgBouncer(server.url.replace('postgres@', 'postgres:any@'), 'transaction');
  const scene = await onPostgres(server, pooler.through(server.url));
  return {
    ...scene,
    pooler,
    async close() {
      await scene.close();
      await pooler.close();
    },
  };
}

const hasServers = hasPostgresServer && hasRedisServer;

const cluster = [...processNemeses, ...postgresNemeses, ...redisNemeses];

const sqlite = { name: 'SQLite', nemeses: [...processNemeses, ...fileNemeses], open: onSqlite };
const postgres: Place = {
  ...{ name: 'Postgres', nemeses: cluster },
  async open(...settings) {
    const server = await PostgresServer.start();
    return onPostgres(server, server.url, ...settings);
  },
};
const replica = { name: 'Postgres with a replica', nemeses: cluster, open: withReplica };
const pooled = { name: 'Postgres behind PgBouncer', nemeses: [...cluster, ...poolerNemeses], open: behindPgBouncer };

/** One instance on SQLite, three on Postgres. */
export const places: readonly Place[] = hasServers ? [sqlite, postgres] : [sqlite];

/** What stands between the instances and Postgres elsewhere. */
export const fartherPlaces: readonly Place[] = hasServers ? [replica, ...(hasPgBouncer ? [pooled] : [])] : [];
