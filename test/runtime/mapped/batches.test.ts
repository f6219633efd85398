import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from '../../../src/tools/postgres-database.ts';
import { batchingAll } from '../../support/batching.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import type { Json } from '../../support/storefront.ts';
import { tradeDatabase } from '../../support/trade.ts';

const as = { sub: 'ann', scope: 'trade:write' };

describe.skipIf(!hasPostgres)('batches on tables of others', () => {
  let service: Service;
  const database = tradeDatabase();
  beforeAll(async () => {
    service = await startCompiled(await batchingAll('trade'), database);
  });
  afterAll(() => service.close());
  beforeEach(() =>
    administer(
      database.url,
      `truncate shop.customers cascade;
       insert into shop.customers (code, "Company Name", tier) values ('ALFKI', 'Alfreds', 'gold');
       insert into shop.orders (shop_code, number, customer) values ('B', 1, 'ALFKI'), ('B', 2, 'ALFKI'), ('C', 1, 'ALFKI')`,
    ),
  );
  const send = (path: string, items: readonly object[], mode = 'ATOMIC') =>
    service.request('POST', `/v1/${path}/batch`, { as, body: { mode, items } });
  const results = async (path: string, items: readonly object[], mode?: string): Promise<readonly Json[]> => {
    const { body } = await send(path, items, mode);
    return body.data?.map((one: Json) => one.data?.id ?? one.error?.code ?? one.status) ?? body;
  };
  const rows = async (sql: string) => (await administer(database.url, sql)).map((row) => Object.values(row as object));

  it('write composite ids, which are made from the row or named', async () => {
    const lines = [1, 2].map((lineNo) => ({ create: { input: { orderId: 'B~1', lineNo, unitPrice: '1.5' } } }));
    expect(await results('order-lines', lines)).toEqual(['B~1~1', 'B~1~2']);
    const changes = [
      { update: { id: 'B~1~1', input: { unitPrice: '2' } } },
      { delete: { id: 'B~1~2' } },
      { create: { input: { orderId: 'B~2', lineNo: 1, unitPrice: '3' } } },
    ];
    expect(await results('order-lines', changes)).toEqual(['B~1~1', 204, 'B~2~1']);
    expect(await rows('select number, "Line No", "Unit Price" from shop."Order Lines" order by 1, 2')).toEqual([
      [1, 1, '2.00'],
      [2, 1, '3.00'],
    ]);
    expect(await results('order-lines', [lines[0]!, lines[1]!, { delete: { id: 'no~id' } }], 'EACH')).toEqual([
      'ALREADY_EXISTS',
      'B~1~2',
      'NOT_FOUND',
    ]);
  });

  it('compare versions that are counted and those that are hashes, also within one batch', async () => {
    const first = { update: { id: 'B~1', input: { freight: '1' }, ifVersion: 0 } };
    const again = { update: { id: 'B~1', input: { freight: '2' }, ifVersion: 1 } };
    const stale = { update: { id: 'B~2', input: { freight: '2' }, ifVersion: 7 } };
    expect(await results('orders', [first, again])).toEqual(['B~1', 'B~1']);
    expect((await send('orders', [{ update: { id: 'C~1', input: { freight: '9' } } }, stale])).status).toBe(412);
    expect(await rows("select number, lock_version, freight from shop.orders where shop_code = 'C'")).toEqual([
      [1, 0, null],
    ]);
    const { body } = await service.request('GET', '/v1/customers/ALFKI', { as });
    const update = (ifVersion: string) => ({ update: { id: 'ALFKI', input: { email: 'a@b.c' }, ifVersion } });
    expect(await results('customers', [update(body.version), update(body.version)], 'EACH')).toEqual([
      'ALFKI',
      'PRECONDITION_FAILED',
    ]);
    expect((await send('customers', [{ update: { id: 'ALFKI', input: {}, ifVersion: 7 } }])).status).toBe(400);
  });

  it('that cross wait for each other, beside writers that the tables have', async () => {
    const items = (freight: string) => ['B~1', 'B~2', 'C~1'].map((id) => ({ update: { id, input: { freight } } }));
    const theirs = "update shop.orders set lock_version = lock_version + 1 where (shop_code, number) = ('B', 2)";
    const replies = await Promise.all(
      Array.from({ length: 9 }, (_, i) => {
        if (i % 3 === 0) return administer(database.url, theirs);
        const own = items(String(i));
        return send('orders', i % 2 === 0 ? own : own.toReversed()).then(({ status }) => status);
      }),
    );
    expect(replies.filter((one) => typeof one === 'number')).toEqual(new Array(6).fill(200));
    expect(await rows('select lock_version from shop.orders order by shop_code, number')).toEqual([[6], [9], [6]]);
  });
});
