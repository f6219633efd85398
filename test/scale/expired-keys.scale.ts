import { expect, it } from 'vitest';
import { handlers } from '../../src/handlers/index.ts';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { contractOf, startCompiled } from '../support/service.ts';
import { admin } from '../support/storefront.ts';
import { type LargeDatabaseKind, largeDatabases } from './support/large-database.ts';
import { latenciesUntil } from './support/latencies.ts';

const KEYS = 2_000_000;
const LIMIT_MS = 300_000;
const READ_EVERY_MS = 5;

/** Keys of the length that they have, in no order, with answers of the size of a product's. They expired hours ago. */
const FILL: Readonly<Record<LargeDatabaseKind['name'], readonly string[]>> = {
  SQLite: [
    `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${KEYS})
    insert into lockstep_memory (key, value, expires_at)
    select hex(randomblob(22)), printf('%.*c', 500, 'x'), strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + i / 100, 'unixepoch')
    from n`,
  ],
  Postgres: [
    `insert into lockstep_memory (key, value, expires_at)
    select md5(i::text) || substr(md5((i + 1)::text), 1, 12), repeat('x', 500), to_timestamp(1700000000 + i / 100)
    from generate_series(1, ${KEYS}) as n (i)`,
    'analyze lockstep_memory',
  ],
};

it.each(largeDatabases)('2,000,000 expired keys disappear beside reads on $name', async ({ name, open }) => {
  const contract = await contractOf('contracts');
  const database = await open(contract.resources);
  for (const statement of FILL[name]) await database.run(statement);
  let left = KEYS;
  const startedMs = performance.now();
  const { deleteExpired } = database.store;
  database.store.deleteExpired = async (...args) => {
    const count = await deleteExpired.apply(database.store, args);
    left -= count;
    return count;
  };
  const given = { name, open: async () => ({ store: database.store, close: async () => {} }) };
  const service = await startCompiled(contract, given, handlers as unknown as AnyHandlers, { expiryIntervalMs: 100 });
  const product = {
    sku: 'S-1',
    name: 'Mug',
    price: 1,
    currency: 'EUR',
    delivery: { kind: 'PHYSICAL', weightGrams: 1 },
  };
  const as = { sub: admin.subject, scope: admin.scope };
  const { body } = await service.request('POST', '/v1/products', { as, body: product });
  const isDone = () => left === 0 || performance.now() - startedMs > LIMIT_MS;
  const read = async () => expect((await service.request('GET', `/v1/products/${body.id}`, { as })).status).toBe(200);
  const reads = await latenciesUntil(isDone, read, READ_EVERY_MS);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  console.log(`${name}: ${KEYS - left} expired keys in ${seconds} s; reads by key: ${JSON.stringify(reads)} (ms)`);
  expect(left).toBe(0);
  expect(reads.p99).toBeLessThan(50);
  await service.close();
  await database.close();
});
