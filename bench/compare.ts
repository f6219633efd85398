import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { ConstantAnswer } from './bare-http.ts';
import { BARE_FASTIFY, measureCachedList } from './cached-list.ts';
import { fillDatabase, productsIn, shelfIn } from './database.ts';
import { checkEquality, fieldOf } from './equality.ts';
import { asThemselves, type Contestant, LoadProcess, type Measurement, measure } from './measure.ts';
import { formatTable } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { cachedList, scenarios } from './scenarios.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken, SECRET } from './settings.ts';

export interface BenchOptions {
  /** Measured time per scenario and server. */
  readonly seconds: number;
  readonly connections: number;
  readonly rows: number;
  /** Names of scenarios; all when empty. */
  readonly only: readonly string[];
  readonly folder: string;
  readonly nodeFlags: readonly string[];
}

const OVER_REST = 'its REST';

/** Lockstep beside a hand-written Fastify service on a copy of the same file, and bare `node:http`. */
export async function compare(options: BenchOptions): Promise<void> {
  const files = ['lockstep.db', 'hand-written.db'].map((name) => join(options.folder, name)) as [string, string];
  await fillDatabase(files[0], options.rows);
  cpSync(files[0], files[1]);
  const servers = await startAll(files, options);
  const load = new LoadProcess();
  try {
    await run(servers, files[0], load, options);
  } finally {
    load.stop();
    await Promise.all(servers.map((server) => server.stop()));
  }
}

async function startAll([own, other]: [string, string], { folder, nodeFlags }: BenchOptions): Promise<ServerProcess[]> {
  return [
    await startServer({
      name: 'lockstep',
      entry: 'src/main.ts',
      environment: environmentFor(folder, own),
      nodeFlags,
    }),
    await startServer({
      name: 'hand-written',
      entry: 'bench/hand-written/main.ts',
      environment: { NODE_ENV: 'production', DATABASE_FILE: other, JWT_SECRET: SECRET },
    }),
    await startServer({ name: 'bare http', entry: 'bench/bare-http.ts', environment: {} }),
  ];
}

async function run(
  servers: readonly ServerProcess[],
  file: string,
  load: LoadProcess,
  options: BenchOptions,
): Promise<void> {
  const [tested, reference, bare] = servers as [ServerProcess, ServerProcess, ServerProcess];
  for (const { name, startedInMs } of servers) console.log(`${name} takes requests after ${startedInMs.toFixed(0)} ms`);
  const isChosen = ({ name }: Scenario) => options.only.length === 0 || options.only.includes(name);
  const chosen = scenarios.filter(isChosen);
  const token = await makeToken();
  const materialNow = (): Material => {
    return { base: '/v1', products: productsIn(file, options.rows, 1_000), token, shelf: shelfIn(file) };
  };
  const answers = await checkEquality(chosen, materialNow(), [tested.port, reference.port]);
  const material = materialNow();
  console.log(`the servers answer ${answers.size} scenarios with the same bytes\n`);
  const all: Measurement[] = [];
  for (const scenario of chosen) {
    const { status, head, body } = answers.get(scenario.name)!;
    bare.send({ status, contentType: fieldOf(head, 'content-type') ?? '', body } satisfies ConstantAnswer);
    const settings = { ...options, material: () => material };
    const measurements = await measure(load, scenario, contestantsOf(scenario, servers), settings);
    console.log(`${formatTable(measurements, referencesOf([scenario], reference, bare))}\n`);
    all.push(...measurements);
  }
  if (isChosen(cachedList)) all.push(...(await measureCachedList(file, material, load, options)));
  console.log(summary(all, tested.name, [...referencesOf(chosen, reference, bare), BARE_FASTIFY]));
}

/** Where GraphQL has a counterpart over REST, this server is held against itself too. */
function contestantsOf(scenario: Scenario, servers: readonly ServerProcess[]): Contestant[] {
  const contestants = asThemselves(servers);
  return scenario.overRest ? [...contestants, { name: OVER_REST, server: servers[0]!, overRest: true }] : contestants;
}

function referencesOf(chosen: readonly Scenario[], ...servers: readonly ServerProcess[]): string[] {
  const names = servers.map(({ name }) => name);
  return chosen.some(({ overRest }) => overRest) ? [...names, OVER_REST] : names;
}

function summary(all: readonly Measurement[], tested: string, references: readonly string[]): string {
  return `in short\n${formatTable(all, references)
    .split('\n')
    .filter((line, i) => i === 0 || line.includes(`  ${tested}  `))
    .join('\n')}`;
}
