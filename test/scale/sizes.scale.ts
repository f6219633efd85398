import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { Client } from '../faults/support/client.ts';
import { adminToken, must, productInput, quantile, times } from '../faults/support/shop.ts';
import { Instance } from '../support/instance.ts';
import { databaseKinds } from './support/bare-database.ts';
import { cpuOf } from './support/cpu.ts';
import { copyProducts, deleteMade } from './support/products.ts';
import { idOf } from './support/sql-words.ts';
import { withoutIndexes } from './support/without-indexes.ts';

/** `SIZES_ROWS` makes it a shorter or a longer run. */
const ROWS = Number(process.env['SIZES_ROWS'] ?? 1_000_000);
const SMALLEST = 1_000;
/** Below that, indexes keep up. */
const LARGE = 1_000_000;
const ROUNDS = 7;
const ASKS = 150;
const AT_ONCE = 8;
/** What is known of the size of a table is ten seconds old at most. */
const SIZE_KNOWN_MS = 11_000;
const BOUND = 4;
/** The storefront counts all that match, so that this grows with the rows, up to those that a statement has no time for: 503. */
const COUNT = 'page and count';

const SIZES = Array.from({ length: Math.log10(ROWS / SMALLEST) + 1 }, (_, power) => SMALLEST * 10 ** power);

vi.setConfig({ testTimeout: 900_000 * Math.max(1, ROWS / LARGE) });

it.each(databaseKinds)('a request costs the same in a table of any size, on $name', async ({ name, open }) => {
  const { url, query, close } = await open();
  const instance = await Instance.start({ DATABASE_URL: url, LIST_CACHE_MB: '0', CHECK_RESPONSES: 'false' });
  let client = new Client(AT_ONCE);
  const create = () => must(client, 'POST', `${instance.base}/products`, { token: adminToken, body: productInput() });
  const get = (path: string) => must(client, 'GET', `${instance.base}/products${path}`);
  await create();

  /** Microseconds of CPU for one request, of the server and, where it runs on this machine, of the database; the median round. */
  const costOf = async (request: (i: number) => Promise<unknown>, asks: number, atOnce: number): Promise<number> => {
    const rounds: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const pids = [instance.pid, ...(name === 'Postgres' ? await backends() : [])];
      const before = cpuOf(pids);
      await times(asks, atOnce, (i) => request(round * asks + i));
      if (round > 0) rounds.push((cpuOf(pids) - before) / asks / 1_000);
    }
    return quantile(rounds, 0.5);
  };
  const backends = async () =>
    (
      await query('select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()')
    ).map(([pid]) => Number(pid));

  const fill = async (first: number, last: number): Promise<void> => {
    const copy = () => copyProducts(name, query, first, last);
    await (last < LARGE / 2 ? copy() : withoutIndexes(name, query, copy));
    // The server has closed connections that were idle meanwhile.
    client.close();
    client = new Client(AT_ONCE);
  };
  const costs = new Map<string, number[]>();
  let filled = 0;
  for (const rows of SIZES) {
    const began = performance.now();
    if (filled < rows / 2) await fill(filled + 1, rows / 2);
    if (filled === 0) await deleteMade(query);
    // The newest when half of the rows are there are the middle when all are.
    const { page } = await get('?sort=-createdAt');
    await fill(rows / 2 + 1, rows);
    await query(name === 'SQLite' ? 'analyze' : 'vacuum analyze products');
    console.log(`${name}: ${rows} rows, filled in ${Math.round((performance.now() - began) / 1_000)} s`);
    filled = rows;
    await delay(SIZE_KNOWN_MS);
    const requests: Readonly<Record<string, (i: number) => Promise<unknown>>> = {
      'get one': (i) => get(`/${idOf(1, ((i * 7_919) % rows) + 1)}`),
      'first page': () => get(''),
      'filtered page': (i) => get(`?status=ACTIVE&price[gte]=${i % 1_000}&price[lte]=90000&sort=-price`),
      'page in the middle': () => get(`?sort=-createdAt&cursor=${page.nextCursor}`),
      [COUNT]: () => client.send('GET', `${instance.base}/products?count=true`),
      create,
    };
    if (rows === SMALLEST) for (const request of Object.values(requests)) await times(1_000, AT_ONCE, request);
    for (const [what, request] of Object.entries(requests)) {
      const cost = what === COUNT ? await costOf(request, 5, 1) : await costOf(request, ASKS, AT_ONCE);
      costs.set(what, [...(costs.get(what) ?? []), cost]);
    }
    await deleteMade(query);
  }
  for (const [what, [smallest = 0, ...larger]] of costs) {
    const ratios = larger.map((cost) => (cost / smallest).toFixed(2));
    console.log(`${name}: ${what}: ${Math.round(smallest)} µs CPU at ${SMALLEST} rows; × ${ratios.join(', × ')}`);
  }
  costs.delete(COUNT);
  for (const [what, [smallest = 0, ...larger]] of costs)
    for (const cost of larger) expect(cost / smallest || 1, what).toBeLessThan(BOUND);
  client.close();
  await instance.end('SIGTERM');
  await close();
});
