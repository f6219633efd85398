import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, customer, Shop, stranger } from '../../support/storefront.ts';
import { called, callOf } from '../../support/tools.ts';

const PRODUCT = {
  sku: 'MUG-1',
  name: 'Mug',
  price: 900,
  currency: 'EUR',
  stock: 3,
  delivery: { kind: 'PHYSICAL', weightGrams: 300 },
};

describe.each(databases)('tools of the shop on $name', (database) => {
  let shop: Shop;
  let productId: string;
  beforeAll(async () => {
    shop = await Shop.open(database);
    const made = await call('createProduct', { input: PRODUCT }, admin);
    productId = made.value.id;
  });
  afterAll(() => shop.close());

  const call = async (name: string, args: object = {}, as = undefined as typeof admin | undefined) =>
    called(
      await shop.service.request('POST', '/mcp', {
        body: callOf(name, args),
        ...(as && { as: { sub: as.subject, scope: as.scope } }),
      }),
    );

  it('answer as REST does', async () => {
    const { body } = await shop.get(`/products/${productId}`);
    expect(await call('getProduct', { productId })).toEqual({ status: 200, value: body, isError: false });
    const page = await shop.get('/products?limit=1&price[gte]=5');
    expect((await call('listProducts', { limit: 1, price: { gte: 5 } })).value).toEqual(page.body);
    const summary = await shop.get(`/products/${productId}/rating-summary`);
    expect((await call('getRatingSummary', { productId })).value).toEqual(summary.body);
  });

  it('narrow what they read to some properties', async () => {
    expect((await call('getProduct', { productId, fields: ['name', 'id'] })).value).toEqual({
      id: productId,
      name: 'Mug',
    });
    const { value } = await call('listProducts', { limit: 1, fields: ['price'] });
    expect(value.data).toEqual([{ price: 900 }]);
    expect(value.page).toHaveProperty('nextCursor');
    const wrong = await call('listProducts', { fields: ['price', 'colour'] });
    expect(wrong.isError).toBe(true);
    expect(wrong.value.errors).toEqual([
      { argument: 'fields.1', detail: expect.stringMatching(/^must be one of id, version, .*price/) },
    ]);
  });

  it('change rows of the version that the caller has seen, and no other', async () => {
    const first = await call('updateProduct', { productId, input: { price: 800 }, ifVersion: 1 }, admin);
    expect(first.value).toMatchObject({ price: 800, version: 2 });
    const late = await call('updateProduct', { productId, input: { price: 700 }, ifVersion: 1 }, admin);
    expect(late.isError).toBe(true);
    expect(late.value).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412 });
    expect((await shop.get(`/products/${productId}`)).body.price).toBe(800);
  });

  it('create once under a key, whoever repeats it over which protocol', async () => {
    const input = { ...PRODUCT, sku: 'ONCE-1' };
    const first = await call('createProduct', { input, idempotencyKey: 'a key' }, admin);
    const again = await call('createProduct', { input, idempotencyKey: 'a key' }, admin);
    expect(again.value).toEqual(first.value);
    const headers = { 'idempotency-key': '"a key"' };
    expect((await shop.request('POST', '/products', admin, input, headers)).body).toEqual(first.value);
  });

  it('name each fault by its argument', async () => {
    const faults = async (name: string, args: object) => (await call(name, args, admin)).value.errors;
    expect(await faults('createProduct', { input: { ...PRODUCT, price: -1, delivery: { kind: 'PHYSICAL' } } })).toEqual(
      expect.arrayContaining([
        { argument: 'input.price', detail: expect.any(String) },
        { argument: 'input.delivery.weightGrams', detail: expect.any(String) },
      ]),
    );
    expect(await faults('listProducts', { price: { gte: 'x' }, limit: 0 })).toEqual([
      { argument: 'price.gte', detail: expect.any(String) },
      { argument: 'limit', detail: expect.any(String) },
    ]);
    expect(await faults('getProduct', { id: 'x' })).toEqual([
      { argument: 'id', detail: 'is not a known parameter' },
      { argument: 'productId', detail: 'is required' },
    ]);
    expect(await faults('updateProduct', { productId, input: {}, ifVersion: 'new' })).toEqual([
      { argument: 'ifVersion', detail: 'must be a version' },
    ]);
  });

  it('show each caller its own rows, and none of others', async () => {
    const { body: user } = await shop.post('/users', admin, { email: 'a@example.com', name: 'Ada' });
    expect((await call('getUser', { userId: user.id }, admin)).value).toEqual(user);
    for (const as of [customer, stranger]) {
      const { value } = await call('getUser', { userId: user.id }, as);
      expect(value).toMatchObject({ code: 'NOT_FOUND', status: 404 });
      expect((await call('listUsers', {}, as)).value.data).toEqual([]);
    }
  });

  it('see what the same caller has written over another protocol', async () => {
    const { body } = await shop.post('/products', admin, { ...PRODUCT, sku: 'SEEN-1' });
    expect((await call('listProducts', { sku: 'SEEN-1' })).value.data).toEqual([body]);
    await shop.patch(`/products/${body.id}`, admin, { name: 'Cup' });
    expect((await call('listProducts', { sku: 'SEEN-1' })).value.data[0].name).toBe('Cup');
  });
});
