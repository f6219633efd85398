import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadResult } from './load.ts';
import type { Material, Scenario } from './scenario.ts';
import { fromRoot, type ServerProcess } from './server-process.ts';

/** Who does a scenario: a server, as itself or over REST. */
export interface Contestant {
  readonly name: string;
  readonly server: ServerProcess;
  readonly overRest: boolean;
}

/** How one contestant did one scenario. */
export interface Measurement {
  readonly scenario: string;
  /** The contestant's name. */
  readonly server: string;
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  /** Processor time of the server for one request; steadier than its speed on a machine that does other things. */
  readonly cpuMicros: number;
  readonly rssBytes: number;
}

export interface LoadOptions {
  readonly connections: number;
  /** Per scenario and server. */
  readonly seconds: number;
  readonly material: (server: ServerProcess) => Material;
}

/** Requests of one load; far fewer than this are sent, so that numbers never repeat. */
const NUMBERS_PER_LOAD = 10_000_000;
const WARM_UP_MS = 500;
const ROUND_MS = 1_000;

/** Puts load on servers from a process of its own. */
export class LoadProcess {
  readonly #child: ChildProcess;
  #first: number;

  /** Several at work on the same rows each have a `first` far from the others'. */
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

/** Servers as themselves. */
export const asThemselves = (servers: readonly ServerProcess[]): Contestant[] =>
  servers.map((server) => ({ name: server.name, server, overRest: false }));

/** Measures a scenario by all contestants in turn, round by round, so that what drifts on the machine hits all alike. */
export async function measure(
  load: LoadProcess,
  scenario: Scenario,
  contestants: readonly Contestant[],
  options: LoadOptions,
): Promise<Measurement[]> {
  const samples = contestants.map((contestant): Sample => ({ contestant, rounds: [] }));
  const run = ({ server, overRest }: Contestant, durationMs: number) =>
    load.run({
      scenario: scenario.name,
      overRest,
      material: options.material(server),
      port: server.port,
      connections: options.connections,
      durationMs,
    });
  for (const { contestant } of samples) await run(contestant, WARM_UP_MS);
  for (let round = 0; round < options.seconds; round++) {
    for (const { contestant, rounds } of round % 2 === 0 ? samples : samples.toReversed()) {
      const { name, server } = contestant;
      const before = await server.usage();
      const { latencies, durationMs, unexpected } = await run(contestant, ROUND_MS);
      if (unexpected > 0) throw new Error(`${name}, ${scenario.name}: ${unexpected} answers that were not asked for`);
      const cpuMicros = (await server.usage()).cpuMicros - before.cpuMicros;
      const sent = latencies.length;
      rounds.push({ latencies, requestsPerSecond: (sent / durationMs) * 1000, cpuMicros: cpuMicros / sent });
    }
  }
  const measurements: Measurement[] = [];
  // One after the other: two contestants may be one process, whose answers come in the order of the questions.
  for (const sample of samples) measurements.push(await summarize(scenario, sample));
  return measurements;
}

interface Sample {
  readonly contestant: Contestant;
  readonly rounds: { latencies: Float64Array; requestsPerSecond: number; cpuMicros: number }[];
}

/** Medians of the rounds: one that the machine spoilt does not count. */
async function summarize(scenario: Scenario, { contestant, rounds }: Sample): Promise<Measurement> {
  const latencies = Float64Array.from(rounds.flatMap((round) => [...round.latencies]));
  return {
    scenario: scenario.name,
    server: contestant.name,
    requestsPerSecond: quantile(
      rounds.map((round) => round.requestsPerSecond),
      0.5,
    ),
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpuMicros: quantile(
      rounds.map((round) => round.cpuMicros),
      0.5,
    ),
    rssBytes: (await contestant.server.usage()).rssBytes,
  };
}

function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.floor(sorted.length * share)]!;
}
