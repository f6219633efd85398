import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../src/tools/random.ts';
import type { Scene } from './scene.ts';

/** What does harm, and then heals it. */
export interface Nemesis {
  readonly name: string;
  readonly act: (scene: Scene, random: Random) => Promise<unknown>;
}

async function freeze({ instances }: Scene, random: Random, forMs: number): Promise<void> {
  const { pid } = random.pick([...instances.values()]);
  process.kill(pid, 'SIGSTOP');
  await delay(forMs);
  process.kill(pid, 'SIGCONT');
}

/** What a server process meets wherever its rows are. */
export const processNemeses: readonly Nemesis[] = [
  {
    name: 'an instance is killed',
    async act({ instances }, random) {
      const instance = random.pick([...instances.values()]);
      await instance.end('SIGKILL');
      await delay(random.below(1_000));
      await instance.start();
    },
  },
  { name: 'an instance is frozen', act: (scene, random) => freeze(scene, random, random.integer(500, 4_000)) },
  // Longer than Postgres waits for a transaction that is idle.
  { name: 'an instance is frozen for long', act: (scene, random) => freeze(scene, random, 12_000) },
  {
    name: 'instances are replaced',
    async act({ instances }) {
      for (const instance of instances.values()) {
        await instance.end('SIGTERM');
        await instance.start();
      }
    },
  },
];

export const postgresNemeses: readonly Nemesis[] = [
  {
    name: 'Postgres crashes',
    async act({ postgres }, random) {
      await postgres!.crash();
      await delay(random.below(1_000));
      await postgres!.start();
    },
  },
  { name: 'Postgres is restarted', act: ({ postgres }) => postgres!.restart() },
  {
    name: 'Postgres is frozen',
    async act({ postgres }, random) {
      postgres!.freeze();
      await delay(random.integer(500, 4_000));
      postgres!.thaw();
    },
  },
  {
    name: 'connections to Postgres are cut',
    act: ({ postgres }) =>
      postgres!.query(`
        select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'instance %' and random() < 0.5`),
  },
];

export const redisNemeses: readonly Nemesis[] = [
  {
    name: 'Redis is killed',
    async act({ redis }, random) {
      await redis!.kill();
      await delay(random.below(2_000));
      await redis!.start();
    },
  },
  {
    name: 'connections to Redis are cut',
    async act({ redis }) {
      for (const type of ['normal', 'pubsub']) redis!.ask('client', 'kill', 'type', type);
    },
  },
];

export const poolerNemeses: readonly Nemesis[] = [
  { name: 'PgBouncer is killed', act: ({ pooler }) => pooler!.restart() },
];

export const fileNemeses: readonly Nemesis[] = [
  {
    name: 'another process holds the file',
    async act({ file }, random) {
      const holder = new DatabaseSync(file!, { timeout: 5_000 });
      holder.exec('begin immediate');
      await delay(random.integer(100, 2_000));
      holder.exec('rollback');
      holder.close();
    },
  },
];
