import { existsSync, mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';
import { CommandFailure } from '../../src/tools/command-failure.ts';
import { makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { productsIn, shelfIn } from './database.ts';
import { answersTo, materialFor } from './equality.ts';
import { contestantsFor, LoadProcess, type Measurement, measure, median } from './measure.ts';
import { formatRuns } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { cachedList, scenarios } from './scenarios.ts';
import { fromRoot, type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken } from './settings.ts';
import { cachedTool } from './tool-scenarios.ts';

const RUNS = 5;
const NEEDED = ['src/main.ts', 'scripts/bench/database.ts', 'node_modules'];

/** One of the two checkouts. */
interface Side {
  readonly name: 'now' | 'before';
  /** The folder of the checkout. */
  readonly root: string;
}

/** A server of one run, on a database of its own. */
interface Running {
  readonly server: ServerProcess;
  readonly location: DatabaseLocation;
  readonly stop: () => Promise<void>;
}

/** What the servers of one run are asked. */
interface Plan {
  readonly scenarios: readonly Scenario[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Compares this checkout with another one. In each of five runs, new processes on new databases take turns; each checkout
 * fills its database by its own code.
 */
export async function compareWithBefore(options: BenchOptions): Promise<void> {
  const sides: readonly Side[] = [
    { name: 'now', root: fromRoot('') },
    { name: 'before', root: checkoutAt(options.before!) },
  ];
  const load = new LoadProcess();
  const starts: ServerProcess[] = [];
  const measurements: Measurement[] = [];
  try {
    for (let run = 1; run <= RUNS; run++)
      for (const plan of plansOf(options)) {
        console.log(`run ${run} of ${RUNS}: ${plan.scenarios.map(({ name }) => name).join(', ')}`);
        const order = run % 2 === 1 ? sides : sides.toReversed();
        await withServers(order, plan, options, async (running) => {
          starts.push(...running.map(({ server }) => server));
          if (run === 1) await reportDifferences(running, plan, options);
          measurements.push(...(await measureAll(running, plan, load, options)));
        });
      }
  } finally {
    load.stop();
  }
  for (const { name } of sides) console.log(`${name} accepts requests after ${startOf(name, starts).toFixed(0)} ms`);
  console.log(`\n${formatRuns(measurements)}`);
}

function checkoutAt(folder: string): string {
  const root = resolve(folder);
  const missing = NEEDED.find((path) => !existsSync(join(root, path)));
  if (missing === undefined) return root;
  throw new CommandFailure(
    `--before: ${folder} has no ${missing}. It must be a checkout of this repository with its packages:\n` +
      `  git worktree add ${folder} REF && (cd ${folder} && npm ci)`,
  );
}

/** All scenarios without the cache of lists, and the one that needs it. */
function plansOf({ only, postgres }: BenchOptions): readonly Plan[] {
  const isChosen = ({ name }: Scenario) => only.length === 0 || only.includes(name);
  const plans: readonly Plan[] = [
    { scenarios: scenarios.filter(isChosen), environment: {} },
    {
      scenarios: postgres === undefined ? [cachedList, cachedTool].filter(isChosen) : [],
      environment: { LIST_CACHE_MB: '64' },
    },
  ];
  return plans.filter((plan) => plan.scenarios.length > 0);
}

async function withServers(
  sides: readonly Side[],
  plan: Plan,
  options: BenchOptions,
  work: (running: readonly Running[]) => Promise<void>,
): Promise<void> {
  const running: Running[] = [];
  try {
    for (const side of sides) running.push(await startSide(side, plan, options));
    await work(running);
  } finally {
    for (const { stop } of running) await stop();
  }
}

async function startSide({ name, root }: Side, plan: Plan, options: BenchOptions): Promise<Running> {
  const folder = mkdtempSync(join(options.folder, `${name}-`));
  const database = await makeDatabase(folder, options);
  const { fillDatabase } = await import(pathToFileURL(join(root, 'scripts/bench/database.ts')).href);
  await fillDatabase(database.location, options.rows);
  const server = await startServer({
    name,
    root,
    entry: 'src/main.ts',
    environment: { ...environmentFor(folder, database.location), ...plan.environment },
    nodeFlags: name === 'now' ? options.nodeFlags : [],
  });
  const stop = async () => {
    await server.stop();
    await database.drop();
  };
  return { server, location: database.location, stop };
}

async function makeDatabase(folder: string, { postgres }: BenchOptions) {
  if (postgres === undefined)
    return { location: { kind: 'sqlite', file: join(folder, 'bench.db') } as const, drop: async () => {} };
  const { url, drop } = await makeDatabaseOn(postgres, 'bench');
  return { location: { kind: 'postgres', url } as const, drop };
}

/** Says where the checkouts answer something else, so that their speed is not that of the same work. */
async function reportDifferences(running: readonly Running[], { scenarios: asked }: Plan, options: BenchOptions) {
  const asking = [];
  for (const { server, location } of running)
    asking.push({ port: server.port, material: await materialIn(server, location, options) });
  for (const scenario of asked) {
    const { difference } = await answersTo(scenario, asking);
    if (difference !== undefined) console.log(`${scenario.name}: ${difference}`);
  }
}

async function materialIn(
  { port }: ServerProcess,
  location: DatabaseLocation,
  { rows }: BenchOptions,
): Promise<Material> {
  const products = await productsIn(location, rows, 1_000);
  return materialFor(port, { base: '/v1', products, token: makeToken(), shelf: await shelfIn(location) });
}

async function measureAll(running: readonly Running[], plan: Plan, load: LoadProcess, options: BenchOptions) {
  const materials = new Map<ServerProcess, Material>();
  for (const { server, location } of running) materials.set(server, await materialIn(server, location, options));
  const settings = { ...options, material: (server: ServerProcess) => materials.get(server)! };
  const contestants = contestantsFor(running.map(({ server }) => server));
  const measurements: Measurement[] = [];
  for (const scenario of plan.scenarios) measurements.push(...(await measure(load, scenario, contestants, settings)));
  return measurements;
}

const startOf = (name: string, starts: readonly ServerProcess[]): number =>
  median(starts.filter((server) => server.name === name).map(({ startedInMs }) => startedInMs));
