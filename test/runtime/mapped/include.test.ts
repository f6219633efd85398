import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../../support/postgres.ts';
import { watchReads } from '../../support/reads.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import type { Json } from '../../support/storefront.ts';
import { readingTrade, TRADE_ROWS, tradeDatabase } from '../../support/trade.ts';

const OFFERED: Readonly<Record<string, readonly string[]>> = {
  '/customers': ['orders', 'orders.notes'],
  '/orders': ['customer', 'notes', 'orderLinesByOrder'],
  '/orders/{orderId}': ['customer', 'notes', 'orderLinesByOrder.replaces'],
  '/order-lines': ['order.customer', 'replaces'],
  '/orders/{orderId}/notes': ['order.customer'],
  '/recent-orders': ['customer.orders'],
};

/** Tables and a view of others, whose reads include rows by keys of several columns. */
const including = () =>
  readingTrade(
    (document) => {
      for (const [path, names] of Object.entries(OFFERED)) {
        const { get } = document.paths[path];
        const schema = { type: 'array', items: { type: 'string', enum: names } };
        get.parameters = [...(get.parameters ?? []), { name: 'include', in: 'query', explode: false, schema }];
      }
      const { properties } = document.components.schemas.RecentOrder;
      const { customer, ...others } = properties;
      const customerId = { ...customer, 'x-references': 'Customer', 'x-column': 'customer' };
      document.components.schemas.RecentOrder.properties = { ...others, customerId };
    },
    (sdl) => sdl.replace('  customer: String\n', '  customerId: ID\n  customer: Customer\n'),
  );

describe.skipIf(!hasPostgres)('include of tables of others', () => {
  let service: Service;
  let reads: string[] = [];
  beforeAll(async () => {
    service = await startCompiled(await including(), tradeDatabase(TRADE_ROWS));
    reads = watchReads(service.store);
  });
  afterAll(() => service.close());

  const get = async (path: string): Promise<Json> => {
    const { status, body } = await service.request('GET', `/v1${path}`);
    expect([path, status]).toEqual([path, 200]);
    return body;
  };

  it('shows the rows that they refer to, and that refer to them, by one statement a name', async () => {
    reads.length = 0;
    const { data } = await get('/orders?include=customer,notes,orderLinesByOrder');
    expect(reads.toSorted()).toEqual([
      'getEach customers',
      'list orders',
      'listEach orderLines',
      'listEach orders.notes',
    ]);
    expect(data.length).toBe(3);
    for (const order of data) {
      expect(order.customer).toEqual(await get(`/customers/${order.customerId}`));
      expect(order.notes).toEqual(await get(`/orders/${order.id}/notes`));
    }
    expect(data.map((order: Json) => [order.id, order.orderLinesByOrder.data.map(({ id }: Json) => id)])).toEqual([
      ['B!~1~7', ['B!~1~7~1', 'B!~1~7~2']],
      ['B!~1~8', []],
      ['C~7', []],
    ]);
  });

  it('goes two levels deep', async () => {
    const { data } = await get('/order-lines?include=order.customer,replaces');
    expect(data.map(({ order, replaces }: Json) => [order.customer.id, replaces?.id])).toEqual([
      ['ALFKI', 'B!~1~8'],
      ['ALFKI', undefined],
    ]);
    const { orderLinesByOrder } = await get('/orders/B!~1~7?include=orderLinesByOrder.replaces');
    expect(orderLinesByOrder.data[0].replaces.id).toBe('B!~1~8');
    const customers = await get('/customers?limit=2&include=orders.notes');
    expect(customers.data.map(({ orders }: Json) => orders.data.map(({ notes }: Json) => notes.data.length))).toEqual([
      [1, 0],
      [1],
    ]);
  });

  it('is answered beside rows of a view', async () => {
    const { data } = await get('/recent-orders?include=customer.orders');
    expect(data.length).toBe(3);
    for (const { customerId, customer } of data) {
      expect(customer.id).toBe(customerId);
      expect(customer.orders.data.every((order: Json) => order.customerId === customerId)).toBe(true);
    }
  });
});
