import { getIntrospectionQuery } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { databases } from '../../support/databases.ts';
import { Shop } from '../../support/storefront.ts';
import { type GraphqlParameters, graphqlTransports } from '../../support/transports.ts';

const READS = ['get', 'list', 'count', 'getEach', 'listEach', 'countEach'] as const;

/** Notes whatever is read of a store. */
function watch(store: Store): string[] {
  const reads: string[] = [];
  for (const name of READS) {
    const read = store[name].bind(store) as (...args: readonly unknown[]) => unknown;
    Object.assign(store, {
      [name]: (...args: readonly unknown[]) => {
        reads.push(name);
        return read(...args);
      },
    });
  }
  return reads;
}

const times = (count: number, of: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => of(i)).join(' ');

/** Products of reviews of products: so many levels, the last a scalar. */
function deep(levels: number): string {
  const names = ['products', 'nodes', 'reviews', 'nodes', 'product', 'reviews', 'nodes', 'product', 'reviews', 'nodes'];
  const path = names
    .slice(0, levels - 1)
    .map((name) => (/s$/.test(name) && name !== 'nodes' ? `${name}(first: 1)` : name));
  return `{ ${path.join(' { ')} { __typename ${names[levels - 2] === 'nodes' ? 'id' : 'totalCount'} ${'} '.repeat(levels)}`;
}

/** The same through named fragments, one a level. */
const DEEP_FRAGMENTS = `
  fragment A on Review { product { reviews(first: 1) { nodes { ...B } } } }
  query { products(first: 1) { nodes { reviews(first: 1) { ...C } } } }
  fragment B on Review { product { reviews(first: 1) { nodes { id } } } }
  fragment C on ReviewConnection { nodes { ...A } }
`;

/** 80 fragments, each spread twice: 2^80 steps for whoever follows every spread. */
const doublingFragments = (type: string, last: string): string =>
  `${times(80, (i) => `fragment F${i} on ${type} { ...F${i + 1} ...F${i + 1} }`)} fragment F80 on ${type} { ${last} }`;

/** Fans of equal connections in fragments: 40^4 when each is weighed by itself. */
const FANS = `{ ${times(40, () => 'orders { ...A }')} }
  fragment A on OrderConnection { nodes { ${times(40, () => 'items { ...B }')} } }
  fragment B on OrderItemConnection { nodes { product { ${times(40, () => 'reviews { ...C }')} } } }
  fragment C on ReviewConnection { nodes { user { ${times(40, () => 'orders { ...D }')} } } }
  fragment D on OrderConnection { totalCount }`;

type Case = [limit: string, parameters: GraphqlParameters, message: string];

