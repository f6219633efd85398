import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { admin, type Caller, customer, type Json, Shop, stranger } from '../support/storefront.ts';
import { argumentsIn, callOf, codeOfCall } from '../support/tools.ts';

const MISSING = '01941f29-7c00-7a10-8c57-0000000000ff';

/** A write as each protocol says it. */
interface Write {
  readonly action: 'create' | 'replace' | 'update' | 'delete';
  /** Name of the type. */
  readonly type: 'User' | 'Product' | 'Review' | 'Order' | 'OrderItem';
  /** Path below the base path. */
  readonly path: string;
  /** Arguments beside the input: ids of what it belongs to, and its own. */
  readonly ids: Readonly<Record<string, string>>;
  readonly input?: Json;
  readonly as?: Caller;
}

const METHODS = { create: 'POST', replace: 'PUT', update: 'PATCH', delete: 'DELETE' } as const;
let count = 0;
const fresh = (): number => {
  count += 1;
  return count;
};
const productInput = (values: object = {}) => ({
  sku: `RULE-${fresh()}`,
  name: 'Mug',
  price: 1,
  currency: 'EUR',
  stock: 5,
  delivery: { kind: 'PHYSICAL', weightGrams: 1 },
  ...values,
});
/** GraphQL names the variant of a delivery by its field. */
const inGraphql = ({ delivery, ...rest }: Json): Json => ({
  ...rest,
  ...(delivery && { delivery: { physical: { weightGrams: 1 } } }),
});

async function send(
  shop: Shop,
  { action, path, as = admin, input }: Write,
  headers: Record<string, string> = {},
): Promise<string> {
  const { status, body } = await shop.request(METHODS[action], path, as, input, headers);
  return body?.code ?? String(status);
}

async function ask(
  shop: Shop,
  { action, type, ids, input, as = admin }: Write,
  headers: Record<string, string> = {},
): Promise<string> {
  const given = Object.entries(ids).map(([name, id]) => `${name}: "${id}"`);
  const kind = action === 'update' ? 'Patch' : 'Input';
  const head = input ? `($input: ${type}${kind}!)` : '';
  const args = [...given, ...(input ? ['input: $input'] : [])].join(', ');
  const text = `mutation${head} { ${action}${type}(${args})${action === 'delete' ? '' : ' { id }'} }`;
  const { errors, data } = await shop.graphql(text, input ? { input: inGraphql(input) } : {}, as, headers);
  return errors?.[0]?.extensions.code ?? (data ? 'OK' : 'nothing');
}

/** By its tool; undefined: it is not offered. */
async function call(shop: Shop, operationId: string, { path, input, as = admin }: Write): Promise<string | undefined> {
  const args = argumentsIn(shop.service, operationId, path);
  if (!args) return undefined;
  const body = callOf(operationId, { ...args, ...(input && { input }) });
  return codeOfCall(await shop.service.request('POST', '/mcp', { body, as: { sub: as.subject, scope: as.scope } }));
}

