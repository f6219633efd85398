import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Client } from '../faults/support/client.ts';
import { adminToken, must, productInput } from '../faults/support/shop.ts';
import { Instance } from '../support/instance.ts';
import { type DatabaseKind, databaseKinds, type Query } from './support/bare-database.ts';
import { latenciesUntil } from './support/latencies.ts';

const ROWS = 1_000_000;
const CALLERS = 12;
const SECONDS = 15;
const READ_EVERY_MS = 25;
const ALONE_MS = 3_000;
/** Nothing has it, two letters are in no index of trigrams, and the order asks for another index. */
const DEAREST = '/products?name[contains]=zz&sort=price&count=true';
const SEARCH = '/products?name[contains]=zzz&sort=price&count=true';

const idOf = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Copies the one product that is there. */
const FILL: Readonly<Record<DatabaseKind['name'], (query: Query) => Promise<unknown>>> = {
  async SQLite(query) {
    const changed: Readonly<Record<string, string>> = {
      id: "printf('00000000-0000-7000-8000-%012d', i)",
      sku: "'SKU-' || i",
      name: "'Blue mug ' || i",
      price: 'i % 100000',
    };
    const columns = await query("select name from pragma_table_info('products')");
    const values = columns.map(([name]) => changed[name!] ?? `"${name}"`);
    await query(
      `insert into products with recursive n (i) as (select 1 union all select i + 1 from n where i < ${ROWS})
       select ${values.join(', ')} from (select * from products limit 1), n`,
    );
    await query('analyze');
    await query('pragma wal_checkpoint(truncate)');
  },
  async Postgres(query) {
    await query(
      `insert into products select r.* from (select * from products limit 1) p, generate_series(1, ${ROWS}) i,
       lateral jsonb_populate_record(p::products, jsonb_build_object(
         'id', '00000000-0000-7000-8000-' || lpad(i::text, 12, '0'), 'sku', 'SKU-' || i, 'name', 'Blue mug ' || i, 'price', i % 100000)) r`,
    );
    await query('vacuum analyze products');
  },
};

it.each(databaseKinds)(
  '12 callers of the dearest public query leave reads by key alone, on $name',
  async ({ name, open }) => {
    const { url, query, close } = await open();
    const instance = await Instance.start({ DATABASE_URL: url, LIST_CACHE_MB: '0' });
    const clients = { dear: new Client(CALLERS), reads: new Client(2), ready: new Client(1) };
    await must(clients.reads, 'POST', `${instance.base}/products`, { token: adminToken, body: productInput() });
    await FILL[name](query);
    // What is known of the size of a table is ten seconds old at most.
    await delay(11_000);
    const search = await clients.reads.send('GET', instance.base + SEARCH);
    const path = `${instance.base}/products/${idOf(ROWS / 2)}`;
    const read = (isOver: () => boolean) =>
      latenciesUntil(
        isOver,
        async () => expect((await clients.reads.send('GET', path)).status).toBe(200),
        READ_EVERY_MS,
      );
    const endOfRest = performance.now() + ALONE_MS;
    const alone = await read(() => performance.now() > endOfRest);
    const until = performance.now() + SECONDS * 1_000;
    const isDone = () => performance.now() > until;
    const dear: { status: number; tookMs: number }[] = [];
    const call = async () => {
      while (!isDone()) dear.push(await clients.dear.send('GET', instance.base + DEAREST));
    };
    const ready: number[] = [];
    const check = () =>
      latenciesUntil(
        isDone,
        async () => ready.push((await clients.ready.send('GET', `${instance.origin}/readyz`)).status),
        200,
      );
    const [reads, readiness] = await Promise.all([read(isDone), check(), ...Array.from({ length: CALLERS }, call)]);
    const statuses = Object.fromEntries(
      [200, 503].map((one) => [one, dear.filter(({ status }) => status === one).length]),
    );
    const took = dear.map(({ tookMs }) => Math.round(tookMs)).toSorted((a, b) => a - b);
    console.log(
      `${name}: reads by key ${JSON.stringify(reads)}, before ${JSON.stringify(alone)}, /readyz ${JSON.stringify(readiness)} (ms); dearest query: ${JSON.stringify(statuses)}, median ${took[took.length >> 1]} ms; one by the index: ${Math.round(search.tookMs)} ms`,
    );
    expect(reads.p99).toBeLessThan(50);
    expect(new Set(ready)).toEqual(new Set([200]));
    expect(dear.every(({ status }) => status === 200 || status === 503)).toBe(true);
    for (const client of Object.values(clients)) client.close();
    await instance.end('SIGTERM');
    await close();
  },
);
