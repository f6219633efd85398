import { setTimeout as delay } from 'node:timers/promises';
import type { BenchOptions } from './bench-options.ts';
import { BARE_FASTIFY } from './cached-list.ts';
import { LoadConnection } from './connection.ts';
import { BARE, databasesFor, isServed, servicesOn } from './contestants.ts';
import { productsIn, shelfIn } from './database.ts';
import { median } from './measure.ts';
import { align } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { type ServerCommand, startServer } from './server-process.ts';
import { makeToken } from './settings.ts';

const RUNS = 5;
/** After this time, nothing that the start has left to do is running. */
const IDLE_MS = 3_000;

/** What one start of a server took. */
interface Start {
  readonly server: string;
  readonly startedInMs: number;
  /** Of the process when it is idle, before its first request. */
  readonly rssBytes: number;
  /** Milliseconds of the first and the second request, by scenario. */
  readonly answers: ReadonlyMap<string, readonly [first: number, second: number]>;
}

/**
 * Starts each server five times, in turns: how long it takes to its first connection, what memory it has when it is idle, and
 * how long its first request of each kind takes beside the second.
 */
export async function compareStarts(options: BenchOptions): Promise<void> {
  const databases = await databasesFor(options);
  try {
    const [location] = databases.locations;
    const products = await productsIn(location, options.rows, 1_000);
    const material = { base: '/v1', products, token: makeToken(), shelf: await shelfIn(location) };
    const chosen = scenarios.filter(({ name }) => options.only.length === 0 || options.only.includes(name));
    const commands = [...servicesOn(databases.locations, options), BARE];
    const starts: Start[] = [];
    for (let run = 0; run < RUNS; run++)
      for (const command of run % 2 === 0 ? commands : commands.toReversed())
        starts.push(await startOf(command, chosen, material, 2 * (run * commands.length + commands.indexOf(command))));
    console.log(`${startTable(starts, commands)}\n\n${answerTable(starts, commands, chosen)}`);
  } finally {
    await databases.drop();
  }
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
    await delay(IDLE_MS);
    const { rssBytes } = await server.usage();
    const answers = new Map<string, readonly [number, number]>();
    for (const scenario of chosen.filter((one) => isServed(command.name, one))) {
      const connection = await LoadConnection.open(server.port);
      const took: number[] = [];
      for (const i of [1, 2]) {
        const before = performance.now();
        const { status, head, body } = await connection.send(scenario.request(material, first + i));
        took.push(performance.now() - before);
        if (status !== scenario.status) throw new Error(`${command.name}, ${scenario.name}: ${head}${body}`);
      }
      answers.set(scenario.name, took as unknown as readonly [number, number]);
      connection.close();
    }
    return { server: command.name, startedInMs: server.startedInMs, rssBytes, answers };
  } finally {
    await server.stop();
  }
}

type Named = readonly Pick<ServerCommand, 'name'>[];

function startTable(starts: readonly Start[], commands: Named): string {
  const of = (name: string, value: (start: Start) => number): number =>
    median(starts.filter(({ server }) => server === name).map(value));
  const started = ({ startedInMs }: Start): number => startedInMs;
  const megabytes = ({ rssBytes }: Start): number => rssBytes / 2 ** 20;
  const rows = commands.map(({ name }) => [
    name,
    of(name, started).toFixed(0),
    (of(name, started) / of(BARE_FASTIFY, started)).toFixed(2),
    of(name, megabytes).toFixed(0),
    (of(name, megabytes) / of(BARE_FASTIFY, megabytes)).toFixed(2),
  ]);
  return align([['server', 'start ms', `÷ ${BARE_FASTIFY}`, 'idle MB', `÷ ${BARE_FASTIFY}`], ...rows], 1);
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
