import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { admin, Shop } from '../../support/storefront.ts';
import { called, callOf } from '../../support/tools.ts';
import { type GraphqlAnswer, graphqlTransports } from '../../support/transports.ts';

const MAX_BYTES = 65_536;
const LISTED = 20;

let shop: Shop;
let port = 0;
beforeAll(async () => {
  shop = await Shop.open(databases[0]!, { graphql: { introspection: false } });
  port = await shop.listen();
});
afterAll(() => shop.close());

const sizeOf = (answer: GraphqlAnswer): number => Buffer.byteLength(JSON.stringify(answer));

const QUERY = 'query($currency: [String!]) { products(filter: { currency: $currency }) { totalCount } }';
const CREATE = 'mutation($input: ProductInput!) { createProduct(input: $input) { id } }';

describe.each(graphqlTransports)('an answer with errors over $name', ({ send }) => {
  it('lists twenty faults of variables, and says how many there are besides', async () => {
    for (let run = 0; run < 3; run++) {
      const { errors } = await send(port, {
        query: QUERY,
        variables: { currency: Array(45).fill({ a: 'x'.repeat(90) }) },
      });
      expect(errors).toHaveLength(LISTED + 1);
      expect(errors!.map(({ extensions }) => extensions.code)).toEqual(Array(LISTED + 1).fill('VALIDATION_FAILED'));
      expect(errors!.at(-1)!.message).toBe('25 more faults are not listed.');
    }
  });

  it('lists twenty faults of a document', async () => {
    const query = `{ ${Array.from({ length: 45 }, (_, i) => `wrong${i}`).join(' ')} }`;
    const { errors } = await send(port, { query });
    expect(errors).toHaveLength(LISTED + 1);
    expect(errors!.at(-1)!.message).toBe('25 more faults are not listed.');
  });
});

/** An URL has no room for much. */
const roomy = graphqlTransports.filter(({ name }) => name !== 'GET');

describe.each(roomy)('an answer with errors over $name', ({ send }) => {
  it('repeats a hundred characters of a value, whichever run it is', async () => {
    const query = 'query($id: ID!, $n: Int) { product(id: $id) { id } products(first: $n) { totalCount } }';
    for (let run = 0; run < 3; run++) {
      const variables = { id: { deep: ['y'.repeat(20_000)] }, n: 'z'.repeat(20_000) };
      const { errors } = await send(port, { query, variables });
      expect(errors!.length).toBeGreaterThan(0);
      for (const { message } of errors!) {
        expect(message).toMatch(/^Variable "\$\w+" got invalid value /);
        expect(message.length).toBeLessThan(500);
      }
    }
  });

  it('has the first fault of many values in variables, and twenty of long ones, whichever run it is', async () => {
    const wrong = (count: number, length: number) => ({
      input: Object.fromEntries(Array.from({ length: count }, (_, i) => [`${'p'.repeat(length)}${i}`, i])),
    });
    for (let run = 0; run < 3; run++) {
      const many = await send(port, { query: CREATE, variables: wrong(250, 1) }, admin);
      expect(many.errors).toHaveLength(1);
      expect(many.errors![0]!.extensions.code).toBe('VALIDATION_FAILED');
      const long = await send(port, { query: CREATE, variables: wrong(100, 100) }, admin);
      expect(long.errors).toHaveLength(LISTED);
    }
  });

  it('repeats the start of a name of an operation', async () => {
    const answer = await send(port, { query: '{ __typename }', operationName: 'n'.repeat(9_000) });
    expect(answer.errors).toHaveLength(1);
    expect(answer.errors![0]!.message.length).toBeLessThan(200);
  });
});

