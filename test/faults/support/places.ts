import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../support/command.ts';
import { Instance } from '../../support/instance.ts';
import { hasPostgres, makeDatabase } from '../../support/postgres.ts';
import { hasRedis, makePrefix, REDIS_URL } from '../../support/redis.ts';

/** Instances on one database, and what they leave behind. */
export interface Cluster {
  readonly instances: readonly Instance[];
  close(): Promise<void>;
}

export interface Place {
  readonly name: string;
  open(instances: number, environment?: Environment): Promise<Cluster>;
}

const sqlite: Place = {
  name: 'SQLite',
  async open(_instances, environment = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-faults-'));
    const instance = await Instance.start({ DATA_DIR: folder, ...environment });
    return {
      instances: [instance],
      async close() {
        await instance.end('SIGKILL');
        await rm(folder, { recursive: true });
      },
    };
  },
};

const postgres: Place = {
  name: 'Postgres and Redis',
  async open(count, environment = {}) {
    const url = await makeDatabase();
    const shared = { DATABASE_URL: url, REDIS_URL, REDIS_PREFIX: makePrefix(), ...environment };
    const instances = await Promise.all(Array.from({ length: count }, () => Instance.start(shared)));
    return {
      instances,
      async close() {
        await Promise.all(instances.map((instance) => instance.end('SIGKILL')));
      },
    };
  },
};

/** One instance on SQLite; several on Postgres. */
export const places: readonly Place[] = hasPostgres && hasRedis ? [sqlite, postgres] : [sqlite];
