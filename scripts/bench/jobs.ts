import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { secretKeys } from '../../src/runtime/auth/index.ts';
import type { JobRunner } from '../../src/runtime/jobs/index.ts';
import { createServer } from '../../src/runtime/server.ts';
import { type DatabaseLocation, openStore } from '../../src/runtime/storage/database/index.ts';
import type { BenchOptions } from './bench-options.ts';
import { databasesFor, type Pair } from './contestants.ts';
import { productsIn } from './database.ts';
import { withBackends } from './layouts.ts';
import { contestantsFor, LoadProcess, type Measurement, measure, median } from './measure.ts';
import { align } from './report.ts';
import type { Material } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { fromRoot, type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken, SECRET } from './settings.ts';

const WRITES = scenarios.filter(({ name }) => name === 'create' || name === 'update');
const EMPTY = 2_000;
const ROUNDS = 5;
const AT_ONCE = 4;

/** Compares writes that code hears of with others, and empty jobs with a loop by hand, by the CPU of both sides. */
export async function compareJobs(options: BenchOptions): Promise<void> {
  const { locations, drop } = await databasesFor(options);
  try {
    const writes = await compareWrites(locations, options);
    const costs = [...Map.groupBy(writes, ({ scenario }) => scenario)].map(([scenario, all]) =>
      rowOf(scenario, ...(all.map(({ cpuMicros }) => cpuMicros) as [number, number])),
    );
    const empty = await compareEmpty(locations[0]);
    console.log(align([['', 'CPU µs without', 'with', 'without ÷ with'], ...costs], 1));
    console.log(align([['', 'CPU µs by hand', 'as jobs', 'by hand ÷ as jobs'], rowOf('empty job', ...empty)], 1));
  } finally {
    await drop();
  }
}

const rowOf = (name: string, before: number, now: number): readonly string[] => [
  ...[name, before.toFixed(1), now.toFixed(1), (before / now).toFixed(2)],
];

async function compareWrites(locations: Pair, options: BenchOptions): Promise<readonly Measurement[]> {
  const sides: (readonly [ServerProcess, Material])[] = [];
  const load = new LoadProcess();
  try {
    const entries = [
      ['unheard', 'src/main.ts', locations[0]],
      ['heard', 'scripts/bench/consuming-server.ts', locations[1]],
    ] as const;
    for (const [name, entry, location] of entries) {
      const environment = { ...environmentFor(options.folder, location), JOBS_AT_ONCE: '0' };
      const server = await startServer({ name, entry, environment, nodeFlags: options.nodeFlags });
      const products = await productsIn(location, options.rows, 1_000);
      sides.push([measuredOn(location, server), { base: '/v1', products, token: makeToken() }]);
    }
    const material = new Map(sides);
    const all: Measurement[] = [];
    for (const scenario of WRITES)
      all.push(
        ...(await measure(load, scenario, contestantsFor([...material.keys()]), {
          ...options,
          material: (server) => material.get(server)!,
        })),
      );
    return all;
  } finally {
    load.stop();
    for (const [server] of sides) await server.stop();
  }
}

const measuredOn = (location: DatabaseLocation, server: ServerProcess): ServerProcess =>
  location.kind === 'postgres' ? withBackends({ server, url: location.url }) : server;

/** Median CPU time of one empty job: in a loop by hand, and as a job. */
async function compareEmpty(location: DatabaseLocation): Promise<readonly [number, number]> {
  const own = process.cpuUsage;
  const usage = async () => {
    const { user, system } = own();
    return { cpuMicros: user + system, rssBytes: 0 };
  };
  const meter = measuredOn(location, { usage } as ServerProcess);
  const byHand = location.kind === 'postgres' ? await loopOnPostgres(location.url) : loopOnSqlite(location.file);
  const asJobs = await jobsOn(location);
  const rounds: (readonly [number, number])[] = [];
  const costOf = async (side: Side): Promise<number> => {
    await side.fill();
    const before = await meter.usage();
    await side.run();
    return ((await meter.usage()).cpuMicros - before.cpuMicros) / EMPTY;
  };
  try {
    for (let round = 0; round <= ROUNDS; round++) rounds.push([await costOf(byHand), await costOf(asJobs)]);
  } finally {
    await byHand.close();
    await asJobs.close();
  }
  // The first round compiles.
  const [hand, jobs] = [0, 1].map((side) => median(rounds.slice(1).map((round) => round[side]!)));
  return [hand!, jobs!];
}

interface Side {
  fill(): unknown;
  run(): unknown;
  close(): unknown;
}

/** Four connections, each of which claims a row, and deletes it in the same transaction. */
async function loopOnPostgres(url: string): Promise<Side> {
  const pool = new pg.Pool({ connectionString: url, max: AT_ONCE });
  await pool.query('create table by_hand (id bigint generated by default as identity primary key, input text)');
  const claim = { name: 'claim', text: 'select id, input from by_hand order by id limit 1 for update skip locked' };
  const loop = async (): Promise<void> => {
    const client = await pool.connect();
    for (;;) {
      await client.query('begin');
      const { rows } = await client.query(claim);
      if (rows.length > 0)
        await client.query({ name: 'end', text: 'delete from by_hand where id = $1', values: [rows[0].id] });
      await client.query('commit');
      if (rows.length === 0) return client.release();
    }
  };
  return {
    fill: () => pool.query(`insert into by_hand (input) select '{}' from generate_series(1, ${EMPTY})`),
    run: () => Promise.all(Array.from({ length: AT_ONCE }, loop)),
    close: () => pool.end(),
  };
}

function loopOnSqlite(file: string): Side {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec('pragma synchronous = normal; create table by_hand (id integer primary key, input text)');
  const claim = database.prepare('select id, input from by_hand order by id limit 1');
  const end = database.prepare('delete from by_hand where id = ?');
  const one = (): boolean => {
    database.exec('begin immediate');
    const found = claim.get();
    if (found) end.run(found['id'] as number);
    database.exec('commit');
    return found !== undefined;
  };
  return {
    fill() {
      database.exec(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${EMPTY})
        insert into by_hand (input) select '{}' from n`);
    },
    run() {
      while (one());
    },
    close: () => database.close(),
  };
}

async function jobsOn(location: DatabaseLocation): Promise<Side> {
  const limits = { databaseConnections: 10, statementTimeoutMs: 10_000, sqliteSynchronous: 'normal' } as const;
  const { model: contract } = await modelContract(fromRoot('contracts'));
  if (!contract) throw new Error('contracts/ has faults');
  const store = await openStore(location, contract.resources, limits);
  let ended = 0;
  let all = Promise.withResolvers<void>();
  const run = () => {
    if (++ended === EMPTY) all.resolve();
  };
  let runner: JobRunner | undefined;
  const app = await createServer({
    ...{ contract, store, allowMissing: true, handlers: { jobs: [{ name: 'empty', run }] } },
    authentication: { keys: secretKeys(SECRET) },
    onJobs: (jobs) => {
      runner = jobs;
    },
  });
  const job = { name: 'empty', key: null, tenant: '', input: '{}', subject: null, requestId: 'bench', depth: 0 };
  return {
    async fill() {
      [ended, all] = [0, Promise.withResolvers<void>()];
      await store.transaction(async ({ jobs: sent }) => {
        for (let i = 0; i < EMPTY; i++) await sent.send({ ...job, runAt: undefined }, false, undefined);
      }, 'serial');
    },
    async run() {
      runner?.start(AT_ONCE);
      await all.promise;
      await runner?.stop();
    },
    async close() {
      await app.close();
      await store.close();
    },
  };
}
