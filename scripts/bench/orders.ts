import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { resources } from '../../generated/resources.ts';
import { secretKeys, signToken } from '../../src/runtime/auth/index.ts';
import { type DatabaseLocation, openStore } from '../../src/runtime/storage/database/index.ts';
import { administer, makeDatabaseOn } from '../../src/tools/postgres-database.ts';
import { load, type SampleRow } from '../../src/tools/sample.ts';
import { countedUuid } from '../../src/tools/uuid.ts';
import type { BenchOptions } from './bench-options.ts';
import { LoadConnection } from './connection.ts';
import { fillDatabase, productsIn, STORE, shelfIn } from './database.ts';
import { microsOf, withBackends } from './layouts.ts';
import { align } from './report.ts';
import { startServer } from './server-process.ts';
import { environmentFor, SECRET } from './settings.ts';

const ORDERS = 100_000;
/** Orders that have items, with so many each; those of the first page are among them. */
const FILLED = 1_000;
const ITEMS = 3;
const BEGUN_MS = Date.UTC(2024, 0, 1);
const STEP_MS = 8 * 60_000;
const ROUNDS = 3;
/** CPU of totals as a multiple of the same SQL alone, at most. */
const MAX_TOTALS = 1.5;
/** CPU of the requests without `include` as a multiple of the one with it, at least. */
const MIN_INCLUDE = 3;

