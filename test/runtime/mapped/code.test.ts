import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from '../../../src/tools/postgres-database.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { contractOf, type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const ROWS = `
  truncate shop.customers cascade;
  insert into shop.customers (code, "Company Name") values ('ALFKI', 'Alfreds')`;

describe.skipIf(!hasPostgres)('code writes tables of others', () => {
  const database = tradeDatabase();
  let service: Service;
  beforeAll(async () => {
    const overrides = {
      orders: {
        async create(input: Json, { store }: Json, next: (input: Json) => Promise<Json>) {
          const order = await next({ ...input, freight: input.freight ?? '5' });
          const line = { orderId: order.id, lineNo: 1, unitPrice: '1' };
          const made = await store.orderLines.create(line);
          if (made.packedAt === undefined) throw new Error('the database fills it in');
          await store.orderLines.update(made.id, { unitPrice: '2' });
          // One that is refused leaves the others as they are.
          await store.orderLines.create(line).catch(() => {});
          await store.orderLines.create({ ...line, lineNo: 2 });
          if (order.freight === '6.00') await store.orderLines.delete(made.id);
          return order;
        },
      },
    };
    service = await startCompiled(await contractOf('trade'), database, { overrides } as Json);
  });
  afterAll(() => service.close());
  beforeEach(() => administer(database.url, ROWS));

  it.each([
    [undefined, [1, 2]],
    ['6', [2]],
  ])('in one transaction with the row, freight %s', async (freight, lines) => {
    const body = { shopCode: 'B12', number: 7, customerId: 'ALFKI', ...(freight && { freight }) };
    const reply = await service.request('POST', '/v1/orders', { as: { sub: 'a', scope: 'trade:write' }, body });
    expect(reply).toMatchObject({ status: 201, body: { id: 'B12~7', freight: `${freight ?? 5}.00` } });
    const stored = await administer(database.url, 'select "Line No" as line from shop."Order Lines" order by 1');
    expect(stored.map(({ line }) => line)).toEqual(lines);
  });
});
