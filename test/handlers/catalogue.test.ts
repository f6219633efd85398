import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { admin, customer, refused, Shop, stranger } from '../support/storefront.ts';

const UNKNOWN = '01941f29-7c00-7a10-8c57-00000000ffff';

describe.each(databases)('products, reviews and users on $name', (database) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(database);
    for (const caller of [customer, stranger]) await shop.user(caller);
  });
  afterAll(() => shop.close());

  describe('a product', () => {
    it('stays while an order has it', async () => {
      const [product, order] = [await shop.product(), await shop.order()];
      await shop.item(order.id, product.id, 1);
      expect(refused(await shop.delete(`/products/${product.id}`, admin))).toEqual({
        status: 409,
        code: 'STILL_REFERENCED',
      });
    });

    it('leaves with its reviews, and is nobody’s favourite then', async () => {
      const product = await shop.product();
      const path = `/products/${product.id}`;
      await shop.patch(`/users/${customer.subject}`, customer, { favouriteProductId: product.id });
      await shop.post(`${path}/reviews`, customer, { rating: 5, title: 'Lovely' });
      expect((await shop.delete(path, admin)).status).toBe(204);
      expect((await shop.get(`${path}/reviews`)).status).toBe(404);
      expect((await shop.get(`/users/${customer.subject}`, customer)).body.favouriteProductId).toBeNull();
    });

    it('is read by anyone and changed by staff', async () => {
      const product = await shop.product();
      const path = `/products/${product.id}`;
      expect((await shop.get(path)).body).toEqual(product);
      expect(refused(await shop.patch(path, customer, { price: 1 }))).toEqual({ status: 403, code: 'FORBIDDEN' });
      expect(refused(await shop.request('PATCH', path, undefined, { price: 1 }))).toEqual({
        status: 401,
        code: 'UNAUTHENTICATED',
      });
    });

    it('has a rating summary', async () => {
      const { id } = await shop.product();
      const path = `/products/${id}`;
      const empty = { count: 0, average: null, distribution: [0, 0, 0, 0, 0] };
      expect((await shop.get(`${path}/rating-summary`)).body).toMatchObject(empty);
      await shop.post(`${path}/reviews`, customer, { rating: 5, title: 'Lovely' });
      await shop.post(`${path}/reviews`, stranger, { rating: 2, title: 'Expected more' });
      const summary = { count: 2, average: 3.5, distribution: [0, 1, 0, 0, 1] };
      expect(await shop.get(`${path}/rating-summary`)).toMatchObject({ status: 200, body: summary });
      const capitals = await shop.get(`/products/${id.toUpperCase()}/rating-summary`);
      expect(capitals.body).toEqual({ productId: id, ...summary });
      expect(refused(await shop.get(`/products/${UNKNOWN}/rating-summary`))).toEqual({
        status: 404,
        code: 'NOT_FOUND',
      });
    });
  });

  describe('a review', () => {
    it('is written once per user and product', async () => {
      const path = `/products/${(await shop.product()).id}/reviews`;
      const body = { rating: 4, title: 'Good' };
      expect((await shop.post(path, customer, body)).body).toMatchObject({
        ...body,
        userId: customer.subject,
        body: null,
      });
      expect(refused(await shop.post(path, customer, body))).toEqual({ status: 409, code: 'ALREADY_EXISTS' });
      expect((await shop.post(path, stranger, body)).status).toBe(201);
    });

    it('is read by anyone and changed by its author', async () => {
      const path = `/products/${(await shop.product()).id}/reviews`;
      const review = (await shop.post(path, customer, { rating: 4, title: 'Good' })).body;
      expect((await shop.get(`${path}/${review.id}`)).body).toEqual(review);
      expect(refused(await shop.patch(`${path}/${review.id}`, stranger, { rating: 1 }))).toEqual({
        status: 403,
        code: 'FORBIDDEN',
      });
      expect((await shop.patch(`${path}/${review.id}`, customer, { rating: 5 })).body.rating).toBe(5);
      expect((await shop.patch(`${path}/${review.id}`, admin, { body: 'Edited.' })).body.body).toBe('Edited.');
    });

    it('warns those who replace it that the operation goes away', async () => {
      const path = `/products/${(await shop.product()).id}/reviews`;
      const review = (await shop.post(path, customer, { rating: 4, title: 'Good' })).body;
      const { status, headers } = await shop.put(`${path}/${review.id}`, customer, { rating: 3, title: 'So' });
      expect(status).toBe(200);
      expect(headers['sunset']).toBe('Fri, 31 Dec 2027 00:00:00 GMT');
      expect(headers['deprecation']).toBe(`@${Date.UTC(2026, 10, 1) / 1_000}`);
    });
  });

  describe('a user', () => {
    it('sees and changes nobody else', async () => {
      const path = `/users/${customer.subject}`;
      expect(refused(await shop.get(path, stranger))).toEqual({ status: 404, code: 'NOT_FOUND' });
      expect(refused(await shop.patch(path, stranger, { name: 'Eve' }))).toEqual({ status: 404, code: 'NOT_FOUND' });
      expect((await shop.get('/users', stranger)).body.data.map(({ id }: { id: string }) => id)).toEqual([
        stranger.subject,
      ]);
      expect((await shop.get(path, admin)).status).toBe(200);
    });

    it('is made once', async () => {
      const again = { email: 'again@example.com', name: 'Again' };
      expect(refused(await shop.post('/users', customer, again))).toEqual({ status: 409, code: 'ALREADY_EXISTS' });
    });

    it('leaves with its reviews, but stays while it has orders', async () => {
      const leaver = { ...customer, subject: '01941f29-7c00-7a10-8c57-000000000002' };
      await shop.user(leaver);
      const path = `/products/${(await shop.product()).id}/reviews`;
      const review = (await shop.post(path, leaver, { rating: 4, title: 'Good' })).body;
      const order = await shop.order(leaver);
      const leave = () => shop.delete(`/users/${leaver.subject}`, leaver);
      expect(refused(await leave())).toEqual({ status: 409, code: 'STILL_REFERENCED' });
      await shop.delete(`/orders/${order.id}`, leaver);
      expect((await leave()).status).toBe(204);
      expect((await shop.get(`${path}/${review.id}`)).status).toBe(404);
    });
  });
});
