import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createStatusLine } from '../../src/tools/status-line.ts';
import type { LoadOrder, LoadResult } from './load.ts';
import type { PeerOrder } from './peers.ts';
import type { Material, Scenario } from './scenario.ts';
import { fromRoot, type ServerProcess } from './server-process.ts';

/** A server to measure, with the scenario's own requests or their REST counterpart. */
export interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  readonly overRest: boolean;
  readonly peer?: PeerOrder;
}

/** The result of one contestant in one scenario. */
export interface Measurement {
  readonly scenario: string;
  /** The contestant's name. */
  readonly server: string;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the server per request, which varies less than throughput on a busy machine. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
}

export interface LoadOptions {
  readonly connections: number;
  /** Measured time per scenario and server. */
  readonly seconds: number;
  readonly material: (server: ServerProcess) => Material;
}

/** Request numbers reserved for one run; far fewer requests are sent, so that numbers never repeat. */
const NUMBERS_PER_LOAD = 10_000_000;
const WARM_UP_MS = 2_000;
const ROUND_MS = 1_000;

/** Generates load on servers, from a separate process. */
export class LoadProcess {
  readonly #child: ChildProcess;
  #first: number;

  /** Load processes that write to the same rows need values of `first` that are far apart. */
  constructor(first = 1) {
    this.#first = first;
    this.#child = fork(fromRoot('scripts/bench/load.ts'), { serialization: 'advanced', stdio: 'inherit' });
  }

  async run(order: Omit<LoadOrder, 'first'>): Promise<LoadResult> {
    this.#child.send({ ...order, first: this.#first } satisfies LoadOrder);
    this.#first += NUMBERS_PER_LOAD;
    const [result] = await once(this.#child, 'message');
    return result as LoadResult;
  }

  stop(): void {
    this.#child.disconnect();
  }
}

/** Contestants that use the scenario's own requests. */
export const contestantsFor = (servers: readonly ServerProcess[]): Contestant[] =>
  servers.map((server) => ({ name: server.name, server, overRest: false }));

/** Lockstep, asked over REST for what a scenario asks over another protocol. */
export const overRestOf = (server: ServerProcess): Contestant => ({ name: 'its REST', server, overRest: true });

/**
 * Measures a scenario with all contestants in alternating rounds, so that drift of the machine affects all of them
 * alike.
 */
export async function measure(
  load: LoadProcess,
  scenario: Scenario,
  contestants: readonly Contestant[],
  options: LoadOptions,
): Promise<Measurement[]> {
  const samples = contestants.map((contestant): Sample => ({ contestant, rounds: [] }));
  const run = ({ server, overRest, peer }: Contestant, durationMs: number) =>
    load.run({
      scenario: scenario.name,
      overRest,
      material: options.material(server),
      port: server.port,
      host: server.host,
      peer,
      connections: options.connections,
      durationMs,
    });
  const line = createStatusLine(process.stderr);
  for (const { contestant } of samples) {
    line.show(`${scenario.name}: ${contestant.name} warms up`);
    await run(contestant, WARM_UP_MS);
  }
  for (let round = 0; round < options.seconds; round++) {
    for (const { contestant, rounds } of round % 2 === 0 ? samples : samples.toReversed()) {
      const { name, server } = contestant;
      line.show(`${scenario.name}: ${name}, round ${round + 1} of ${options.seconds}`);
      const before = await server.usage();
      const { latencies, durationMs, unexpected } = await run(contestant, ROUND_MS);
      if (unexpected > 0) throw new Error(`${name}, ${scenario.name}: ${unexpected} unexpected responses`);
      const cpuMicros = (await server.usage()).cpuMicros - before.cpuMicros;
      const sent = latencies.length;
      rounds.push({ latencies, requestsPerSecond: (sent / durationMs) * 1000, cpuMicros: cpuMicros / sent });
    }
  }
  line.end();
  const measurements: Measurement[] = [];
  // Sequential, because two contestants may share a process, whose replies to `usage` cannot be told apart.
  for (const sample of samples) measurements.push(await summarize(scenario, sample));
  return measurements;
}

interface Sample {
  readonly contestant: Contestant;
  readonly rounds: { latencies: Float64Array; requestsPerSecond: number; cpuMicros: number }[];
}

/** Takes the medians of the rounds, so that outliers do not count. */
async function summarize(scenario: Scenario, { contestant, rounds }: Sample): Promise<Measurement> {
  const latencies = Float64Array.from(rounds.flatMap((round) => [...round.latencies]));
  return {
    scenario: scenario.name,
    server: contestant.name,
    requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
    p50: median(latencies),
    p99: quantile(latencies, 0.99),
    cpuMicros: median(rounds.map((round) => round.cpuMicros)),
    rssBytes: (await contestant.server.usage()).rssBytes,
  };
}

export const median = (values: ArrayLike<number>): number => quantile(values, 0.5);

function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length * share)]!;
}
