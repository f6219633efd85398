import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import type { Reply } from '../support/service.ts';
import { admin, customer, type Json, refused, Shop, stranger } from '../support/storefront.ts';

const UNKNOWN = '01941f29-7c00-7a10-8c57-00000000ffff';

describe.each(databases)('items of an order on $name', (database) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(database);
    for (const caller of [customer, stranger]) await shop.user(caller);
  });
  afterAll(() => shop.close());

  const stockOf = async (id: string): Promise<number> => (await shop.get(`/products/${id}`)).body.stock;
  const orderOf = async (id: string): Promise<Json> => (await shop.get(`/orders/${id}`, customer)).body;
  const add = (orderId: string, productId: string, quantity: number): Promise<Reply> =>
    shop.post(`/orders/${orderId}/items`, customer, { productId, quantity });

  describe('adding an item', () => {
    it('takes the quantity from stock, freezes the price and adds to the total', async () => {
      const product = await shop.product({ price: 250, stock: 10 });
      const order = await shop.order();
      const { status, body } = await add(order.id, product.id, 3);
      expect(status).toBe(201);
      expect(body).toMatchObject({ orderId: order.id, productId: product.id, quantity: 3, unitPrice: 250, version: 1 });
      expect(await stockOf(product.id)).toBe(7);
      expect(await orderOf(order.id)).toMatchObject({ total: 750, currency: 'EUR', version: 2 });
    });

    it('finds the product by an id in capitals', async () => {
      const product = await shop.product({ price: 250, stock: 10 });
      const order = await shop.order();
      const { body } = await add(order.id, product.id.toUpperCase(), 1);
      expect(body).toMatchObject({ productId: product.id, unitPrice: 250 });
      expect(await stockOf(product.id)).toBe(9);
    });

    it('is refused when too few are left, and takes nothing', async () => {
      const product = await shop.product({ stock: 2 });
      const order = await shop.order();
      const answer = await add(order.id, product.id, 3);
      expect(answer).toMatchObject({
        status: 409,
        body: { code: 'OUT_OF_STOCK', errors: [{ pointer: '/quantity', detail: 'Only 2 left.' }] },
      });
      expect(await stockOf(product.id)).toBe(2);
      expect(await orderOf(order.id)).toEqual(order);
    });

    it.each(['DRAFT', 'ARCHIVED'])('is refused for a product that is %s', async (status) => {
      const product = await shop.product();
      if (status === 'ARCHIVED') await shop.patch(`/products/${product.id}`, admin, { status });
      const draft = {
        sku: `DRAFT-${product.sku}`,
        name: 'Draft',
        price: 1,
        currency: 'EUR',
        stock: 1,
        delivery: product.delivery,
      };
      const { id } = status === 'DRAFT' ? (await shop.post('/products', admin, draft)).body : product;
      const answer = await add((await shop.order()).id, id, 1);
      expect(refused(answer)).toEqual({ status: 409, code: 'PRODUCT_NOT_ACTIVE' });
    });

    it('is refused for an unknown product', async () => {
      const answer = await add((await shop.order()).id, UNKNOWN, 1);
      expect(answer).toMatchObject({
        status: 422,
        body: { code: 'REFERENCE_NOT_FOUND', errors: [{ pointer: '/productId' }] },
      });
    });

    it('is refused in another currency than the order has, until the order is empty again', async () => {
      const [euro, dollar] = [await shop.product(), await shop.product({ currency: 'USD' })];
      const order = await shop.order();
      const item = await shop.item(order.id, euro.id, 1);
      expect(refused(await add(order.id, dollar.id, 1))).toEqual({ status: 409, code: 'CURRENCY_MISMATCH' });
      expect(await stockOf(dollar.id)).toBe(10);
      await shop.delete(`/orders/${order.id}/items/${item.id}`, customer);
      expect(await orderOf(order.id)).toMatchObject({ total: 0, currency: null });
      expect((await add(order.id, dollar.id, 1)).status).toBe(201);
    });

    it('takes no price from the caller', async () => {
      const [product, order] = [await shop.product(), await shop.order()];
      const body = { productId: product.id, quantity: 1, unitPrice: 1 };
      const answer = await shop.post(`/orders/${order.id}/items`, customer, body);
      expect(refused(answer)).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    });

    it('never oversells: of 50 at once, as many succeed as are in stock', async () => {
      const product = await shop.product({ stock: 30, price: 100 });
      const orders = await Promise.all(Array.from({ length: 5 }, () => shop.order()));
      const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => add(orders[i % 5].id, product.id, 1)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(30);
      expect(answers.filter(({ body }) => body.code === 'OUT_OF_STOCK')).toHaveLength(20);
      expect(await stockOf(product.id)).toBe(0);
      const totals = await Promise.all(orders.map(async ({ id }) => (await orderOf(id)).total));
      expect(totals.reduce((sum, total) => sum + total, 0)).toBe(3000);
    });
  });

  describe('an item', () => {
    it('keeps its price when the product has a new one', async () => {
      const product = await shop.product({ price: 250 });
      const order = await shop.order();
      const item = await shop.item(order.id, product.id, 1);
      await shop.patch(`/products/${product.id}`, admin, { price: 999 });
      const path = `/orders/${order.id}/items/${item.id}`;
      expect((await shop.patch(path, customer, { quantity: 2 })).body).toMatchObject({ quantity: 2, unitPrice: 250 });
      expect(await orderOf(order.id)).toMatchObject({ total: 500 });
    });

    it.each(['PATCH', 'PUT'] as const)('moves stock and total with its quantity by %s', async (method) => {
      const product = await shop.product({ price: 100, stock: 10 });
      const order = await shop.order();
      const item = await shop.item(order.id, product.id, 4);
      const set = (quantity: number) => {
        const body = method === 'PUT' ? { productId: product.id, quantity } : { quantity };
        return shop.request(method, `/orders/${order.id}/items/${item.id}`, customer, body);
      };
      expect((await set(9)).status).toBe(200);
      expect([await stockOf(product.id), (await orderOf(order.id)).total]).toEqual([1, 900]);
      expect((await set(2)).status).toBe(200);
      expect([await stockOf(product.id), (await orderOf(order.id)).total]).toEqual([8, 200]);
      expect(refused(await set(11))).toEqual({ status: 409, code: 'OUT_OF_STOCK' });
      expect([await stockOf(product.id), (await orderOf(order.id)).total]).toEqual([8, 200]);
    });

    it('cannot become another product', async () => {
      const [mug, bowl, order] = [await shop.product(), await shop.product(), await shop.order()];
      const item = await shop.item(order.id, mug.id, 1);
      const answer = await shop.put(`/orders/${order.id}/items/${item.id}`, customer, {
        productId: bowl.id,
        quantity: 2,
      });
      expect(refused(answer)).toEqual({ status: 422, code: 'IMMUTABLE_PROPERTY' });
      expect(await stockOf(mug.id)).toBe(9);
    });

    it('gives its quantity back when it is removed', async () => {
      const [mug, bowl, order] = [
        await shop.product({ price: 100 }),
        await shop.product({ price: 7 }),
        await shop.order(),
      ];
      const item = await shop.item(order.id, mug.id, 4);
      await shop.item(order.id, bowl.id, 1);
      expect((await shop.delete(`/orders/${order.id}/items/${item.id}`, customer)).status).toBe(204);
      expect(await stockOf(mug.id)).toBe(10);
      expect(await orderOf(order.id)).toMatchObject({ total: 7, currency: 'EUR' });
    });

    it('stays as it is once the order is paid for', async () => {
      const [product, order] = [await shop.product(), await shop.order()];
      const item = await shop.item(order.id, product.id, 1);
      const path = `/orders/${order.id}/items/${item.id}`;
      await shop.patch(`/orders/${order.id}`, customer, { status: 'PAID' });
      const answers = [
        await add(order.id, product.id, 1),
        await shop.patch(path, customer, { quantity: 2 }),
        await shop.put(path, customer, { productId: product.id, quantity: 2 }),
        await shop.delete(path, customer),
      ];
      for (const answer of answers) expect(refused(answer)).toEqual({ status: 409, code: 'ORDER_NOT_PENDING' });
      expect(await stockOf(product.id)).toBe(9);
      expect((await shop.get(path, customer)).body).toEqual(item);
    });
  });
});