/** What each rule refuses: a code, and a write that it makes of a shop. */
const RULES: readonly (readonly [code: string, what: string, make: (shop: Shop) => Promise<Write>])[] = [
  [
    'ALREADY_EXISTS',
    'createUser',
    async (shop) => {
      const { email } = await user(shop);
      return { action: 'create', type: 'User', path: '/users', ids: {}, input: { email, name: 'Ada' } };
    },
  ],
  [
    'ALREADY_EXISTS',
    'replaceUser',
    async (shop) => {
      const [{ email }, { id }] = [await user(shop), await user(shop)];
      return { action: 'replace', type: 'User', path: `/users/${id}`, ids: { id }, input: { email, name: 'Ada' } };
    },
  ],
  [
    'ALREADY_EXISTS',
    'updateUser',
    async (shop) => {
      const [{ email }, { id }] = [await user(shop), await user(shop)];
      return { action: 'update', type: 'User', path: `/users/${id}`, ids: { id }, input: { email } };
    },
  ],
  [
    'ALREADY_EXISTS',
    'createProduct',
    async (shop) => {
      const { sku } = await shop.product();
      return { action: 'create', type: 'Product', path: '/products', ids: {}, input: productInput({ sku }) };
    },
  ],
  [
    'ALREADY_EXISTS',
    'createReview',
    async (shop) => {
      const { id: productId } = await shop.product();
      await shop.review(productId, customer);
      return {
        action: 'create',
        type: 'Review',
        path: `/products/${productId}/reviews`,
        ids: { productId },
        input: { rating: 1, title: 'Again' },
        as: customer,
      };
    },
  ],
  [
    'REFERENCE_NOT_FOUND',
    'createUser',
    async () => ({
      action: 'create',
      type: 'User',
      path: '/users',
      ids: {},
      input: { email: `${fresh()}@example.com`, name: 'Ada', favouriteProductId: MISSING },
    }),
  ],
  [
    'REFERENCE_NOT_FOUND',
    'replaceUser',
    async (shop) => {
      const { id } = await user(shop);
      return {
        action: 'replace',
        type: 'User',
        path: `/users/${id}`,
        ids: { id },
        input: { email: `${fresh()}@example.com`, name: 'Ada', favouriteProductId: MISSING },
      };
    },
  ],
  [
    'REFERENCE_NOT_FOUND',
    'updateUser',
    async (shop) => {
      const { id } = await user(shop);
      return {
        action: 'update',
        type: 'User',
        path: `/users/${id}`,
        ids: { id },
        input: { favouriteProductId: MISSING },
      };
    },
  ],
  [
    'REFERENCE_NOT_FOUND',
    'createReview',
    async (shop) => {
      const { id: productId } = await shop.product();
      return {
        action: 'create',
        type: 'Review',
        path: `/products/${productId}/reviews`,
        ids: { productId },
        input: { rating: 1, title: 'Fine', userId: MISSING },
      };
    },
  ],
  [
    'REFERENCE_NOT_FOUND',
    'createOrder',
    async () => ({ action: 'create', type: 'Order', path: '/orders', ids: {}, input: { userId: MISSING } }),
  ],
  [
    'REFERENCE_NOT_FOUND',
    'createItem',
    async (shop) => {
      const { id: orderId } = await shop.order();
      return {
        action: 'create',
        type: 'OrderItem',
        path: `/orders/${orderId}/items`,
        ids: { orderId },
        input: { productId: MISSING, quantity: 1 },
      };
    },
  ],
  [
    'STILL_REFERENCED',
    'deleteUser',
    async () => ({ action: 'delete', type: 'User', path: `/users/${customer.subject}`, ids: { id: customer.subject } }),
  ],
  [
    'STILL_REFERENCED',
    'deleteProduct',
    async (shop) => {
      const { product } = await item(shop);
      return { action: 'delete', type: 'Product', path: `/products/${product.id}`, ids: { id: product.id } };
    },
  ],
  [
    'IMMUTABLE_PROPERTY',
    'replaceProduct',
    async (shop) => {
      const { id } = await shop.product();
      return { action: 'replace', type: 'Product', path: `/products/${id}`, ids: { id }, input: productInput() };
    },
  ],
  [
    'IMMUTABLE_PROPERTY',
    'replaceReview',
    async (shop) => {
      const { id: productId } = await shop.product();
      const { id } = await shop.review(productId, customer);
      return {
        action: 'replace',
        type: 'Review',
        path: `/products/${productId}/reviews/${id}`,
        ids: { productId, id },
        input: { rating: 1, title: 'Fine', userId: stranger.subject },
      };
    },
  ],
  [
    'IMMUTABLE_PROPERTY',
    'replaceOrder',
    async (shop) => {
      const { id } = await shop.order();
      return {
        action: 'replace',
        type: 'Order',
        path: `/orders/${id}`,
        ids: { id },
        input: { userId: stranger.subject },
      };
    },
  ],
  [
    'IMMUTABLE_PROPERTY',
    'replaceItem',
    async (shop) => {
      const { path, ids } = await item(shop);
      return {
        action: 'replace',
        type: 'OrderItem',
        path,
        ids,
        input: { productId: (await shop.product()).id, quantity: 1 },
      };
    },
  ],
  [
    'ILLEGAL_TRANSITION',
    'replaceProduct',
    async (shop) => {
      const { id, sku } = await shop.product();
      return {
        action: 'replace',
        type: 'Product',
        path: `/products/${id}`,
        ids: { id },
        input: productInput({ sku, status: 'DRAFT' }),
      };
    },
  ],
  [
    'ILLEGAL_TRANSITION',
    'updateProduct',
    async (shop) => {
      const { id } = await shop.product();
      return { action: 'update', type: 'Product', path: `/products/${id}`, ids: { id }, input: { status: 'DRAFT' } };
    },
  ],
  [
    'ILLEGAL_TRANSITION',
    'createProduct',
    async () => ({
      action: 'create',
      type: 'Product',
      path: '/products',
      ids: {},
      input: productInput({ status: 'ARCHIVED' }),
    }),
  ],
  [
    'ILLEGAL_TRANSITION',
    'createOrder',
    async () => ({
      action: 'create',
      type: 'Order',
      path: '/orders',
      ids: {},
      input: { status: 'DELIVERED', userId: customer.subject },
    }),
  ],
  [
    'ILLEGAL_TRANSITION',
    'replaceOrder',
    async (shop) => {
      const { id } = await shop.order();
      return { action: 'replace', type: 'Order', path: `/orders/${id}`, ids: { id }, input: { status: 'DELIVERED' } };
    },
  ],
  [
    'ILLEGAL_TRANSITION',
    'updateOrder',
    async (shop) => {
      const { id } = await shop.order();
      return { action: 'update', type: 'Order', path: `/orders/${id}`, ids: { id }, input: { status: 'DELIVERED' } };
    },
  ],
  [
    'ORDER_NOT_PENDING',
    'deleteOrder',
    async (shop) => {
      const { id } = await paid(shop);
      return { action: 'delete', type: 'Order', path: `/orders/${id}`, ids: { id } };
    },
  ],
  [
    'ORDER_NOT_PENDING',
    'createItem',
    async (shop) => {
      const { id: orderId } = await paid(shop);
      return {
        action: 'create',
        type: 'OrderItem',
        path: `/orders/${orderId}/items`,
        ids: { orderId },
        input: { productId: (await shop.product()).id, quantity: 1 },
      };
    },
  ],
  [
    'ORDER_NOT_PENDING',
    'replaceItem',
    async (shop) => {
      const { path, ids, product } = await item(shop, 'PAID');
      return { action: 'replace', type: 'OrderItem', path, ids, input: { productId: product.id, quantity: 2 } };
    },
  ],
  [
    'ORDER_NOT_PENDING',
    'updateItem',
    async (shop) => {
      const { path, ids } = await item(shop, 'PAID');
      return { action: 'update', type: 'OrderItem', path, ids, input: { quantity: 2 } };
    },
  ],
  [
    'ORDER_NOT_PENDING',
    'deleteItem',
    async (shop) => {
      const { path, ids } = await item(shop, 'PAID');
      return { action: 'delete', type: 'OrderItem', path, ids };
    },
  ],
  [
    'OUT_OF_STOCK',
    'createItem',
    async (shop) => {
      const { id: orderId } = await shop.order();
      return {
        action: 'create',
        type: 'OrderItem',
        path: `/orders/${orderId}/items`,
        ids: { orderId },
        input: { productId: (await shop.product()).id, quantity: 999 },
      };
    },
  ],
  [
    'OUT_OF_STOCK',
    'replaceItem',
    async (shop) => {
      const { path, ids, product } = await item(shop);
      return { action: 'replace', type: 'OrderItem', path, ids, input: { productId: product.id, quantity: 999 } };
    },
  ],
  [
    'OUT_OF_STOCK',
    'updateItem',
    async (shop) => {
      const { path, ids } = await item(shop);
      return { action: 'update', type: 'OrderItem', path, ids, input: { quantity: 999 } };
    },
  ],
  [
    'PRODUCT_NOT_ACTIVE',
    'createItem',
    async (shop) => {
      const { id: orderId } = await shop.order();
      const { body } = await shop.post('/products', admin, productInput());
      return {
        action: 'create',
        type: 'OrderItem',
        path: `/orders/${orderId}/items`,
        ids: { orderId },
        input: { productId: body.id, quantity: 1 },
      };
    },
  ],
  [
    'CURRENCY_MISMATCH',
    'createItem',
    async (shop) => {
      const { order } = await item(shop);
      const { id: productId } = await shop.product({ currency: 'CHF' });
      return {
        action: 'create',
        type: 'OrderItem',
        path: `/orders/${order.id}/items`,
        ids: { orderId: order.id },
        input: { productId, quantity: 1 },
      };
    },
  ],
];

