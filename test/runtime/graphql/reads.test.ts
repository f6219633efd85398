import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, customer, type Json, Shop, stranger } from '../../support/storefront.ts';

const UNKNOWN = '01941f29-7c00-7a10-8c57-00000000ffff';

describe.each(databases)('reading over GraphQL on $name', (database) => {
  let shop: Shop;
  let mug: Json;
  let order: Json;

  beforeAll(async () => {
    shop = await Shop.open(database);
    for (const caller of [customer, stranger]) await shop.user(caller);
    mug = await shop.product({ name: 'Mug', price: 1999, tags: ['kitchen', 'blue'], taxRate: '0.19' });
    for (const price of [100, 200, 300]) await shop.product({ name: `Cup ${price}`, price });
    order = await shop.order();
    await shop.item(order.id, mug.id, 2);
    await shop.review(mug.id, customer, { rating: 5 });
    await shop.review(mug.id, stranger, { rating: 2 });
  });
  afterAll(() => shop.close());

  it('answers a resource as REST does', async () => {
    const { status, data, errors } = await shop.graphql(
      `query($id: ID!) { product(id: $id) {
        id version createdAt updatedAt sku name description price currency taxRate stock tags status imageUrl unitsSold
        delivery { ... on PhysicalDelivery { kind weightGrams } ... on DigitalDelivery { kind downloadUrl } }
      } }`,
      { id: mug.id },
    );
    expect(errors).toBeUndefined();
    expect(status).toBe(200);
    expect(data.product).toEqual((await shop.get(`/products/${mug.id}`)).body);
  });

  it('resolves the types of a union', async () => {
    const { data } = await shop.graphql('query($id: ID!) { product(id: $id) { delivery { __typename } } }', {
      id: mug.id,
    });
    expect(data.product.delivery.__typename).toBe('PhysicalDelivery');
  });

  it('answers null and the code of REST for a resource that does not exist', async () => {
    const { status, data, errors } = await shop.graphql('query($id: ID!) { a: product(id: $id) { id } }', {
      id: UNKNOWN,
    });
    expect(status).toBe(200);
    expect(data).toEqual({ a: null });
    expect(errors).toMatchObject([{ path: ['a'], extensions: { code: 'NOT_FOUND', status: 404 } }]);
  });

  it('names the argument that is not an id', async () => {
    const { data, errors } = await shop.graphql('{ product(id: "x") { id } }');
    expect(data).toEqual({ product: null });
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ argument: 'id' }] } }]);
  });

  it('answers the other fields when one fails', async () => {
    const { data, errors } = await shop.graphql(
      'query($id: ID!) { fine: product(id: $id) { name } bad: product(id: "x") { name } }',
      { id: mug.id },
    );
    expect(data).toEqual({ fine: { name: 'Mug' }, bad: null });
    expect(errors).toHaveLength(1);
  });

  describe('a connection', () => {
    const list = (args: string, fields = 'nodes { name price }', as = customer) =>
      shop.graphql(`{ products${args} { ${fields} } }`, {}, as);

    it('filters and sorts as the REST list does', async () => {
      const { data } = await list('(filter: { price: { gte: 200, lt: 1999 } }, sort: [PRICE_DESC])');
      expect(data.products.nodes.map(({ price }: Json) => price)).toEqual([300, 200]);
      const { data: named } = await list('(filter: { name: { contains: "mug" }, status: [ACTIVE, DRAFT] })');
      expect(named.products.nodes).toEqual([{ name: 'Mug', price: 1999 }]);
    });

    it('takes null for an argument as none', async () => {
      const { data, errors } = await list('(filter: null, first: null, after: null, sort: null)');
      expect(errors).toBeUndefined();
      expect(data.products.nodes).toHaveLength(4);
    });

    it('pages through, either by the cursor of an edge or of the page', async () => {
      const page = 'edges { cursor node { price } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
      const first = (await list('(first: 3, sort: [PRICE_ASC])', page)).data.products;
      expect(first.edges.map(({ node }: Json) => node.price)).toEqual([100, 200, 300]);
      expect(first.pageInfo).toEqual({
        hasNextPage: true,
        hasPreviousPage: false,
        startCursor: first.edges[0].cursor,
        endCursor: first.edges[2].cursor,
      });
      const behind = async (cursor: string) =>
        (await list(`(first: 3, sort: [PRICE_ASC], after: "${cursor}")`, page)).data.products;
      const second = await behind(first.pageInfo.endCursor);
      expect(second.edges.map(({ node }: Json) => node.price)).toEqual([1999]);
      expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
      expect((await behind(first.edges[0].cursor)).edges.map(({ node }: Json) => node.price)).toEqual([200, 300, 1999]);
    });

    it('takes the cursor of the REST list, and the other way round', async () => {
      const rest = (await shop.get('/products?limit=2&sort=price')).body;
      const { data } = await list(
        `(sort: [PRICE_ASC], after: "${rest.page.nextCursor}")`,
        'nodes { price } pageInfo { startCursor }',
      );
      expect(data.products.nodes.map(({ price }: Json) => price)).toEqual([300, 1999]);
      const next = await shop.get(`/products?sort=price&cursor=${data.products.pageInfo.startCursor}`);
      expect(next.body.data.map(({ price }: Json) => price)).toEqual([1999]);
    });

    it('counts when it is asked to', async () => {
      const { data } = await list('(first: 1, filter: { price: { lt: 1000 } })', 'totalCount nodes { id }');
      expect(data.products).toMatchObject({ totalCount: 3, nodes: [{}] });
    });

    it.each([
      ['(first: 0)', 'first'],
      ['(first: 101)', 'first'],
      ['(after: "zzz")', 'after'],
      ['(filter: { status: [] })', 'filter.status'],
      ['(filter: { sku: null })', 'filter.sku'],
      ['(filter: { status: null })', 'filter.status'],
      ['(filter: { price: null })', 'filter.price'],
      ['(filter: { price: { gte: null, lte: 100 } })', 'filter.price.gte'],
      ['(filter: { name: { contains: "" } })', 'filter.name.contains'],
      ['(sort: [PRICE_ASC, PRICE_ASC])', 'sort'],
    ])('%s is refused at its argument', async (args, argument) => {
      const { data, errors } = await list(args);
      expect(data).toBeNull();
      const code = argument === 'after' ? 'INVALID_CURSOR' : 'VALIDATION_FAILED';
      expect(errors).toMatchObject([{ path: ['products'], extensions: { code, status: 400, errors: [{ argument }] } }]);
    });
  });

  describe('what is nested', () => {
    it('is reached from both sides', async () => {
      const { data, errors } = await shop.graphql(
        `query($id: ID!) { order(id: $id) {
          total user { name orders { nodes { id } } }
          items { totalCount nodes { quantity product { name reviews(sort: [RATING_DESC]) { nodes { rating } } } } }
        } }`,
        { id: order.id },
        customer,
      );
      expect(errors).toBeUndefined();
      expect(data.order).toEqual({
        total: 3998,
        user: { name: 'Ada Lovelace', orders: { nodes: [{ id: order.id }] } },
        items: {
          totalCount: 1,
          nodes: [{ quantity: 2, product: { name: 'Mug', reviews: { nodes: [{ rating: 5 }, { rating: 2 }] } } }],
        },
      });
    });

    it('is null where the caller may not look, and the rest stays', async () => {
      const query = 'query($id: ID!) { product(id: $id) { reviews { nodes { rating user { name } } } } }';
      const { data, errors } = await shop.graphql(query, { id: mug.id }, customer);
      const [theirs, own] = data.product.reviews.nodes;
      expect([theirs, own]).toEqual([
        { rating: 2, user: null },
        { rating: 5, user: { name: 'Ada Lovelace' } },
      ]);
      expect(errors).toMatchObject([
        { path: ['product', 'reviews', 'nodes', 0, 'user'], extensions: { code: 'NOT_FOUND', status: 404 } },
      ]);
      const anonymous = await shop.graphql(query, { id: mug.id });
      expect(anonymous.data.product.reviews.nodes).toEqual([
        { rating: 2, user: null },
        { rating: 5, user: null },
      ]);
      expect(anonymous.errors?.map(({ extensions }) => extensions.code)).toEqual([
        'UNAUTHENTICATED',
        'UNAUTHENTICATED',
      ]);
    });

    it('takes a custom field for all parents at once', async () => {
      const { data, errors } = await shop.graphql(
        '{ products(sort: [PRICE_DESC], first: 2) { nodes { name ratingSummary { count average } } } }',
      );
      expect(errors).toBeUndefined();
      expect(data.products.nodes).toEqual([
        { name: 'Mug', ratingSummary: { count: 2, average: 3.5 } },
        { name: 'Cup 300', ratingSummary: { count: 0, average: null } },
      ]);
    });
  });

  describe('access', () => {
    it('asks for a token where REST does', async () => {
      const { data, errors } = await shop.graphql('{ orders { nodes { id } } }');
      expect(data).toBeNull();
      expect(errors).toMatchObject([{ path: ['orders'], extensions: { code: 'UNAUTHENTICATED', status: 401 } }]);
    });

    it("hides others' rows", async () => {
      const query = 'query($id: ID!) { order(id: $id) { id } orders { nodes { id } } }';
      const { data, errors } = await shop.graphql(query, { id: order.id }, stranger);
      expect(data).toEqual({ order: null, orders: { nodes: [] } });
      expect(errors).toMatchObject([{ path: ['order'], extensions: { code: 'NOT_FOUND' } }]);
      expect((await shop.graphql(query, { id: order.id }, admin)).data.order).toEqual({ id: order.id });
    });
  });
});
