import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';
import type { ConstantResponse } from './bare-http.ts';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { fieldOf } from './equality.ts';
import { contestantsFor, type LoadProcess, type Measurement, measure, overRestOf } from './measure.ts';
import { formatTable } from './report.ts';
import type { Material, Scenario } from './scenario.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor } from './settings.ts';

export const BARE_FASTIFY = 'bare fastify';

/**
 * Compares Lockstep, asked for the same page repeatedly, with a Fastify route that sends the same bytes, and over another
 * protocol with REST.
 */
export async function measureCachedLists(
  scenarios: readonly Scenario[],
  database: DatabaseLocation,
  material: Material,
  load: LoadProcess,
  options: BenchOptions,
): Promise<Measurement[]> {
  if (scenarios.length === 0) return [];
  const environment = { ...environmentFor(options.folder, database), LIST_CACHE_MB: '64' };
  const own = await startServer({ name: 'lockstep', entry: 'src/main.ts', environment, nodeFlags: options.nodeFlags });
  const bare = await startServer({ name: BARE_FASTIFY, entry: 'scripts/bench/bare-fastify.ts', environment: {} });
  const all: Measurement[] = [];
  try {
    for (const scenario of scenarios) {
      await copyAnswer(scenario, material, own, bare);
      const contestants = [...contestantsFor([own, bare]), ...(scenario.overRest ? [overRestOf(own)] : [])];
      const measurements = await measure(load, scenario, contestants, { ...options, material: () => material });
      console.log(
        `${formatTable(
          measurements,
          contestants.slice(1).map(({ name }) => name),
        )}\n`,
      );
      all.push(...measurements);
    }
    return all;
  } finally {
    await Promise.all([own.stop(), bare.stop()]);
  }
}

/** The bare server sends what Lockstep answers. */
async function copyAnswer(scenario: Scenario, material: Material, own: ServerProcess, bare: ServerProcess) {
  const connection = await LoadConnection.open(own.port);
  const { status, head, body } = await connection.send(scenario.request(material, 0));
  connection.close();
  bare.send({ status, contentType: fieldOf(head, 'content-type')!, body } satisfies ConstantResponse);
}
