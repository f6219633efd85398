import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { watchReads } from '../../support/reads.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, customer, type Json, Shop, stranger } from '../../support/storefront.ts';

describe.each(databases)('nested fields on $name', (database) => {
  let shop: Shop;
  let reads: string[];
  let url = '';

  beforeAll(async () => {
    shop = await Shop.open(database);
    for (const caller of [customer, stranger]) await shop.user(caller);
    for (let i = 0; i < 12; i++) {
      const { id } = await shop.product({ name: `Mug ${i}` });
      await shop.review(id, customer, { rating: 1 + (i % 5) });
      await shop.review(id, stranger, { rating: 5 - (i % 5) });
    }
    url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    reads = watchReads(shop.store);
  });
  afterAll(() => shop.close());

  const read = async (query: string, as = admin): Promise<{ data: Json; statements: string[] }> => {
    reads.length = 0;
    const { data, errors } = await shop.graphql(query, {}, as);
    expect(errors).toBeUndefined();
    return { data, statements: [...reads] };
  };

  const NESTED = `{
    products(first: 5) { nodes { name reviews(first: 2) { totalCount nodes { rating user { name orders { nodes { id } } } product { sku } } } } }
  }`;
  const STATEMENTS = [
    'list products',
    'listEach products.reviews',
    'countEach products.reviews',
    'getEach users',
    'getEach products',
    'listEach orders',
  ];

  it('cost one statement for each level and field, however many rows there are', async () => {
    const five = await read(NESTED);
    expect(five.statements.toSorted()).toEqual(STATEMENTS.toSorted());
    const ten = await read(NESTED.replace('first: 5', 'first: 10'));
    expect(ten.data.products.nodes).toHaveLength(10);
    expect(ten.data.products.nodes[9].reviews.nodes[1].user.name).toBe('Ada Lovelace');
    expect(ten.statements.toSorted()).toEqual(STATEMENTS.toSorted());
  });

  it('cost as much over WebSocket', async () => {
    const authorization = `Bearer ${await tokenOf({ sub: admin.subject, scope: admin.scope })}`;
    const client = createClient({
      url,
      webSocketImpl: WebSocket,
      connectionParams: { authorization },
      retryAttempts: 0,
    });
    await client.iterate({ query: '{ __typename }' }).next();
    reads.length = 0;
    const { value } = await client.iterate({ query: NESTED }).next();
    expect((value as Json).errors).toBeUndefined();
    expect(reads.toSorted()).toEqual(STATEMENTS.toSorted());
    await client.dispose();
  });

  it('cost a statement for each alias with arguments of its own', async () => {
    const { statements, data } = await read(
      '{ products(first: 3) { nodes { best: reviews(first: 1, sort: [RATING_DESC]) { nodes { rating } } worst: reviews(first: 1, sort: [RATING_ASC]) { nodes { rating } } } } }',
    );
    expect(statements.toSorted()).toEqual(['list products', 'listEach products.reviews', 'listEach products.reviews']);
    for (const { best, worst } of data.products.nodes)
      expect(best.nodes[0].rating).toBeGreaterThanOrEqual(worst.nodes[0].rating);
  });

  it('cost what its code asks for, once for all parents, for a custom field', async () => {
    const { statements } = await read('{ products(first: 8) { nodes { ratingSummary { count } } } }');
    // The operation does not know that its products were read.
    expect(statements).toEqual(['list products', 'list products', 'totals products.reviews']);
  });

  it('page each parent by itself, as REST pages it', async () => {
    const { data } = await read(
      '{ products(first: 4) { nodes { id reviews(first: 1) { nodes { id } pageInfo { hasNextPage endCursor } } } } }',
    );
    for (const { id, reviews } of data.products.nodes) {
      const rest = (await shop.get(`/products/${id}/reviews?limit=1`)).body;
      expect(reviews.nodes).toEqual([{ id: rest.data[0].id }]);
      expect(reviews.pageInfo).toEqual({ hasNextPage: true, endCursor: rest.page.nextCursor });
      const next = await read(
        `{ product(id: "${id}") { reviews(first: 1, after: "${rest.page.nextCursor}") { nodes { id } pageInfo { hasNextPage hasPreviousPage } } } }`,
      );
      const second = (await shop.get(`/products/${id}/reviews?limit=1&cursor=${rest.page.nextCursor}`)).body;
      expect(next.data.product.reviews.nodes).toEqual([{ id: second.data[0].id }]);
      expect(next.data.product.reviews.pageInfo).toEqual({ hasNextPage: false, hasPreviousPage: true });
    }
  });

  it('give the cursor of one parent to no other', async () => {
    const [first, second] = (await shop.get('/products?limit=2')).body.data;
    const cursor = (await shop.get(`/products/${first.id}/reviews?limit=1`)).body.page.nextCursor;
    const { data, errors } = await shop.graphql(
      `{ product(id: "${second.id}") { name reviews(after: "${cursor}") { nodes { id } } } }`,
    );
    expect(data).toEqual({ product: null });
    expect(errors).toMatchObject([
      { path: ['product', 'reviews'], extensions: { code: 'INVALID_CURSOR', errors: [{ argument: 'after' }] } },
    ]);
  });
});
