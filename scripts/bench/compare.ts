import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/runtime/storage/database/database.ts';
import { makeDatabaseOn } from '../../src/tools/scratch/postgres-database.ts';
import type { ConstantResponse } from './bare-http.ts';
import type { BenchOptions } from './bench-options.ts';
import { BARE_FASTIFY, measureCachedList } from './cached-list.ts';
import { fillDatabase, productsIn, shelfIn } from './database.ts';
import { checkEquality, fieldOf } from './equality.ts';
import { type Contestant, contestantsFor, LoadProcess, type Measurement, measure } from './measure.ts';
import { formatTable } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { cachedList, scenarios } from './scenarios.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken, SECRET, urlOf } from './settings.ts';

const OVER_REST = 'its REST';

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
  return [
    await startServer({
      name: 'lockstep',
      entry: 'src/main.ts',
      environment: environmentFor(folder, own),
      nodeFlags,
    }),
    await startServer({
      name: 'hand-written',
      entry: 'scripts/bench/hand-written/main.ts',
      environment: { NODE_ENV: 'production', DATABASE: urlOf(other), JWT_SECRET: SECRET },
    }),
    await startServer({ name: 'bare http', entry: 'scripts/bench/bare-http.ts', environment: {} }),
  ];
}

async function run(
  servers: readonly ServerProcess[],
  database: DatabaseLocation,
  load: LoadProcess,
  options: BenchOptions,
): Promise<void> {
  const [tested, reference, bare] = servers as [ServerProcess, ServerProcess, ServerProcess];
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
  const material = await materialNow();
  console.log(`the servers' responses to ${answers.size} scenarios are identical\n`);
  const all: Measurement[] = [];
  for (const scenario of chosen) {
    const { status, head, body } = answers.get(scenario.name)!;
    bare.send({ status, contentType: fieldOf(head, 'content-type') ?? '', body } satisfies ConstantResponse);
    const settings = { ...options, material: () => material };
    const measurements = await measure(load, scenario, contestantsIn(scenario, servers), settings);
    console.log(`${formatTable(measurements, referencesOf([scenario], reference, bare))}\n`);
    all.push(...measurements);
  }
  if (isChosen(cachedList) && database.kind === 'sqlite')
    all.push(...(await measureCachedList(database, material, load, options)));
  console.log(summary(all, tested.name, [...referencesOf(chosen, reference, bare), BARE_FASTIFY]));
}

/** The servers, and for a GraphQL scenario also Lockstep over REST. */
function contestantsIn(scenario: Scenario, servers: readonly ServerProcess[]): Contestant[] {
  const contestants = contestantsFor(servers);
  return scenario.overRest ? [...contestants, { name: OVER_REST, server: servers[0]!, overRest: true }] : contestants;
}

function referencesOf(chosen: readonly Scenario[], ...servers: readonly ServerProcess[]): string[] {
  const names = servers.map(({ name }) => name);
  return chosen.some(({ overRest }) => overRest) ? [...names, OVER_REST] : names;
}

function summary(all: readonly Measurement[], tested: string, references: readonly string[]): string {
  return `summary\n${formatTable(all, references)
    .split('\n')
    .filter((line, i) => i === 0 || line.includes(`  ${tested}  `))
    .join('\n')}`;
}
