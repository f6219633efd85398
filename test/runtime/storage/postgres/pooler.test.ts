import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceDescriptor } from '../../../../src/descriptor/resource.ts';
import { parseMigration } from '../../../../src/runtime/storage/migration/hand-written.ts';
import { migrate } from '../../../../src/runtime/storage/migration/migrator.ts';
import { lockedPostgres } from '../../../../src/runtime/storage/postgres/postgres-migration.ts';
import { openPostgresStore } from '../../../../src/runtime/storage/postgres/postgres-store.ts';
import { administer } from '../../../../src/tools/postgres-database.ts';
import { runHere } from '../../../support/command.ts';
import { type DatabaseKind, STATEMENT_TIMEOUT_MS } from '../../../support/databases.ts';
import { eventually } from '../../../support/eventually.ts';
import { withFolder } from '../../../support/folder.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../../../support/pgbouncer.ts';
import { makeDatabase } from '../../../support/postgres.ts';
import { contractOf } from '../../../support/service.ts';
import { admin, customer, type Json, Shop } from '../../../support/storefront.ts';

/** Times of this zone must not reach anybody. */
const ELSEWHERE = `do $$ begin execute format('alter database %I set timezone = ''America/New_York''', current_database()); end $$`;

const migrated = (url: string, resources: readonly ResourceDescriptor[]) =>
  lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [] }));

describe.skipIf(!hasPgBouncer)('Postgres behind PgBouncer in transaction mode', () => {
  let bouncer: PgBouncer;
  let direct: string;
  let pooled: string;
  let shop: Shop;

  const databaseWith = (statementTimeoutMs: number): DatabaseKind => ({
    name: 'Postgres behind PgBouncer',
    async open(resources) {
      await migrated(pooled, resources);
      const store = await openPostgresStore({ url: pooled, resources, statementTimeoutMs });
      return { store, close: async () => store.close() };
    },
  });

  beforeAll(async () => {
    direct = await makeDatabase();
    await administer(direct, ELSEWHERE);
    bouncer = await startPgBouncer(direct, 'transaction');
    pooled = bouncer.through(direct);
    shop = await Shop.open(databaseWith(STATEMENT_TIMEOUT_MS));
    await shop.user(customer);
  });
  afterAll(async () => {
    await shop.close();
    await bouncer.close();
  });

  const many = <T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => work(i)));

  it('serves both protocols, many callers at once', async () => {
    const product = await shop.product({ stock: 1_000 });
    const orders = await many(15, async (i) => {
      const { id } = await shop.order();
      await shop.item(id, product.id, 1 + (i % 3));
      const changed = await shop.patch(`/orders/${id}`, customer, { note: `number ${i}` });
      expect(changed).toMatchObject({ status: 200, body: { note: `number ${i}` } });
      const { data } = await shop.graphql(
        'query ($id: ID!) { order(id: $id) { note items { nodes { quantity product { id } } } } }',
        { id },
        customer,
      );
      expect(data.order).toEqual({
        note: `number ${i}`,
        items: { nodes: [{ quantity: 1 + (i % 3), product: { id: product.id } }] },
      });
      return id;
    });
    const listed = await shop.get('/orders?limit=100&count=true', customer);
    expect(listed.body.data.map(({ id }: Json) => id)).toEqual(expect.arrayContaining(orders));
    const replies = await many(15, (i) => shop.delete(`/orders/${orders[i]}`, admin));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
  });

  it('answers times in UTC, whatever the zone of the server', async () => {
    const { id, createdAt } = await shop.product();
    expect(createdAt).toBe(shop.service.now);
    const replies = await many(20, () => shop.get(`/products/${id}`));
    expect(new Set(replies.map(({ body }) => body.createdAt))).toEqual(new Set([shop.service.now]));
  });

  it('creates once for a key, and repeats the answer over the other protocol', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const create = () => shop.request('POST', '/orders', customer, { note: 'once' }, key);
    const replies = await many(20, create);
    const created = replies.filter(({ status }) => status === 201);
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(new Set(created.map(({ text }) => text)).size).toBe(1);
    const document = 'mutation { createOrder(input: { note: "once" }) { id } }';
    expect((await shop.graphql(document, {}, customer, key)).data.createOrder.id).toBe(created[0]!.body.id);
  });

  it('lets one of many changes of a version through', async () => {
    const { id, version } = await shop.order();
    const ifMatch = { 'if-match': `"${version}"` };
    const change = (i: number) => shop.request('PATCH', `/orders/${id}`, customer, { note: `${i}` }, ifMatch);
    const statuses = (await many(20, change)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array(19).fill(412)]);
  });

  it('refuses in time what waits for the lock of another, and goes on', async () => {
    const { id } = await shop.order();
    const hasty = await Shop.open(databaseWith(1_500));
    const other = new pg.Client(direct);
    await other.connect();
    await other.query('begin');
    await other.query('select from orders where id = $1 for update', [id]);
    expect(await hasty.patch(`/orders/${id}`, customer, { note: 'late' })).toMatchObject({ status: 503 });
    await other.end();
    await eventually(async () =>
      expect(await hasty.patch(`/orders/${id}`, customer, { note: 'in time' })).toMatchObject({ status: 200 }),
    );
    await hasty.close();
  });

  it('leaves no parameter, statement and lock behind for others who share the pooler', async () => {
    await many(20, () => shop.get('/products'));
    const others = await many(6, async () => {
      const [row] = await administer(
        pooled,
        `select current_setting('statement_timeout') as timeout, current_setting('timezone') as zone,
           (select count(*)::int from pg_prepared_statements) as prepared,
           (select count(*)::int from pg_locks join pg_database on oid = database
              where locktype = 'advisory' and datname = current_database()) as locks`,
      );
      return row;
    });
    for (const one of others) expect(one).toEqual({ timeout: '0', zone: 'America/New_York', prepared: 0, locks: 0 });
  });

  it('is migrated once by several servers, and by one that comes to the server itself', async () => {
    const url = await makeDatabase();
    const { resources } = await contractOf('library');
    const reports = await Promise.all(
      [url, bouncer.through(url), bouncer.through(url), bouncer.through(url)].map((one) => migrated(one, resources)),
    );
    expect(reports.filter(({ done }) => done.length > 0)).toHaveLength(1);
  });

  it('says where to migrate what runs outside a transaction', async () => {
    const file = parseMigration('0001-a.sql', '-- lockstep: no transaction\nselect 1;', 'postgres');
    const { resources } = shop.service.contract;
    const migrating = (url: string) =>
      lockedPostgres(url, (target) => migrate(target, { resources, handWritten: [file] }));
    await expect(migrating(pooled)).rejects.toThrow(
      'migrations/0001-a.sql runs outside a transaction, which is not possible through a pooler',
    );
    expect((await migrating(direct)).done).toContain('migrations/0001-a.sql');
  });
});

describe.skipIf(!hasPgBouncer)('Postgres behind PgBouncer in statement mode', () => {
  it('is refused at boot with the reason', async () => {
    const url = await makeDatabase();
    const bouncer = await startPgBouncer(url, 'statement');
    await withFolder({}, async (folder) => {
      const environment = { PORT: '0', DATA_DIR: folder, DATABASE_URL: bouncer.through(url) };
      const { code, stderr } = await runHere('scripts/start.ts', [], environment);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /^DATABASE_URL: Postgres at .+ cannot be used \(.*transaction blocks not allowed in statement pooling mode.*\)\.\n$/,
      );
    });
    await bouncer.close();
  });
});
