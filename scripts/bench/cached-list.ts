import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';
import type { ConstantResponse } from './bare-http.ts';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { fieldOf } from './equality.ts';
import { contestantsFor, type LoadProcess, type Measurement, measure } from './measure.ts';
import { formatTable } from './report.ts';
import type { Material } from './scenario.ts';
import { cachedList } from './scenarios.ts';
import { startServer } from './server-process.ts';
import { environmentFor } from './settings.ts';

export const BARE_FASTIFY = 'bare fastify';

/** Compares Lockstep, asked for the same page repeatedly, with a Fastify route that sends the same bytes. */
export async function measureCachedList(
  database: DatabaseLocation,
  material: Material,
  load: LoadProcess,
  options: BenchOptions,
): Promise<Measurement[]> {
  const environment = { ...environmentFor(options.folder, database), LIST_CACHE_MB: '64' };
  const own = await startServer({ name: 'lockstep', entry: 'src/main.ts', environment, nodeFlags: options.nodeFlags });
  const bare = await startServer({ name: BARE_FASTIFY, entry: 'scripts/bench/bare-fastify.ts', environment: {} });
  try {
    const connection = await LoadConnection.open(own.port);
    const { status, head, body } = await connection.send(cachedList.request(material, 0));
    connection.close();
    bare.send({ status, contentType: fieldOf(head, 'content-type')!, body } satisfies ConstantResponse);
    const settings = { ...options, material: () => material };
    const measurements = await measure(load, cachedList, contestantsFor([own, bare]), settings);
    console.log(`${formatTable(measurements, [BARE_FASTIFY])}\n`);
    return measurements;
  } finally {
    await Promise.all([own.stop(), bare.stop()]);
  }
}
