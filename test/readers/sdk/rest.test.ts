import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AlreadyExistsError,
  type Client,
  ConnectionError,
  createClient,
  ForbiddenError,
  getRatingSummary,
  IllegalTransitionError,
  isErrorCode,
  NotFoundError,
  OutOfStockError,
  orders,
  PreconditionFailedError,
  type Product,
  type ProductInput,
  products,
  UnauthenticatedError,
  UnexpectedAnswerError,
  users,
  ValidationFailedError,
} from '../../../generated/sdk/index.js';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Caller, customer, Shop, stranger } from '../../support/storefront.ts';
import { all } from './support.ts';

let made = 0;
const input = (values: Partial<ProductInput> = {}): ProductInput => {
  made += 1;
  const delivery = { kind: 'PHYSICAL', weightGrams: 410 } as const;
  return { sku: `SDK-${made}`, name: 'Blue mug', price: 1999, currency: 'EUR', stock: 10, delivery, ...values };
};

describe.each(databases)('the client, on $name,', (database) => {
  let shop: Shop;
  let baseUrl = '';
  let staff: Client;
  let shopper: Client;
  let nobody: Client;
  const sent: Request[] = [];

  const clientOf = async (caller: Caller | undefined): Promise<Client> => {
    const token = caller && (await tokenOf({ sub: caller.subject, scope: caller.scope }));
    return createClient({
      baseUrl,
      ...(token && { token }),
      fetch: (request) => {
        sent.push(request.clone());
        return fetch(request);
      },
    });
  };
  const active = async (values: Partial<ProductInput> = {}): Promise<Product> =>
    products.update(staff, await products.create(staff, input(values)), { status: 'ACTIVE' });

  beforeAll(async () => {
    shop = await Shop.open(database);
    baseUrl = `http://127.0.0.1:${await shop.listen()}/v1`;
    [staff, shopper, nobody] = await Promise.all([clientOf(admin), clientOf(customer), clientOf(undefined)]);
    await users.create(shopper, { email: 'ada@example.com', name: 'Ada Lovelace' });
  });
  afterAll(() => shop.close());

  it('creates, reads, changes, replaces and deletes', async () => {
    const { id, version } = await products.create(staff, input({ description: 'Blue.' }));
    expect(version).toBe(1);
    const read = await products.get(nobody, id);
    const changed = await products.update(staff, read, { price: 1500 });
    expect(changed).toMatchObject({ price: 1500, version: 2, description: 'Blue.' });
    const { sku, delivery } = read;
    const replaced = await products.replace(staff, changed, input({ sku, delivery, name: 'Red mug' }));
    expect(replaced).toMatchObject({ name: 'Red mug', version: 3, description: null });
    await products.delete(staff, replaced);
    await expect(products.get(nobody, id)).rejects.toBeInstanceOf(NotFoundError);
  });

  it('does the same below a parent', async () => {
    const product = await active();
    const parent = { productId: product.id };
    const review = await products.reviews.create(shopper, parent, { rating: 4, title: 'Fine' });
    expect(await products.reviews.get(nobody, review)).toEqual(review);
    const changed = await products.reviews.update(shopper, review, { rating: 5 });
    expect((await products.reviews.replace(shopper, changed, { rating: 3, title: 'Hm' })).version).toBe(3);
    const entries = await all(products.reviews.list(nobody, parent, { sort: ['-rating'] }));
    expect(entries.map(({ rating }) => rating)).toEqual([3]);
    await products.reviews.delete(shopper, { ...parent, id: review.id });
    expect((await products.reviews.list(nobody, parent).page()).data).toEqual([]);
  });

  it('runs a custom operation', async () => {
    const { id } = await active();
    await products.reviews.create(shopper, { productId: id }, { rating: 4, title: 'Fine' });
    expect(await getRatingSummary(nobody, { path: { productId: id } })).toMatchObject({ count: 1, average: 4 });
  });

  it('reads a list to its end, page by page, as it is asked for', async () => {
    for (const price of [3, 1, 2, 5, 4]) await products.create(staff, input({ price, currency: 'CHF' }));
    const query = { currency: ['CHF'], sort: ['price'], limit: 2 } as const;
    const list = products.list(nobody, { ...query, currency: ['CHF'], sort: ['price'] });
    const prices: number[] = [];
    for await (const { price } of list) prices.push(price);
    expect(prices).toEqual([1, 2, 3, 4, 5]);
    const sizes: number[] = [];
    for await (const { data } of list.pages()) sizes.push(data.length);
    expect(sizes).toEqual([2, 2, 1]);
    const before = sent.length;
    for await (const { price } of list) if (price === 2) break;
    expect(sent.length - before).toBe(1);
  });

  it('writes filters as the contract has them', async () => {
    await products.create(staff, input({ name: 'Odd & even, 100 %', price: 77 }));
    const { data, page } = await products
      .list(nobody, {
        name: { contains: 'odd & even, 100 %' },
        price: { gte: 77, lt: 78 },
        status: ['DRAFT', 'ACTIVE'],
        count: true,
      })
      .page();
    expect([data.length, page.totalCount]).toEqual([1, 1]);
  });

  it('changes the version that was read, and no other', async () => {
    const read = await products.create(staff, input());
    await products.update(staff, read, { price: 1 });
    const failure = await products.update(staff, read, { price: 2 }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PreconditionFailedError);
    expect(failure).toMatchObject({ code: 'PRECONDITION_FAILED', status: 412, response: { status: 412 } });
    await expect(products.delete(staff, read)).rejects.toBeInstanceOf(PreconditionFailedError);
    expect((await products.update(staff, read.id, { price: 3 })).price).toBe(3);
    expect((await products.update(staff, read, { price: 4 }, { ifVersion: false })).price).toBe(4);
  });

  it('makes a change that others get in the way of', async () => {
    const { id } = await products.create(staff, input({ stock: 0 }));
    const add = () => products.change(staff, id, ({ stock }) => ({ stock: stock + 1 }));
    await Promise.all([add(), add(), add()]);
    expect((await products.get(nobody, id)).stock).toBe(3);
    expect((await products.change(staff, id, () => undefined)).version).toBe(4);
  });

  it('gives every creation a key of its own, or the caller’s', async () => {
    const body = input();
    const [first, second] = [
      await products.create(staff, body, { idempotencyKey: `mine-${body.sku}` }),
      await products.create(staff, body, { idempotencyKey: `mine-${body.sku}` }),
    ];
    expect(second).toEqual(first);
    await products.create(staff, input());
    await products.create(staff, input());
    const keys = sent.slice(-2).map(({ headers }) => headers.get('Idempotency-Key'));
    expect(keys).toEqual([expect.stringMatching(/^[\da-f-]{36}$/), expect.stringMatching(/^[\da-f-]{36}$/)]);
    expect(keys[0]).not.toBe(keys[1]);
  });

  it('throws the class of each code, with what the server said', async () => {
    const invalid = await products.create(staff, input({ price: -1, name: '' })).catch((error: unknown) => error);
    expect(invalid).toBeInstanceOf(ValidationFailedError);
    const { errors, requestId, title, name } = invalid as ValidationFailedError;
    expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/name', '/price']);
    expect([title, name]).toEqual(['Validation failed', 'ValidationFailedError']);
    expect(requestId).toMatch(/^[\da-f]{32}$/);
    const { sku } = await products.create(staff, input());
    await expect(products.create(staff, input({ sku }))).rejects.toBeInstanceOf(AlreadyExistsError);
    await expect(products.create(nobody, input())).rejects.toBeInstanceOf(UnauthenticatedError);
    await expect(products.create(shopper, input())).rejects.toBeInstanceOf(ForbiddenError);
    const order = await orders.create(shopper, {});
    await expect(orders.update(shopper, order, { status: 'DELIVERED' })).rejects.toBeInstanceOf(IllegalTransitionError);
    const { id } = await active({ stock: 1 });
    const tooMany = orders.items.create(shopper, { orderId: order.id }, { productId: id, quantity: 2 });
    await expect(tooMany).rejects.toSatisfy((error) => error instanceof OutOfStockError && error.retryable);
    await expect(orders.get(await clientOf(stranger), order.id)).rejects.toSatisfy((error) =>
      isErrorCode(error, 'NOT_FOUND'),
    );
  });

  it('tells a connection that is not there from an answer that is not the API’s', async () => {
    const away = createClient({ baseUrl: 'http://127.0.0.1:9/v1', retry: { maxRetries: 0 } });
    await expect(products.get(away, 'x')).rejects.toSatisfy(
      (error) =>
        error instanceof ConnectionError && error.message === 'GET http://127.0.0.1:9/v1/products/x got no answer',
    );
    for (const [status, body] of [
      [200, '<html>'],
      [404, '<html>'],
      [500, '{"a":1}'],
    ] as const) {
      const proxy = createClient({ baseUrl, fetch: async () => new Response(body, { status }) });
      await expect(products.get(proxy, 'x')).rejects.toBeInstanceOf(UnexpectedAnswerError);
    }
  });

  it('gives the response beside the data', async () => {
    const created = await products.create(staff, input()).withResponse();
    const { id } = created.data;
    expect(created.response.status).toBe(201);
    expect(new URL(created.response.headers.get('Location')!, baseUrl).pathname).toBe(`/v1/products/${id}`);
    const updated = await products.update(staff, created.data, { price: 7 }).withResponse();
    expect([updated.data.price, updated.response.headers.get('ETag')]).toEqual([7, expect.stringMatching(/^"2\./)]);
    const { data, response } = await products.list(nobody, { limit: 1 }).page().withResponse();
    expect([data.data.length, response.headers.get('ETag')]).toEqual([1, expect.any(String)]);
    const summary = await getRatingSummary(nobody, { path: { productId: id } }).withResponse();
    expect([summary.data.count, summary.response.status]).toEqual([0, 200]);
    const removed = await products.delete(staff, id).withResponse();
    expect([removed.data, removed.response.status]).toEqual([undefined, 204]);
    await expect(products.get(nobody, id).withResponse()).rejects.toBeInstanceOf(NotFoundError);
  });

  it('reads only what has changed', async () => {
    const { id } = await products.create(staff, input());
    const first = await products.get(nobody, id).withResponse();
    const ifNoneMatch = first.response.headers.get('ETag')!;
    const again = await products.get(nobody, id, { ifNoneMatch }).withResponse();
    expect(again).toMatchObject({ data: undefined, notModified: true, response: { status: 304 } });
    expect(await products.get(nobody, id, { ifNoneMatch })).toBeUndefined();
    await products.update(staff, id, { price: 8 });
    const changed = await products.get(nobody, id, { ifNoneMatch }).withResponse();
    expect(changed.notModified ? 0 : changed.data.price).toBe(8);
    // Without the option a 304 is not an answer that the caller can have asked for.
    const asked = products.get(nobody, id, { headers: { 'If-None-Match': changed.response.headers.get('ETag')! } });
    await expect(asked).rejects.toBeInstanceOf(UnexpectedAnswerError);
  });

  it('ends a call with its signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(products.get(nobody, 'x', { signal })).rejects.toThrow('enough');
  });

  it('opens every path of the API without conveniences', async () => {
    const { data, response } = await nobody.rest.GET('/products', {
      params: { query: { limit: 1, status: ['ACTIVE', 'DRAFT'] } },
    });
    expect([response.status, data?.data.length]).toEqual([200, 1]);
    const { error } = await nobody.rest.GET('/products/{productId}', { params: { path: { productId: 'x' } } });
    expect(error?.code).toBe('VALIDATION_FAILED');
  });

  it('asks for a token each time, and refuses an address without a host', async () => {
    const tokens = [await tokenOf({ sub: customer.subject, scope: 'orders:read' }), undefined];
    const client = createClient({ baseUrl, token: () => tokens.shift() });
    expect((await orders.list(client).page()).data.length).toBeGreaterThan(0);
    await expect(orders.list(client).page()).rejects.toBeInstanceOf(UnauthenticatedError);
    expect(() => createClient()).toThrow('baseUrl: "/v1" has no host');
  });
});
