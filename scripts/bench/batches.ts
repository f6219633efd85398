import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';
import type { BenchOptions } from './bench-options.ts';
import { databasesFor } from './contestants.ts';
import { withBackends } from './layouts.ts';
import { LoadProcess, median } from './measure.ts';
import { align } from './report.ts';
import { BATCH_SIZE, batchedCreates } from './scenarios.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken } from './settings.ts';

/** How many times less CPU a row takes in a batch than alone, at least. */
const BARS = { sqlite: 1.2, postgres: 2 } as const;
const ROUND_MS = 500;
/** Rows of each side before they are measured, and while they are: an insert into a larger table takes longer. */
const [WARM_UP_ROWS, MEASURED_ROWS] = [3_000, 20_000];

/** Creates in one way, into tables of their own. */
interface Side {
  readonly scenario: string;
  readonly rowsOfRequest: number;
  readonly connections: number;
  readonly server: ServerProcess;
}

/** What the rounds of a side have created, and the CPU of a row in each of them. */
interface Rounds {
  rows: number;
  readonly micros: number[];
}

/** Compares creates in an ATOMIC batch with as many requests, by the CPU of the server, and of Postgres, which runs here. */
export async function compareBatches(options: BenchOptions): Promise<void> {
  const databases = await databasesFor(options);
  const load = new LoadProcess();
  const sides: Side[] = [];
  try {
    const [first, second] = databases.locations;
    const alone = { scenario: 'create', rowsOfRequest: 1, connections: options.connections };
    const batched = { scenario: batchedCreates.name, rowsOfRequest: BATCH_SIZE, connections: 4 };
    for (const [side, location] of [[alone, first] as const, [batched, second] as const])
      sides.push({ ...side, server: await serverOn(side.scenario, location, options) });
    await roundsOf(WARM_UP_ROWS, load, sides);
    const measured = await roundsOf(MEASURED_ROWS, load, sides);
    const [own = Number.NaN, inBatch = Number.NaN] = measured.map(({ micros }) => median(micros));
    const [times, bar] = [own / inBatch, BARS[first.kind]];
    const headings = ['database', 'CPU µs of a create', `CPU µs of one in ${BATCH_SIZE}`, 'alone ÷ in a batch'];
    const said = `${times.toFixed(2)} ${times >= bar ? '≥' : '<'} ${bar}`;
    console.log(align([headings, [first.kind, own.toFixed(1), inBatch.toFixed(1), said]], 1));
  } finally {
    load.stop();
    for (const { server } of sides) await server.stop();
    await databases.drop();
  }
}

async function serverOn(name: string, location: DatabaseLocation, { folder, nodeFlags }: BenchOptions) {
  const environment = environmentFor(join(folder, name.replaceAll(' ', '-')), location);
  const server = await startServer({ name, entry: 'src/main.ts', environment, nodeFlags });
  return location.kind === 'postgres' ? withBackends({ server, url: location.url }) : server;
}

/** Sends rounds in turns, until each side has created so many rows. */
async function roundsOf(rows: number, load: LoadProcess, sides: readonly Side[]): Promise<readonly Rounds[]> {
  const material = { base: '/v1', products: [], token: makeToken() };
  const all = sides.map((side) => ({ side, rounds: { rows: 0, micros: [] } as Rounds }));
  for (let left = all; left.length > 0; left = left.filter(({ rounds }) => rounds.rows < rows))
    for (const { side, rounds } of left) {
      const { scenario, server, connections, rowsOfRequest } = side;
      const before = await server.usage();
      const order = { scenario, overRest: false, material, connections, port: server.port, durationMs: ROUND_MS };
      const { latencies, unexpected } = await load.run(order);
      if (unexpected > 0) throw new Error(`${scenario}: ${unexpected} unexpected responses`);
      const created = latencies.length * rowsOfRequest;
      rounds.micros.push(((await server.usage()).cpuMicros - before.cpuMicros) / created);
      rounds.rows += created;
    }
  return all.map(({ rounds }) => rounds);
}
