import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../src/handlers/index.ts';
import { serve, type TestCaller, type TestService } from '../../src/testing.ts';

interface Row {
  readonly id: string;
}

/** The shop's rules for items, as a user of Lockstep tests rules of their own. */
describe('the items of an order', () => {
  let service: TestService;
  let staff: TestCaller;
  let ada: TestCaller;
  let made = 0;

  beforeAll(async () => {
    service = await serve({ contracts: 'contracts', handlers, now: '2026-01-01T00:00:00Z' });
    staff = service.as({ sub: 'staff', scope: 'products:write orders:admin' });
    ada = service.as({ sub: '0199bd2f-7c00-7000-8000-000000000001', scope: 'users:write orders:write orders:read' });
    await ada.post('/users', { email: 'ada@example.com', name: 'Ada Lovelace' });
  });
  afterAll(() => service.close());

  async function product(values: object): Promise<string> {
    made += 1;
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const input = { sku: `MUG-${made}`, name: 'Blue mug', price: 250, currency: 'EUR', stock: 10, delivery, ...values };
    const { body } = await staff.post<Row>('/products', input);
    await staff.patch(`/products/${body.id}`, { status: 'ACTIVE' });
    return body.id;
  }

  const order = async (): Promise<string> => (await ada.post<Row>('/orders', {})).body.id;

  it('freeze the price and add to the total, which both protocols answer', async () => {
    const [productId, orderId] = [await product({ price: 250 }), await order()];
    const added = await ada.post(`/orders/${orderId}/items`, { productId, quantity: 3 });
    expect(added).toMatchObject({ status: 201, body: { unitPrice: 250, createdAt: '2026-01-01T00:00:00.000Z' } });
    await staff.patch(`/products/${productId}`, { price: 9_900 });
    const query = 'query ($id: ID!) { order(id: $id) { total currency } }';
    const { data, errors } = await ada.graphql(query, { id: orderId });
    expect({ data, errors }).toEqual({ data: { order: { total: 750, currency: 'EUR' } }, errors: undefined });
  });

  it('are refused when too few are left', async () => {
    const [productId, orderId] = [await product({ stock: 2 }), await order()];
    const refused = await ada.post(`/orders/${orderId}/items`, { productId, quantity: 3 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'OUT_OF_STOCK', detail: 'Only 2 left.' } });
  });

  it('are refused in a second currency', async () => {
    const orderId = await order();
    await ada.post(`/orders/${orderId}/items`, { productId: await product({}), quantity: 1 });
    const dollars = { productId: await product({ currency: 'USD' }), quantity: 1 };
    const { body } = await ada.post(`/orders/${orderId}/items`, dollars);
    expect(body).toMatchObject({ code: 'CURRENCY_MISMATCH', errors: [{ pointer: '/productId' }] });
  });

  it('leave no error in the log', () => {
    expect(service.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
