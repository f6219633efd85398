import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/runtime/storage/database/database.ts';
import { makeDatabaseOn } from '../../src/tools/scratch/postgres-database.ts';
import type { ConstantResponse } from './bare-http.ts';
import type { BenchOptions } from './bench-options.ts';
import { measureCachedList } from './cached-list.ts';
import { fillDatabase, productsIn, shelfIn } from './database.ts';
import { checkEquality, fieldOf } from './equality.ts';
import { type Contestant, contestantsFor, LoadProcess, type Measurement, measure } from './measure.ts';
import { formatTable } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { cachedList, scenarios } from './scenarios.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken, SECRET, urlOf } from './settings.ts';

const OVER_REST = 'its REST';
const LEAN = 'lean';
/** The scenarios that the lean service has, on SQLite. */
const OF_LEAN = new Set(['get one', 'list 20', '304', '404']);

/** Compares Lockstep with a hand-written Fastify service on a copy of the same rows, and with bare `node:http`. */
export async function compare(options: BenchOptions): Promise<void> {
  const databases =
    options.postgres === undefined ? await twoFiles(options) : await twoDatabases(options.postgres, options);
  const servers = await startAll(databases.locations, options);
  const load = new LoadProcess();
  try {
    await run(servers, databases.locations[0], load, options);
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await databases.drop();
  }
}

type Pair = readonly [own: DatabaseLocation, other: DatabaseLocation];

async function twoFiles({ folder, rows }: BenchOptions) {
  const own = join(folder, 'lockstep.db');
  const other = join(folder, 'hand-written.db');
  await fillDatabase({ kind: 'sqlite', file: own }, rows);
  cpSync(own, other);
  const locations: Pair = [
    { kind: 'sqlite', file: own },
    { kind: 'sqlite', file: other },
  ];
  return { locations, drop: async () => {} };
}

async function twoDatabases(server: string, { rows }: BenchOptions) {
  const made = [await makeDatabaseOn(server, 'bench'), await makeDatabaseOn(server, 'bench')];
  const locations = made.map(({ url }) => ({ kind: 'postgres', url }) as const) as unknown as Pair;
  for (const location of locations) await fillDatabase(location, rows);
  return {
    locations,
    async drop() {
      for (const { drop } of made) await drop();
    },
  };
}

async function startAll([own, other]: Pair, { folder, nodeFlags }: BenchOptions): Promise<ServerProcess[]> {
  const hand = { NODE_ENV: 'production', DATABASE: urlOf(other), JWT_SECRET: SECRET };
  const servers = [
    await startServer({
      name: 'lockstep',
      entry: 'src/main.ts',
      environment: environmentFor(folder, own),
      nodeFlags,
    }),
    await startServer({
      name: 'hand-written',
      entry: 'scripts/bench/hand-written/main.ts',
      environment: hand,
    }),
    await startServer({ name: 'bare http', entry: 'scripts/bench/bare-http.ts', environment: {} }),
  ];
  if (other.kind === 'sqlite')
    servers.push(await startServer({ name: LEAN, entry: 'scripts/bench/lean.ts', environment: hand }));
  return servers;
}

async function run(
  servers: readonly ServerProcess[],
  database: DatabaseLocation,
  load: LoadProcess,
  options: BenchOptions,
): Promise<void> {
  const [tested, reference, bare, lean] = servers as [ServerProcess, ServerProcess, ServerProcess, ServerProcess?];
  for (const { name, startedInMs } of servers)
    console.log(`${name} accepts requests after ${startedInMs.toFixed(0)} ms`);
  const isChosen = ({ name }: Scenario) => options.only.length === 0 || options.only.includes(name);
  const chosen = scenarios.filter(isChosen);
  const token = makeToken();
  const materialNow = async (): Promise<Material> => {
    const products = await productsIn(database, options.rows, 1_000);
    return { base: '/v1', products, token, shelf: await shelfIn(database) };
  };
  const answers = await checkEquality(chosen, await materialNow(), [tested.port, reference.port]);
  if (lean) await checkEquality(chosen.filter(isOfLean), await materialNow(), [tested.port, lean.port]);
  const material = await materialNow();
  console.log(`the servers' responses to ${answers.size} scenarios are identical\n`);
  const all: Measurement[] = [];
  for (const scenario of chosen) {
    const { status, head, body } = answers.get(scenario.name)!;
    bare.send({ status, contentType: fieldOf(head, 'content-type') ?? '', body } satisfies ConstantResponse);
    const settings = { ...options, material: () => material };
    const contestants = contestantsIn(scenario, servers);
    const measurements = await measure(load, scenario, contestants, settings);
    console.log(`${formatTable(measurements, namesOf(contestants.slice(1)))}\n`);
    all.push(...measurements);
  }
  if (isChosen(cachedList) && database.kind === 'sqlite')
    all.push(...(await measureCachedList(database, material, load, options)));
  const names = new Set(all.map(({ server }) => server));
  names.delete(tested.name);
  console.log(summary(all, tested.name, [...names]));
}

const isOfLean = ({ name }: Scenario): boolean => OF_LEAN.has(name);

/** The servers that have the scenario, and for a GraphQL scenario also Lockstep over REST. */
function contestantsIn(scenario: Scenario, servers: readonly ServerProcess[]): Contestant[] {
  const contestants = contestantsFor(servers.filter(({ name }) => name !== LEAN || isOfLean(scenario)));
  return scenario.overRest ? [...contestants, { name: OVER_REST, server: servers[0]!, overRest: true }] : contestants;
}

const namesOf = (contestants: readonly Contestant[]): string[] => contestants.map(({ name }) => name);

function summary(all: readonly Measurement[], tested: string, references: readonly string[]): string {
  return `summary\n${formatTable(all, references)
    .split('\n')
    .filter((line, i) => i === 0 || line.includes(`  ${tested}  `))
    .join('\n')}`;
}