const BEYOND: Case[] = [
  ['tokens', { query: `{ ${times(1001, () => 'id')} }` }, 'The number of tokens is more than 1000; the limit is 1000.'],
  [
    'aliases',
    { query: `{ ${times(16, (i) => `a${i}: __typename`)} }` },
    'The number of aliases is 16; the limit is 15.',
  ],
  [
    'aliases in fragments',
    { query: `{ ...F } fragment F on Query { ${times(16, (i) => `a${i}: __typename`)} }` },
    'The number of aliases is 16; the limit is 15.',
  ],
  [
    'directives',
    { query: `{ __typename ${times(51, () => '@skip(if: false)')} }` },
    'The number of directives is 51; the limit is 50.',
  ],
  ['depth', { query: deep(11) }, 'The depth of the document is 11; the limit is 10.'],
  ['depth through fragments', { query: DEEP_FRAGMENTS }, 'The depth of the document is 11; the limit is 10.'],
  [
    'depth of an operation that is not asked for',
    { query: `query A { __typename } query B ${deep(11)}`, operationName: 'A' },
    'The depth of the document is 11; the limit is 10.',
  ],
  [
    'cost by literals',
    { query: '{ products(first: 50) { nodes { reviews(first: 20) { nodes { id } } } } }' },
    'The cost of the operation is 1101; the limit is 1000.',
  ],
  [
    'cost of texts under several names',
    { query: '{ products(first: 100) { nodes { reviews(first: 5) { nodes { title body a: body b: body } } } } }' },
    'The cost of the operation is 1701; the limit is 1000.',
  ],
  ['lines', { query: `{ __typename }${'\n'.repeat(1001)}` }, 'The number of lines is 1001; the limit is 1000.'],
  [
    'cost by variables',
    {
      query: 'query($n: Int, $m: Int!) { products(first: $n) { nodes { reviews(first: $m) { nodes { id } } } } }',
      variables: { n: 50, m: 20 },
    },
    'The cost of the operation is 1101; the limit is 1000.',
  ],
  [
    "cost by variables' defaults",
    { query: 'query($n: Int = 50) { products(first: $n) { nodes { reviews(first: 20) { nodes { id } } } } }' },
    'The cost of the operation is 1101; the limit is 1000.',
  ],
  [
    "cost by arguments' defaults",
    { query: '{ products { nodes { reviews { nodes { product { reviews { nodes { id } } } } } } } }' },
    'The cost of the operation is 9241; the limit is 1000.',
  ],
  [
    "cost by arguments' defaults where a variable is null",
    {
      query:
        'query($n: Int = 0) { products(first: $n) { nodes { reviews(first: $n) { nodes { product { reviews(first: $n) { nodes { id } } } } } } } }',
      variables: { n: null },
    },
    'The cost of the operation is 9241; the limit is 1000.',
  ],
  [
    'cost through aliases',
    { query: `{ ${times(11, (i) => `a${i}: products(first: 100) { nodes { id } }`)} }` },
    'The cost of the operation is 1111; the limit is 1000.',
  ],
  [
    'cost through fragments spread twice',
    {
      query: `{ a: products(first: 30) { ...P } b: products(first: 30) { ...P } }
        fragment P on ProductConnection { nodes { reviews(first: 20) { nodes { id } } } }`,
    },
    'The cost of the operation is 1322; the limit is 1000.',
  ],
  ['cost of fans of fragments', { query: FANS }, 'cost'],
];

