import { join } from 'node:path';
import type { DatabaseLocation } from '../../src/runtime/storage/database/index.ts';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { fillDatabase, productsIn } from './database.ts';
import { contestantsFor, LoadProcess, measure } from './measure.ts';
import { formatTable } from './report.ts';
import type { Material } from './scenario.ts';
import { deepPage, scenarios } from './scenarios.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { environmentFor, makeToken } from './settings.ts';

const SMALL = 1_000;
const LARGE = 1_000_000;
const PAGE = 100;

/** Compares Lockstep on a table of a million rows with itself on a table of a thousand. */
export async function compareSizes(options: BenchOptions): Promise<void> {
  const token = makeToken();
  const materials = new Map<ServerProcess, Material>();
  const load = new LoadProcess();
  try {
    for (const rows of [LARGE, SMALL]) {
      const server = await startOn(rows, options);
      const products = await productsIn(fileOf(options, rows), rows, SMALL);
      const material = { base: '/v1', products, token };
      materials.set(server, { ...material, deepPage: await pageInTheMiddle(server, rows) });
    }
    await run(materials, load, options);
  } finally {
    load.stop();
    await Promise.all([...materials.keys()].map((server) => server.stop()));
  }
}

const nameOf = (rows: number): string => `${rows.toLocaleString('en')} rows`;
const fileOf = ({ folder }: BenchOptions, rows: number): DatabaseLocation => ({
  kind: 'sqlite',
  file: join(folder, `${rows}.db`),
});

async function startOn(rows: number, options: BenchOptions): Promise<ServerProcess> {
  const file = fileOf(options, rows);
  console.log(`filling a table with ${nameOf(rows)}`);
  await fillDatabase(file, rows);
  const environment = environmentFor(join(options.folder, String(rows)), file);
  return startServer({ name: nameOf(rows), entry: 'src/main.ts', environment });
}

/** Follows the pages up to the middle, because cursors cannot be forged. */
async function pageInTheMiddle(server: ServerProcess, rows: number): Promise<string> {
  const connection = await LoadConnection.open(server.port);
  let cursor = '';
  for (let seen = 0; seen < rows / 2; seen += PAGE) {
    const target = `/v1/products?limit=${PAGE}${cursor && `&cursor=${cursor}`}`;
    const { body } = await connection.send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    cursor = (JSON.parse(body) as { page: { nextCursor: string } }).page.nextCursor;
  }
  connection.close();
  return `/v1/products?cursor=${cursor}`;
}

async function run(
  materials: ReadonlyMap<ServerProcess, Material>,
  load: LoadProcess,
  options: BenchOptions,
): Promise<void> {
  const servers = [...materials.keys()];
  const settings = { ...options, material: (server: ServerProcess) => materials.get(server)! };
  const reads = scenarios.filter(({ name }) => ['get one', 'list 20', 'filtered and sorted list'].includes(name));
  for (const scenario of [...reads, deepPage]) {
    const measurements = await measure(load, scenario, contestantsFor(servers), settings);
    console.log(`${formatTable(measurements, [nameOf(SMALL)])}\n`);
  }
}