/** Compares totals with the same SQL alone, and `include` with what a client requests without it, by CPU time. */
export async function compareOrders(options: BenchOptions): Promise<void> {
  const { location, drop } = await databaseFor(options);
  await fillDatabase(location, options.rows);
  console.log(`filling a table with ${ORDERS.toLocaleString('en')} orders`);
  await fillOrders(location, options.rows);
  const server = await startServer({
    name: 'Lockstep',
    entry: 'src/main.ts',
    environment: environmentFor(join(options.folder, 'data'), location),
  });
  const counted = location.kind === 'postgres' ? withBackends({ server, url: location.url }) : server;
  const connection = await LoadConnection.open(server.port);
  const sql = await sqlOf(location);
  const get = (path: string): Promise<Json> => bodyOf(connection, path);
  const served = async (): Promise<number> => (await counted.usage()).cpuMicros;
  try {
    const { data } = await get(INCLUDING);
    if (
      !data.every(({ items }: Json) => items.data.length === ITEMS && items.data.every(({ product }: Json) => product))
    )
      throw new Error('the first orders lack items, or their products');
    const totals = await compared(options, [
      { usage: served, call: () => get(TOTALS) },
      { usage: sql.usage, call: sql.run },
    ]);
    const include = await compared(options, [
      { usage: served, call: () => get(INCLUDING) },
      { usage: served, call: () => withoutInclude(get) },
    ]);
    const [ofTotals, ofInclude] = [totals[0] / totals[1], include[1] / include[0]];
    const isDear = ofTotals > MAX_TOTALS;
    const isSlow = ofInclude < MIN_INCLUDE;
    console.log(
      align(
        [
          ['', 'CPU µs', 'CPU µs', 'times'],
          [
            'totals by month ÷ SQL alone',
            ...texts(totals),
            `${ofTotals.toFixed(2)} ${isDear ? '>' : '≤'} ${MAX_TOTALS}`,
          ],
          [
            'requests without include ÷ include',
            ...texts([include[1], include[0]]),
            `${ofInclude.toFixed(2)} ${isSlow ? '<' : '≥'} ${MIN_INCLUDE}`,
          ],
        ],
        1,
      ),
    );
  } finally {
    connection.close();
    await sql.close();
    await server.stop();
    await drop();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: parsed JSON
type Json = any;

const TOTALS = '/v1/orders/totals?groupBy=createdAtMonth&measures=count,totalSum&sort=createdAtMonth';
const LIST = '/v1/orders?limit=20';
const INCLUDING = `${LIST}&include=items.product`;

const texts = (costs: readonly number[]): string[] => costs.map((cost) => cost.toFixed(0));

interface Side {
  readonly usage: () => number | Promise<number>;
  readonly call: () => unknown;
}

/** CPU of a call of each side, in microseconds: the lowest of some rounds in turns. */
async function compared({ seconds }: BenchOptions, sides: readonly [Side, Side]): Promise<[number, number]> {
  const lowest: [number, number] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [i, { usage, call }] of sides.entries()) {
      await call();
      const before = await usage();
      const end = performance.now() + (seconds * 1_000) / ROUNDS;
      let calls = 0;
      for (; calls === 0 || performance.now() < end; calls += 1) await call();
      lowest[i as 0 | 1] = Math.min(lowest[i as 0 | 1], ((await usage()) - before) / calls);
    }
  return lowest;
}

/** The same data as by `include=items.product`, by a client that reads each of them once. */
async function withoutInclude(get: (path: string) => Promise<Json>): Promise<void> {
  const products = new Set<string>();
  for (const { id } of (await get(LIST)).data)
    for (const { productId } of (await get(`/v1/orders/${id}/items`)).data) products.add(productId);
  for (const id of products) await get(`/v1/products/${id}`);
}

const TOKEN = signToken(secretKeys(SECRET), { subject: 'bench', scopes: ['orders:admin'], expiresInSeconds: 86_400 });

async function bodyOf(connection: LoadConnection, path: string): Promise<Json> {
  const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`;
  const { status, body } = await connection.send(head);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  return JSON.parse(body);
}

async function databaseFor({ postgres, folder }: BenchOptions) {
  const drop = async (): Promise<void> => {};
  if (postgres === undefined) return { location: { kind: 'sqlite', file: join(folder, 'orders.db') } as const, drop };
  const made = await makeDatabaseOn(postgres, 'bench');
  // Other processes of Postgres would take a part of the work.
  const name = new URL(made.url).pathname.slice(1);
  await administer(made.url, `alter database "${name}" set max_parallel_workers_per_gather = 0`);
  return { location: { kind: 'postgres', url: made.url } as const, drop: made.drop };
}

/** The statement that a client of the database would run for the same totals, and the CPU that it takes. */
async function sqlOf(location: DatabaseLocation) {
  if (location.kind === 'sqlite') {
    const database = new DatabaseSync(location.file, { readOnly: true });
    const statement = database.prepare(
      'select substr(created_at, 1, 7) as month, count(*) as count, sum(total) as sum from orders group by 1 order by 1',
    );
    return {
      run: () => statement.all(),
      usage: () => process.cpuUsage().user + process.cpuUsage().system,
      close: async () => database.close(),
    };
  }
  const client = new pg.Client({ connectionString: location.url });
  await client.connect();
  const { rows } = await client.query('select pg_backend_pid() as pid');
  return {
    run: () =>
      client.query(
        `select date_trunc('month', created_at at time zone 'UTC') as month, count(*) as count, sum(total) as sum
         from orders group by 1 order by 1`,
      ),
    usage: () => microsOf(Number(rows[0].pid)),
    close: () => client.end(),
  };
}

async function fillOrders(location: DatabaseLocation, products: number): Promise<void> {
  const { userIds } = await shelfIn(location);
  const known = await productsIn(location, products, FILLED);
  const store = await openStore(location, resources, STORE);
  await load(store, resources, ordersOf(userIds));
  await load(store, resources, itemsOf(known.map(({ id }) => id)));
  await store.close();
  if (location.kind === 'postgres') await administer(location.url, 'vacuum analyze');
}

const orderId = (i: number): string => countedUuid(BEGUN_MS + i * STEP_MS, 0);

function managed(i: number) {
  const time = new Date(BEGUN_MS + i * STEP_MS).toISOString();
  return { version: 1, createdAt: time, updatedAt: time };
}

function* ordersOf(users: readonly string[]): Generator<SampleRow> {
  for (let i = 0; i < ORDERS; i += 1) {
    const own = { userId: users[i % users.length], status: 'PAID', total: i % 100_000, currency: 'EUR' };
    yield { resource: 'orders', values: { id: orderId(i), ...managed(i), ...own } };
  }
}

/** Of the newest orders, which the first page has, and of the oldest. */
function* itemsOf(products: readonly string[]): Generator<SampleRow> {
  for (let i = 0; i < FILLED; i += 1)
    for (const order of [i, ORDERS - 1 - i])
      for (let n = 0; n < ITEMS; n += 1) {
        const own = {
          orderId: orderId(order),
          productId: products[(i * ITEMS + n) % products.length],
          quantity: 2,
          unitPrice: 1,
        };
        yield {
          resource: 'orders.items',
          values: { id: countedUuid(BEGUN_MS + order * STEP_MS, n + 1), ...managed(order), ...own },
        };
      }
}
