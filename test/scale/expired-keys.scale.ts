import { expect, it } from 'vitest';
import { freePort } from '../../src/tools/free-port.ts';
import { Client } from '../faults/support/client.ts';
import { adminToken, must, productInput } from '../faults/support/shop.ts';
import { Instance } from '../support/instance.ts';
import { type DatabaseKind, databaseKinds } from './support/bare-database.ts';
import { latenciesUntil } from './support/latencies.ts';

const KEYS = 2_000_000;
const LIMIT_MS = 300_000;
const READ_EVERY_MS = 5;
const LOOK_EVERY_MS = 500;

/** Keys of the length that they have, in no order, with answers of the size of a product's. They expired long ago. */
const FILL: Readonly<Record<DatabaseKind['name'], readonly string[]>> = {
  SQLite: [
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${KEYS})
    insert into lockstep_memory (key, value, expires_at)
    select hex(randomblob(22)), printf('%.*c', 500, 'x'), strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + i / 100, 'unixepoch')
    from n`,
    'pragma wal_checkpoint(truncate)',
  ],
  Postgres: [
    `insert into lockstep_memory (key, value, expires_at)
    select md5(i::text) || substr(md5((i + 1)::text), 1, 12), repeat('x', 500), to_timestamp(1700000000 + i / 100)
    from generate_series(1, ${KEYS}) as n (i)`,
    'vacuum analyze lockstep_memory',
  ],
};

it.each(databaseKinds)('2,000,000 expired keys disappear beside reads on $name', async ({ name, open }) => {
  const database = await open();
  const metricsPort = await freePort();
  const instance = await Instance.start({ DATABASE_URL: database.url, METRICS_PORT: String(metricsPort) });
  const clients = { reads: new Client(1), metrics: new Client(1) };
  const body = productInput();
  const { id } = await must(clients.reads, 'POST', `${instance.base}/products`, { token: adminToken, body });
  await instance.end('SIGTERM');
  for (const statement of FILL[name]) await database.query(statement);
  await instance.start();

  const deleted = async (): Promise<number> => {
    const { text } = await clients.metrics.send('GET', `http://127.0.0.1:${metricsPort}/metrics`);
    return Number(/^idempotency_keys_expired_total\S* (\d+)$/m.exec(text)?.[1] ?? 0);
  };
  const isDeleted = (wanted: (count: number) => boolean) =>
    expect.poll(async () => wanted(await deleted()), { interval: LOOK_EVERY_MS, timeout: LIMIT_MS }).toBe(true);
  await isDeleted((count) => count > 0);
  const beganMs = performance.now();
  let isOver = false;
  const end = isDeleted((count) => count === KEYS).finally(() => {
    isOver = true;
  });
  const path = `${instance.base}/products/${id}`;
  const read = async () => expect((await clients.reads.send('GET', path, { token: adminToken })).status).toBe(200);
  const reads = await latenciesUntil(() => isOver, read, READ_EVERY_MS);
  await end;
  const seconds = Math.round((performance.now() - beganMs) / 1_000);
  console.log(`${name}: ${KEYS} expired keys in ${seconds} s; reads by key: ${JSON.stringify(reads)} (ms)`);
  expect(reads.p99).toBeLessThan(50);
  for (const client of Object.values(clients)) client.close();
  await instance.end('SIGTERM');
  await database.close();
});
