import { join } from 'node:path';
import { makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import type { BenchOptions } from './bench-options.ts';
import { fillDatabase, productsIn, shelfIn } from './database.ts';
import { LoadProcess, median } from './measure.ts';
import type { Material, Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken } from './settings.ts';

const NAMES = ['get one', 'list 20', 'create', 'update', 'GraphQL nested'];
const WARM_UP_MS = 1_000;
/** The first request number of the second load, far from those of the first. */
const SECOND_LOAD_FIRST = 10_000_000_000;

/** Compares the throughput of one instance and of two on the same Postgres, each with its own load process. */
export async function compareInstances(options: BenchOptions): Promise<void> {
  const database = await makeDatabaseOn(options.postgres!, 'bench');
  const location = { kind: 'postgres', url: database.url } as const;
  await fillDatabase(location, options.rows);
  const environment = environmentFor(join(options.folder, 'instances'), location);
  const servers: ServerProcess[] = [];
  const loads = [new LoadProcess(), new LoadProcess(SECOND_LOAD_FIRST)];
  try {
    for (const name of ['one', 'two']) servers.push(await startServer({ name, entry: 'src/main.ts', environment }));
    const products = await productsIn(location, options.rows, 1_000);
    const material = { base: '/v1', products, token: makeToken(), shelf: await shelfIn(location) };
    for (const scenario of scenarios.filter(({ name }) => NAMES.includes(name)))
      console.log(line(scenario.name, await alternating(scenario, material, servers, loads, options)));
  } finally {
    for (const load of loads) load.stop();
    await Promise.all(servers.map((server) => server.stop()));
    await database.drop();
  }
}

/** Requests per second of the first instance alone and of both, in alternating rounds. */
async function alternating(
  scenario: Scenario,
  material: Material,
  servers: readonly ServerProcess[],
  loads: readonly LoadProcess[],
  { connections, seconds }: BenchOptions,
): Promise<{ readonly one: number; readonly two: number }> {
  const run = async (count: number, durationMs: number): Promise<number> => {
    const order = { scenario: scenario.name, overRest: false, material, connections: connections / count, durationMs };
    const results = await Promise.all(servers.slice(0, count).map(({ port }, i) => loads[i]!.run({ ...order, port })));
    if (results.some(({ unexpected }) => unexpected > 0)) throw new Error(`${scenario.name}: unexpected responses`);
    return results.reduce((sum, { latencies, durationMs: took }) => sum + (latencies.length / took) * 1_000, 0);
  };
  await run(2, WARM_UP_MS);
  const rounds: { one: number; two: number }[] = [];
  for (let round = 0; round < seconds; round++) rounds.push({ one: await run(1, 1_000), two: await run(2, 1_000) });
  return { one: median(rounds.map(({ one }) => one)), two: median(rounds.map(({ two }) => two)) };
}

const line = (name: string, { one, two }: { readonly one: number; readonly two: number }): string =>
  `${name.padEnd(16)} one ${Math.round(one).toLocaleString('en').padStart(7)}/s   two ${Math.round(two).toLocaleString('en').padStart(7)}/s   × ${(two / one).toFixed(2)}`;
