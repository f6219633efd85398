import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import type { Reply } from '../support/service.ts';
import { admin, customer, type Json, refused, Shop, stranger } from '../support/storefront.ts';

describe.each(databases)('orders on $name', (database) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(database);
    for (const caller of [customer, stranger]) await shop.user(caller);
  });
  afterAll(() => shop.close());

  const stockOf = async (id: string): Promise<number> => (await shop.get(`/products/${id}`)).body.stock;
  const soldOf = async (id: string): Promise<string> => (await shop.get(`/products/${id}`)).body.unitsSold;
  const orderOf = async (id: string): Promise<Json> => (await shop.get(`/orders/${id}`, customer)).body;
  const move = (id: string, status: string, as = customer): Promise<Reply> =>
    shop.patch(`/orders/${id}`, as, { status });

  describe('an order', () => {
    it('starts empty and PENDING, the caller’s, whatever the caller says', async () => {
      const { body } = await shop.post('/orders', customer, {});
      expect(body).toMatchObject({ userId: customer.subject, status: 'PENDING', total: 0, currency: null });
      expect(await shop.post('/orders', customer, { userId: stranger.subject })).toMatchObject({ status: 403 });
    });

    it('is made for someone else by staff', async () => {
      const { body } = await shop.post('/orders', admin, { userId: stranger.subject });
      expect(body.userId).toBe(stranger.subject);
      expect((await shop.delete(`/orders/${body.id}`, stranger)).status).toBe(204);
    });

    it('counts what was sold when it is paid for', async () => {
      const [product, order] = [await shop.product(), await shop.order()];
      await shop.item(order.id, product.id, 1);
      await shop.item(order.id, product.id, 2);
      expect(await soldOf(product.id)).toBe('0');
      expect((await move(order.id, 'PAID')).status).toBe(200);
      expect(await soldOf(product.id)).toBe('3');
      expect(await stockOf(product.id)).toBe(7);
    });

    it.each(['PENDING', 'PAID'])('gives the stock back when it is cancelled while %s', async (status) => {
      const [product, order] = [await shop.product(), await shop.order()];
      await shop.item(order.id, product.id, 1);
      await shop.item(order.id, product.id, 2);
      if (status === 'PAID') await move(order.id, 'PAID');
      const cancelled = await shop.put(`/orders/${order.id}`, customer, { status: 'CANCELLED' });
      expect(cancelled).toMatchObject({ status: 200, body: { status: 'CANCELLED', total: 5997 } });
      expect([await stockOf(product.id), await soldOf(product.id)]).toEqual([10, '0']);
      expect(refused(await move(order.id, 'PAID'))).toEqual({ status: 409, code: 'ILLEGAL_TRANSITION' });
      expect(await stockOf(product.id)).toBe(10);
    });

    it('gives the stock back once when it is cancelled twice at the same time', async () => {
      const [product, order] = [await shop.product(), await shop.order()];
      await shop.item(order.id, product.id, 4);
      await Promise.all([move(order.id, 'CANCELLED'), move(order.id, 'CANCELLED')]);
      expect(await stockOf(product.id)).toBe(10);
    });

    it('is shipped and delivered by staff alone', async () => {
      const order = await shop.order();
      expect(refused(await move(order.id, 'SHIPPED'))).toEqual({ status: 409, code: 'ILLEGAL_TRANSITION' });
      await move(order.id, 'PAID');
      expect(refused(await move(order.id, 'SHIPPED'))).toEqual({ status: 403, code: 'FORBIDDEN' });
      expect((await orderOf(order.id)).status).toBe('PAID');
      expect((await move(order.id, 'SHIPPED', admin)).status).toBe(200);
      expect(refused(await move(order.id, 'DELIVERED'))).toEqual({ status: 403, code: 'FORBIDDEN' });
      expect((await move(order.id, 'DELIVERED', admin)).body.status).toBe('DELIVERED');
    });

    it('gives the stock back and takes its items along when it is deleted', async () => {
      const [product, order] = [await shop.product(), await shop.order()];
      await shop.item(order.id, product.id, 4);
      expect((await shop.delete(`/orders/${order.id}`, customer)).status).toBe(204);
      expect(await stockOf(product.id)).toBe(10);
      expect((await shop.get(`/orders/${order.id}/items`, customer)).status).toBe(404);
      expect((await shop.delete(`/products/${product.id}`, admin)).status).toBe(204);
    });

    it('is kept once it is not PENDING', async () => {
      const order = await shop.order();
      await move(order.id, 'CANCELLED');
      expect(refused(await shop.delete(`/orders/${order.id}`, customer))).toEqual({
        status: 409,
        code: 'ORDER_NOT_PENDING',
      });
    });

    it('is hidden from strangers, and so are its items', async () => {
      const [product, order] = [await shop.product(), await shop.order()];
      const item = await shop.item(order.id, product.id, 1);
      const answers = [
        await shop.get(`/orders/${order.id}`, stranger),
        await move(order.id, 'CANCELLED', stranger),
        await shop.delete(`/orders/${order.id}`, stranger),
        await shop.get(`/orders/${order.id}/items`, stranger),
        await shop.post(`/orders/${order.id}/items`, stranger, { productId: product.id, quantity: 1 }),
        await shop.patch(`/orders/${order.id}/items/${item.id}`, stranger, { quantity: 2 }),
      ];
      for (const answer of answers) expect(refused(answer)).toEqual({ status: 404, code: 'NOT_FOUND' });
      expect((await shop.get('/orders', stranger)).body.data).toEqual([]);
      expect((await shop.get(`/orders/${order.id}/items/${item.id}`, admin)).body).toEqual(item);
      expect(await stockOf(product.id)).toBe(9);
    });
  });
});
