import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { admin, customer, type Json, Shop } from '../support/storefront.ts';

const MISSING = '01941f29-7c00-7a10-8c57-0000000000ff';
const DOCUMENT =
  'mutation ($mode: BatchMode, $items: [ProductBatchItem!]!) { batchProducts(mode: $mode, items: $items) { results { status product { sku stock } } } }';

let count = 0;
const productInput = (values: object = {}) => ({
  sku: `BATCH-${++count}`,
  name: 'Mug',
  price: 1,
  currency: 'EUR',
  delivery: { kind: 'PHYSICAL', weightGrams: 1 },
  ...values,
});

/** GraphQL names the variant of a delivery by its field. */
const inGraphql = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(inGraphql);
  if (typeof value !== 'object' || value === null) return value;
  if (value.kind === 'PHYSICAL') return { physical: { weightGrams: value.weightGrams } };
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inGraphql(one)]));
};

describe.each(databases)('batches of products, on $name,', (database) => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open(database);
    await shop.user(customer);
  });
  afterAll(() => shop.close());

  const rest = async (items: readonly Json[], headers = {}): Promise<Json> =>
    (await shop.request('POST', '/products/batch', admin, { items }, headers)).body;
  const graphql = (items: readonly Json[], mode = 'ATOMIC', headers = {}) =>
    shop.graphql(DOCUMENT, { mode, items: inGraphql(items) }, admin, headers);
  const codeOf = async (items: readonly Json[], headers = {}): Promise<unknown> =>
    (await graphql(items, 'ATOMIC', headers)).errors?.[0]?.extensions.code;

  it.each<[code: string, make: (shop: Shop) => Promise<Json>]>([
    ['ALREADY_EXISTS', async ({ product }) => ({ create: { input: productInput({ sku: (await product()).sku }) } })],
    ['ILLEGAL_TRANSITION', async () => ({ create: { input: productInput({ status: 'ARCHIVED' }) } })],
    ['IMMUTABLE_PROPERTY', async ({ product }) => ({ replace: { id: (await product()).id, input: productInput() } })],
    [
      'STILL_REFERENCED',
      async (of) => {
        const [order, product] = [await of.order(), await of.product()];
        await of.item(order.id, product.id, 1);
        return { delete: { key: { sku: product.sku } } };
      },
    ],
    ['NOT_FOUND', async () => ({ delete: { id: MISSING } })],
    [
      'PRECONDITION_FAILED',
      async ({ product }) => ({ update: { id: (await product()).id, input: {}, ifVersion: 99 } }),
    ],
  ])('are refused with %s over both protocols, and leave nothing', async (code, make) => {
    const bound = new Proxy(shop, {
      get: (of, name) => {
        const value = Reflect.get(of, name);
        return typeof value === 'function' ? value.bind(of) : value;
      },
    });
    const first = productInput();
    expect((await rest([{ create: { input: first } }, await make(bound)])).code).toBe(code);
    expect(await codeOf([{ create: { input: first } }, await make(bound)])).toBe(code);
    expect((await shop.get(`/products?sku=${first.sku}`)).body.data).toEqual([]);
  });

  it('are repeated under a key, and refused for other items or while the first runs', async () => {
    const key = () => ({ 'idempotency-key': `batch-${database.name}-${++count}` });
    const [once, running] = [key(), key()];
    const items = [{ upsert: { key: { sku: 'ONCE' }, create: productInput({ sku: 'ONCE' }) } }];
    expect((await graphql(items, 'ATOMIC', once)).data.batchProducts.results).toMatchObject([{ status: 201 }]);
    expect((await graphql(items, 'ATOMIC', once)).data.batchProducts.results).toMatchObject([{ status: 201 }]);
    expect(await codeOf([{ create: { input: productInput() } }], once)).toBe('IDEMPOTENCY_KEY_REUSED');
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { transaction } = shop.store;
    shop.store.transaction = async (...parts) => {
      begun.resolve();
      await held.promise;
      return (await transaction.apply(shop.store, parts)) as never;
    };
    const first = codeOf([{ create: { input: productInput() } }], running);
    await begun.promise;
    shop.store.transaction = transaction;
    expect(await codeOf([{ create: { input: productInput() } }], running)).toBe('CONFLICT');
    held.resolve();
    expect(await first).toBeUndefined();
  });

  it('are of one time, in the order of the items', async () => {
    const skus = [productInput(), productInput(), productInput()];
    const results = (await graphql(skus.map((input) => ({ create: { input } })))).data.batchProducts.results;
    expect(results.map(({ product }: Json) => product.sku)).toEqual(skus.map(({ sku }) => sku));
    const { data } = (await shop.get('/products?sort=-createdAt&limit=100')).body;
    const made = data.filter(({ sku }: Json) => skus.some((one) => one.sku === sku));
    expect(new Set(made.map(({ createdAt }: Json) => createdAt)).size).toBe(1);
  });
});