/** A user of somebody else. */
async function user(shop: Shop): Promise<Json> {
  return (await shop.post('/users', admin, { email: `${fresh()}@example.com`, name: 'Ada' })).body;
}

async function item(shop: Shop, status = 'PENDING') {
  const [order, product] = [await shop.order(), await shop.product()];
  const { id } = await shop.item(order.id, product.id, 1);
  if (status !== 'PENDING') await shop.patch(`/orders/${order.id}`, admin, { status });
  return {
    order,
    product,
    path: `/orders/${order.id}/items/${id}`,
    ids: { orderId: order.id as string, id: id as string },
  };
}

async function paid(shop: Shop): Promise<Json> {
  const { order } = await item(shop, 'PAID');
  return order;
}

describe.each(databases)('every rule, on $name,', (database) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(database);
    await shop.user(customer);
    await shop.user(stranger);
    await shop.order();
  });
  afterAll(() => shop.close());

  it.each(RULES)('refuses with %s over every protocol: %s', async (code, what, make) => {
    expect(await send(shop, await make(shop))).toBe(code);
    expect(await ask(shop, await make(shop))).toBe(code);
    expect((await call(shop, what, await make(shop))) ?? code).toBe(code);
  });

  it('refuses with STILL_REFERENCED over both protocols: deleteOrder, which takes along too many', async () => {
    const { order, product, path } = await item(shop);
    await shop.item(order.id, product.id, 1);
    const write: Write = { action: 'delete', type: 'Order', path: `/orders/${order.id}`, ids: { id: order.id } };
    Object.assign(shop.store, { maxDependants: 1 });
    expect([await send(shop, write), await ask(shop, write)]).toEqual(['STILL_REFERENCED', 'STILL_REFERENCED']);
    await shop.delete(path, admin);
    expect(await send(shop, write)).toBe('204');
    Object.assign(shop.store, { maxDependants: undefined });
  });

  const creations: readonly (() => Promise<Write>)[] = [
    async () => ({
      action: 'create',
      type: 'User',
      path: '/users',
      ids: {},
      input: { email: `${fresh()}@example.com`, name: 'Ada' },
    }),
    async () => ({ action: 'create', type: 'Product', path: '/products', ids: {}, input: productInput() }),
    async () => {
      const { id: productId } = await shop.product();
      return {
        action: 'create',
        type: 'Review',
        path: `/products/${productId}/reviews`,
        ids: { productId },
        input: { rating: 1, title: 'Fine' },
        as: customer,
      };
    },
    async () => ({ action: 'create', type: 'Order', path: '/orders', ids: {}, input: { note: 'Gift' }, as: customer }),
    async () => {
      const [{ id: orderId }, { id: productId }] = [await shop.order(), await shop.product()];
      return {
        action: 'create',
        type: 'OrderItem',
        path: `/orders/${orderId}/items`,
        ids: { orderId },
        input: { productId, quantity: 1 },
        as: customer,
      };
    },
  ];

  it.each(creations)('keys of creations are refused for another input, and while the first runs (%#)', async (make) => {
    const write = await make();
    const key = () => ({ 'idempotency-key': `rule-${database.name}-${fresh()}` });
    const [once, running] = [key(), key()];
    expect(await ask(shop, write, once)).toBe('OK');
    const other = { ...write, input: { ...write.input, ...changed(write.type) } };
    expect(await ask(shop, other, once)).toBe('IDEMPOTENCY_KEY_REUSED');
    const again = await make();
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { transaction } = shop.store;
    shop.store.transaction = async (...parts) => {
      begun.resolve();
      await held.promise;
      return (await transaction.apply(shop.store, parts)) as never;
    };
    const first = ask(shop, again, running);
    await begun.promise;
    shop.store.transaction = transaction;
    expect(await ask(shop, again, running)).toBe('CONFLICT');
    held.resolve();
    expect(await first).toBe('OK');
  });

  it('lets pass what keeps them all', async () => {
    const { path, ids, order, product } = await item(shop);
    const { id: reviewId } = await shop.review(product.id, customer);
    const { id: userId } = await user(shop);
    const review = {
      path: `/products/${product.id}/reviews/${reviewId}`,
      ids: { productId: product.id, id: reviewId },
    };
    const writes: readonly Write[] = [
      { action: 'replace', type: 'OrderItem', path, ids, input: { productId: product.id, quantity: 2 } },
      { action: 'update', type: 'OrderItem', path, ids, input: { quantity: 1 } },
      { action: 'replace', type: 'Review', ...review, input: { rating: 1, title: 'Fine' } },
      { action: 'update', type: 'Review', ...review, input: { rating: 2 } },
      {
        action: 'replace',
        type: 'User',
        path: `/users/${userId}`,
        ids: { id: userId },
        input: { email: `${fresh()}@example.com`, name: 'Ada' },
      },
      { action: 'update', type: 'User', path: `/users/${userId}`, ids: { id: userId }, input: { name: 'Eve' } },
      { action: 'replace', type: 'Order', path: `/orders/${order.id}`, ids: { id: order.id }, input: { note: 'Gift' } },
      {
        action: 'update',
        type: 'Order',
        path: `/orders/${order.id}`,
        ids: { id: order.id },
        input: { note: 'No gift' },
      },
      {
        action: 'replace',
        type: 'Product',
        path: `/products/${product.id}`,
        ids: { id: product.id },
        input: productInput({ sku: product.sku, status: 'ACTIVE' }),
      },
      {
        action: 'update',
        type: 'Product',
        path: `/products/${product.id}`,
        ids: { id: product.id },
        input: { price: 2 },
      },
    ];
    for (const write of writes) {
      expect([write.action, write.type, await send(shop, write)]).toEqual([write.action, write.type, '200']);
      expect([write.action, write.type, await ask(shop, write)]).toEqual([write.action, write.type, 'OK']);
    }
  });

  it('deletes what nothing holds, over both protocols', async () => {
    for (const run of [send, ask]) {
      const good = run === send ? '204' : 'OK';
      const { path, ids } = await item(shop);
      expect(await run(shop, { action: 'delete', type: 'OrderItem', path, ids })).toBe(good);
      const { id: orderId } = await shop.order();
      expect(
        await run(shop, { action: 'delete', type: 'Order', path: `/orders/${orderId}`, ids: { id: orderId } }),
      ).toBe(good);
      const { id: productId } = await shop.product();
      const { id } = await shop.review(productId, customer);
      expect(
        await run(shop, {
          action: 'delete',
          type: 'Review',
          path: `/products/${productId}/reviews/${id}`,
          ids: { productId, id },
        }),
      ).toBe(good);
      expect(
        await run(shop, { action: 'delete', type: 'Product', path: `/products/${productId}`, ids: { id: productId } }),
      ).toBe(good);
      const { id: userId } = await user(shop);
      expect(await run(shop, { action: 'delete', type: 'User', path: `/users/${userId}`, ids: { id: userId } })).toBe(
        good,
      );
    }
  });
});

/** Another input than the one before, of the same kind. */
const changed = (type: Write['type']): Json =>
  ({
    User: { name: 'Eve' },
    Product: { price: 9 },
    Review: { rating: 2 },
    Order: { note: 'Other' },
    OrderItem: { quantity: 2 },
  })[type];