describe.each(roomy)('variables over $name', ({ send }) => {
  it.each([
    ['long', { currency: ['x'.repeat(MAX_BYTES)] }, 'size of the variables in characters is more than 65536'],
    ['many', { currency: Array(5_000).fill(0) }, 'number of values in the variables is more than 4096'],
    ['long by their names', { ['n'.repeat(70_000)]: 1 }, 'size of the variables in characters is more than 65536'],
  ])('are refused before they are looked into when they are %s', async (_, variables, message) => {
    const { errors } = await send(port, { query: QUERY, variables });
    expect(errors).toMatchObject([
      { message: expect.stringContaining(message), extensions: { code: 'LIMIT_EXCEEDED' } },
    ]);
  });

  it('as large as they may be are answered in as little', async () => {
    const inputs = [
      { currency: Array(4_000).fill({}) },
      { currency: Array(600).fill('\u0000'.repeat(100)) },
      { currency: [Array(4_000).fill('"\\')] },
    ];
    for (const variables of inputs)
      expect(sizeOf(await send(port, { query: QUERY, variables }))).toBeLessThan(MAX_BYTES);
    const wrong = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${'p'.repeat(200)}${i}`, i]));
    expect(sizeOf(await send(port, { query: CREATE, variables: { input: wrong } }, admin))).toBeLessThan(MAX_BYTES);
  });
});

it('variables over WebSocket are refused however deep they are', async () => {
  const { send } = graphqlTransports.find(({ name }) => name === 'WebSocket')!;
  const currency = JSON.parse('['.repeat(9_000) + ']'.repeat(9_000));
  const { errors } = await send(port, { query: QUERY, variables: { currency } });
  expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
});

describe('an answer with errors over MCP', () => {
  const call = async (args: object) => {
    const as = { sub: admin.subject, scope: admin.scope };
    const reply = await shop.service.request('POST', '/mcp', { as, body: callOf('createProduct', args) });
    expect(reply.text.length).toBeLessThan(MAX_BYTES);
    return called(reply);
  };
  const named = (count: number, length: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`${'p'.repeat(length)}${i}`, 1]));

  it('lists twenty faults of an input, and says how many there are besides', async () => {
    const { isError, value } = await call({ input: { sku: 'a', tags: Array(30).fill({}) } });
    expect([isError, value.errors.length]).toEqual([true, LISTED]);
    expect(value.detail).toMatch(/\d+ more faults are not listed\.$/);
  });

  it.each([
    ['arguments', named(4_000, 100)],
    ['arguments of long names', named(90, 10_000)],
    ['properties of an input', { input: named(4_000, 100) }],
    ['properties of long names', { input: named(90, 10_000) }],
    ['escapes', { input: { name: '"\\'.repeat(4_000), sku: '\u0000'.repeat(90) } }],
  ])('stays small for any %s', async (_, args) => {
    const { value } = await call(args);
    expect(value.status).toBe(400);
    expect(value.errors.length).toBeLessThanOrEqual(LISTED);
  });

  it.each([
    ['a tool', { method: 'tools/call', params: { name: 'n'.repeat(9_000) } }],
    ['a method', { method: 'm'.repeat(9_000) }],
    [
      'a version',
      { method: 'ping', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': 'v'.repeat(9_000) } } },
    ],
    [
      'a version of any kind',
      { method: 'ping', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': Array(900).fill({}) } } },
    ],
    [
      'a text of an argument',
      {
        method: 'tools/call',
        params: { name: 'listProducts', arguments: { fields: Array(900).fill('f'.repeat(900)) } },
      },
    ],
  ])('repeats the start of %s', async (_, message) => {
    const { text } = await shop.service.request('POST', '/mcp', { body: { jsonrpc: '2.0', id: 1, ...message } });
    expect(text.length).toBeLessThan(20_000);
    expect(/([nmvf])\1{200}|(?:\{\},){100}/.test(text)).toBe(false);
  });

  it('repeats the start of a version in the header', async () => {
    const headers = { 'mcp-protocol-version': 'v'.repeat(4_000) };
    const _meta = { 'io.modelcontextprotocol/protocolVersion': 'v'.repeat(4_000) };
    for (const params of [{}, { _meta }]) {
      const body = { jsonrpc: '2.0', id: 1, method: 'ping', params };
      expect((await shop.service.request('POST', '/mcp', { body, headers })).text.length).toBeLessThan(1_000);
    }
  });
});

describe('an answer with errors over REST', () => {
  it('lists twenty faults of a body, and says how many there are besides', async () => {
    const { status, body } = await shop.post('/products', admin, { sku: 'a', tags: Array(30).fill({}) });
    expect(status).toBe(400);
    expect(body.errors).toHaveLength(LISTED);
    expect(body.detail).toMatch(/^The request does not match the contract\. \d+ more faults are not listed\.$/);
  });

  it('stays small for a body of any names', async () => {
    const names = Array.from({ length: 90 }, (_, i) => `${'p'.repeat(10_000)}${i}`);
    const reply = await shop.post('/products', admin, Object.fromEntries(names.map((name) => [name, 1])));
    expect(reply.status).toBe(400);
    expect(reply.text.length).toBeLessThan(MAX_BYTES);
    expect(reply.body.errors[0].pointer.length).toBeLessThan(600);
  });
});