describe.each(databases)('limits of GraphQL on $name', (database) => {
  let shop: Shop;
  let closed: Shop;
  let reads: string[];
  let port = 0;
  let closedPort = 0;

  beforeAll(async () => {
    shop = await Shop.open(database);
    await shop.product();
    closed = await Shop.open(database, { graphql: { introspection: false } });
    [port, closedPort] = await Promise.all([shop.listen(), closed.listen()]);
    reads = watch(shop.store);
  });
  beforeEach(() => {
    reads.length = 0;
  });
  afterAll(async () => {
    await shop.close();
    await closed.close();
  });

  describe.each(graphqlTransports)('over $name', ({ name, send }) => {
    it.each(BEYOND)('refuse too much: %s', async (_, parameters, message) => {
      const { status, data, errors } = await send(port, parameters);
      expect(errors).toMatchObject([
        { message: expect.stringContaining(message), extensions: { code: 'LIMIT_EXCEEDED' } },
      ]);
      expect(data).toBeUndefined();
      expect(status).toBe(name === 'WebSocket' ? undefined : 400);
      expect(reads).toEqual([]);
    });

    it.each([
      ['aliases', { query: `{ ${times(15, (i) => `a${i}: __typename`)} }` }],
      [
        'directives',
        {
          query: `{ ${times(25, () => '... @skip(if: false) { __typename @include(if: true) }')} }`,
        },
      ],
      ['depth', { query: deep(10) }],
      ['cost', { query: '{ products(first: 45) { nodes { reviews(first: 20) { nodes { id } } } } }' }],
    ])('let pass what is at the limit: %s', async (_, parameters) => {
      const { data, errors } = await send(port, parameters);
      expect(errors).toBeUndefined();
      expect(data).toBeDefined();
    });

    it.each([
      ['a resource', `{ products(first: 1) { nodes { ...F0 } } } ${doublingFragments('Product', 'id')}`],
      [
        'a connection',
        `{ products(first: 1) { nodes { id } ...F0 } } ${doublingFragments('ProductConnection', '__typename')}`,
      ],
    ])('answer at once when the fragments of %s double 80 times', async (_, query) => {
      for (let run = 0; run < 3; run++) {
        const { data, errors } = await send(port, { query });
        expect(errors).toBeUndefined();
        expect(data.products.nodes).toHaveLength(1);
      }
    });

    it.each([
      ['itself', '{ ...A } fragment A on Query { ...A }'],
      ['another', '{ ...A } fragment A on Query { ...B } fragment B on Query { __typename ...A }'],
      ['a field', '{ products { nodes { ...A } } } fragment A on Product { reviews { nodes { product { ...A } } } }'],
    ])('refuse a fragment that holds itself through %s', async (_, query) => {
      const { errors } = await send(port, { query });
      expect(errors![0]).toMatchObject({ message: expect.stringContaining('within itself') });
      expect(errors!.map(({ extensions }) => extensions.code)).toEqual(errors!.map(() => 'VALIDATION_FAILED'));
      expect(reads).toEqual([]);
    });

    it.each([1_000_000, -1, 0, 101])('find `first: %i` invalid, not expensive', async (first) => {
      const { errors } = await send(port, { query: `{ products(first: ${first}) { nodes { id } } }` });
      expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED', errors: [{ argument: 'first' }] } }]);
      expect(reads).toEqual([]);
    });

    it('accept introspection, which is deep', async () => {
      const { data, errors } = await send(port, { query: getIntrospectionQuery() });
      expect(errors).toBeUndefined();
      expect(data.__schema.types.length).toBeGreaterThan(50);
    });

    it.each([
      ['by clients', getIntrospectionQuery()],
      ['by name', '{ __type(name: "Product") { name } }'],
      ['in a fragment', '{ ...F } fragment F on Query { __schema { queryType { name } } }'],
    ])('refuse introspection %s where it is off', async (_, query) => {
      const { data, errors } = await send(closedPort, { query });
      expect(data).toBeUndefined();
      expect(errors!.map(({ extensions }) => extensions.code)).toEqual(errors!.map(() => 'VALIDATION_FAILED'));
    });

    it('know __typename where introspection is off', async () => {
      expect(await send(closedPort, { query: '{ __typename }' })).toMatchObject({ data: { __typename: 'Query' } });
    });

    it.each<GraphqlParameters>([
      { query: '{ produkts { nodes { id } } }' },
      { query: '{ products { nods { id } } }' },
      { query: '{ products(frist: 1) { nodes { id } } }' },
      { query: '{ products { nodes { ... on Produkt { id } } } }' },
      { query: '{ products(sort: [PRICE_AC]) { nodes { id } } }' },
      { query: '{ products(filter: {pric: {gt: 1}}) { nodes { id } } }' },
      { query: 'query($f: ProductFiltr) { products(filter: $f) { nodes { id } } }' },
      { query: 'query($f: ProductFilter) { products(filter: $f) { nodes { id } } }', variables: { f: { pric: {} } } },
      { query: 'query($s: [ProductSort!]) { products(sort: $s) { nodes { id } } }', variables: { s: ['PRICE_AC'] } },
      { query: '{ __typename @skp(if: true) }' },
      { query: '{ __typename @skip(fi: true) }' },
      { query: '{ ...Abd } fragment Abc on Query { __typename }' },
    ])('suggest nothing where introspection is off: %j', async (parameters) => {
      const { errors } = await send(closedPort, parameters);
      expect(errors!.length).toBeGreaterThan(0);
      expect(JSON.stringify(errors)).not.toMatch(/did you mean/i);
    });
  });

  it.each(graphqlTransports.filter(({ name }) => name !== 'GET'))(
    'refuse a document that is too long, in bytes, over $name',
    async ({ send }) => {
      const spare = (bytes: number) => ({ query: `{ __typename } #${'é'.repeat((bytes - 16) / 2)}` });
      expect(await send(port, spare(16_384))).toMatchObject({ data: { __typename: 'Query' } });
      const { errors } = await send(port, spare(16_386));
      const message = 'The size of the document in bytes is 16386; the limit is 16384.';
      expect(errors).toMatchObject([{ message, extensions: { code: 'LIMIT_EXCEEDED' } }]);
    },
  );

  it('suggest names where introspection is on', async () => {
    const { errors } = await shop.graphql('{ produkts { nodes { id } } }');
    expect(errors![0]!.message).toMatch(/Did you mean "products"/);
  });
});
