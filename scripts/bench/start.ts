import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BenchOptions } from './bench-options.ts';
import { BARE_FASTIFY } from './cached-list.ts';
import { LoadConnection } from './connection.ts';
import { databasesFor, isServed, LOCKSTEP, servicesOn } from './contestants.ts';
import { productsIn, shelfIn } from './database.ts';
import { materialFor } from './equality.ts';
import { median } from './measure.ts';
import { align } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { fromRoot, type ServerCommand, startServer } from './server-process.ts';
import { makeToken } from './settings.ts';

const RUNS = 5;
/** After this time, nothing that the start has left to do is running. */
const IDLE_MS = 3_000;

/** The servers that starts are compared with; Node strips the types of the second one. */
const YARDSTICKS: readonly ServerCommand[] = ['.mjs', '.ts'].map((extension) => ({
  name: `${BARE_FASTIFY}, ${extension}`,
  entry: `scripts/bench/bare-fastify${extension}`,
  environment: {},
}));

/** What one start of a server took. */
interface Start {
  readonly server: string;
  readonly startedInMs: number;
  /** Of all threads, until the first connection. */
  readonly cpuMicros: number;
  /** Of the process when it is idle, before its first request. */
  readonly rssBytes: number;
  /** Milliseconds of the first and the second request, by scenario. */
  readonly answers: ReadonlyMap<string, readonly [first: number, second: number]>;
}

/**
 * Starts each server five times, in turns, Lockstep from its sources and as an image: time and CPU to its first connection, the
 * memory when it is idle, and the time of its first request of each kind beside the second.
 */
export async function compareStarts(options: BenchOptions): Promise<void> {
  const databases = await databasesFor(options);
  try {
    const [location] = databases.locations;
    const products = await productsIn(location, options.rows, 1_000);
    const material = { base: '/v1', products, token: makeToken(), shelf: await shelfIn(location) };
    const chosen = scenarios.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
    const [own, ...services] = servicesOn(databases.locations, options) as [ServerCommand, ...ServerCommand[]];
    const commands = [own, await imageOf(own, options), ...services, ...YARDSTICKS];
    const starts: Start[] = [];
    for (let run = 0; run < RUNS; run++)
      for (const command of run % 2 === 0 ? commands : commands.toReversed())
        starts.push(await startOf(command, chosen, material, 2 * (run * commands.length + commands.indexOf(command))));
    console.log(`${startTable(starts, commands)}\n\n${answerTable(starts, commands, chosen)}`);
  } finally {
    await databases.drop();
  }
}

/** The same server from the output of `npm run image`. */
async function imageOf(own: ServerCommand, { folder }: BenchOptions): Promise<ServerCommand> {
  const root = join(folder, 'image');
  await promisify(execFile)(process.execPath, [fromRoot('scripts/image.ts'), '--out', root], { cwd: fromRoot('') });
  const { nodeFlags, environment } = await container();
  return {
    ...own,
    name: `${LOCKSTEP}, image`,
    root,
    entry: 'main.js',
    nodeFlags,
    environment: { ...environment, ...own.environment },
  };
}

/** What the container gives to Node before the file, and its variables. */
async function container(): Promise<Required<Pick<ServerCommand, 'nodeFlags' | 'environment'>>> {
  const text = await readFile(fromRoot('Dockerfile'), 'utf8');
  const [, command = ''] = /^CMD (\[.+\])$/m.exec(text) ?? [];
  const variables = [...text.matchAll(/^ENV (.+)$/gm)].flatMap(([, pairs = '']) => pairs.split(' '));
  return {
    nodeFlags: (JSON.parse(command) as readonly string[]).slice(1, -1),
    environment: Object.fromEntries(variables.map((pair) => pair.split('='))),
  };
}

async function startOf(
  command: ServerCommand,
  chosen: readonly Scenario[],
  material: Material,
  /** Number of the first row that is asked for: what another server has changed on the same rows is left alone. */
  first: number,
): Promise<Start> {
  const server = await startServer(command);
  try {
    const { cpuMicros } = await server.usage();
    await delay(IDLE_MS);
    const { rssBytes } = await server.usage();
    const answers = new Map<string, readonly [number, number]>();
    for (const scenario of chosen.filter((one) => isServed(command.name, one))) {
      const connection = await LoadConnection.open(server.port);
      const took: number[] = [];
      const known = scenario.status === 304 ? await materialFor(server.port, material) : material;
      for (const i of [1, 2]) {
        const before = performance.now();
        const { status, head, body } = await connection.send(scenario.request(known, first + i));
        took.push(performance.now() - before);
        if (status !== scenario.status) throw new Error(`${command.name}, ${scenario.name}: ${head}${body}`);
      }
      answers.set(scenario.name, took as unknown as readonly [number, number]);
      connection.close();
    }
    return { server: command.name, startedInMs: server.startedInMs, cpuMicros, rssBytes, answers };
  } finally {
    await server.stop();
  }
}

type Named = readonly Pick<ServerCommand, 'name'>[];

type Figure = readonly [heading: string, of: (starts: readonly Start[]) => number];

/** Of time and CPU the least, as other work on the machine adds to both; of memory the median. */
const FIGURES: readonly Figure[] = [
  ['start ms', (starts) => Math.min(...starts.map(({ startedInMs }) => startedInMs))],
  ['CPU ms', (starts) => Math.min(...starts.map(({ cpuMicros }) => cpuMicros / 1_000))],
  ['idle MB', (starts) => median(starts.map(({ rssBytes }) => rssBytes / 2 ** 20))],
];

/** Figures of each server, and their ratios to those of each yardstick. */
function startTable(starts: readonly Start[], commands: Named): string {
  const startsOf = ({ name }: Named[number]): readonly Start[] => starts.filter(({ server }) => server === name);
  const headings = FIGURES.flatMap(([heading]) => [heading, '÷ .mjs', '÷ .ts']);
  const rows = commands.map((command) => [
    command.name,
    ...FIGURES.flatMap(([, of]) => {
      const own = of(startsOf(command));
      return [own.toFixed(0), ...YARDSTICKS.map((yardstick) => (own / of(startsOf(yardstick))).toFixed(2))];
    }),
  ]);
  return align([['server', ...headings], ...rows], 1);
}

function answerTable(starts: readonly Start[], commands: Named, chosen: readonly Scenario[]): string {
  const rows = chosen.flatMap((scenario) =>
    commands.flatMap(({ name }) => {
      const answers = starts
        .filter(({ server }) => server === name)
        .flatMap((one) => {
          const took = one.answers.get(scenario.name);
          return took ? [took] : [];
        });
      if (answers.length === 0) return [];
      const [first, second] = [0, 1].map((i) => median(answers.map((took) => took[i as 0 | 1]))) as [number, number];
      return [[scenario.name, name, first.toFixed(2), second.toFixed(2), (first / second).toFixed(1)]];
    }),
  );
  return align([['scenario', 'server', 'first ms', 'second ms', 'first ÷ second'], ...rows]);
}
