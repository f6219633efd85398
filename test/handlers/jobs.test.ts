import { expect, it } from 'vitest';
import { handlers } from '../../src/handlers/index.ts';
import { serve } from '../../src/testing.ts';
import { admin, customer } from '../support/storefront.ts';

it('the shop confirms an order when it is paid, and reports low stock each night', async () => {
  await using service = await serve({ generated: 'generated', handlers, now: '2026-01-15T12:00:00Z' });
  const [staff, ada] = [admin, customer].map(({ subject, scope }) => service.as({ sub: subject, scope }));
  const product = async (sku: string, stock: number, isActive = true): Promise<string> => {
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const body = { sku, name: sku, price: 100, currency: 'EUR', stock, delivery };
    const { id } = (await staff!.post<{ id: string }>('/products', body)).body;
    if (isActive) expect((await staff!.patch(`/products/${id}`, { status: 'ACTIVE' })).status).toBe(200);
    return id;
  };
  const productId = await product('MUG-1', 6);
  await product('MUG-2', 2);
  await product('MUG-3', 6);
  await product('MUG-4', 1, false);
  await ada!.post('/users', { email: 'ada@example.com', name: 'Ada' });
  const { id } = (await ada!.post<{ id: string }>('/orders', {})).body;
  await ada!.post(`/orders/${id}/items`, { productId, quantity: 2 });
  const lines = () => service.log.filter(({ job }) => job !== undefined);
  expect((await service.jobs.run()).ran).toEqual([]);
  expect((await ada!.patch(`/orders/${id}`, { status: 'PAID' })).status).toBe(200);
  expect((await service.jobs.run()).ran).toMatchObject([{ name: 'sendConfirmation' }]);
  expect(lines()).toMatchObject([{ message: 'order confirmed', orderId: id, total: 200 }]);
  service.clock.set('2026-01-16T02:00:00Z');
  expect((await service.jobs.run()).ran).toMatchObject([{ name: 'reportLowStock' }]);
  expect(lines().slice(1)).toMatchObject([
    {
      message: 'low stock',
      products: [
        { sku: 'MUG-2', stock: 2 },
        { sku: 'MUG-1', stock: 4 },
      ],
    },
  ]);
});
