import { expect, it } from 'vitest';
import { Client } from '../faults/support/client.ts';
import { adminToken, must, productInput, quantile, times } from '../faults/support/shop.ts';
import { Instance } from '../support/instance.ts';
import { databaseKinds } from './support/bare-database.ts';
import { cpuOf, familyOf } from './support/cpu.ts';
import { copyProducts } from './support/products.ts';
import { idOf } from './support/sql-words.ts';

const ROWS = 10_000;
const ROUNDS = 7;
const ASKS = 300;
/** Callers for each worker, so that each has as much to do together. */
const CALLERS = 16;
const WORKERS = [1, 2, 3, 4];
const BOUND = 4;

it.each(databaseKinds.filter(({ name }) => name === 'Postgres'))(
  'a request costs about the same with more workers',
  async ({ name, open }) => {
    const { url, query, close } = await open();
    const costs = new Map<string, number[]>();
    for (const workers of WORKERS) {
      const instance = await Instance.start({
        DATABASE_URL: url,
        DATABASE_CONNECTIONS: '12',
        LIST_CACHE_MB: '0',
        CHECK_RESPONSES: 'false',
        WORKERS: String(workers),
      });
      const callers = CALLERS * workers;
      const client = new Client(callers);
      const products = `${instance.base}/products`;
      const create = () => must(client, 'POST', products, { token: adminToken, body: productInput() });
      if (workers === WORKERS[0]) {
        await create();
        await copyProducts(name, query, 1, ROWS);
        await query('vacuum analyze products');
      }
      const requests: Readonly<Record<string, (i: number) => Promise<unknown>>> = {
        'get one': (i) => must(client, 'GET', `${products}/${idOf(1, (i % ROWS) + 1)}`),
        'first page': () => must(client, 'GET', products),
        create,
      };
      for (const request of Object.values(requests)) await times(1_000 * workers, callers, request);
      const pids = familyOf(instance.pid);
      for (const [what, request] of Object.entries(requests)) {
        const rounds: number[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const before = cpuOf(pids);
          await times(ASKS * workers, callers, request);
          rounds.push((cpuOf(pids) - before) / (ASKS * workers) / 1_000);
        }
        costs.set(what, [...(costs.get(what) ?? []), quantile(rounds, 0.5)]);
      }
      client.close();
      await instance.end('SIGTERM');
    }
    for (const [what, [one = 0, ...more]] of costs) {
      const ratios = more.map((cost) => (cost / one).toFixed(2));
      console.log(`${what}: ${Math.round(one)} µs CPU with one worker; with 2 to 4 × ${ratios.join(', × ')}`);
      for (const cost of more) expect(cost / one || 1, what).toBeLessThan(BOUND);
    }
    await close();
  },
);
