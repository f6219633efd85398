import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';
import { admin, type Json } from '../../support/storefront.ts';

const as = { sub: admin.subject, scope: admin.scope };
const RESPONSE = 'application/graphql-response+json';

const ours = handlers as unknown as AnyHandlers;
const failing: AnyHandlers = {
  ...ours,
  overrides: {
    ...ours.overrides,
    users: {
      ...ours.overrides?.['users'],
      list: async () => {
        throw new Error('secret');
      },
    },
  },
};

/** Lines of the log at level error. */
const errors: Json[] = [];
const log: Json = {
  info() {},
  warn() {},
  debug() {},
  trace() {},
  fatal() {},
  error: (line: unknown) => errors.push(line),
};
log.child = () => log;

describe.each(databases)('traps of GraphQL servers on $name', (database) => {
  let service: Service;

  beforeAll(async () => {
    service = await startService('contracts', database, failing, { http: { log } });
  });
  beforeEach(() => {
    errors.length = 0;
  });
  afterAll(() => service.close());

  const post = (payload: unknown, headers: Readonly<Record<string, string>> = {}) =>
    service.request('POST', '/graphql', { body: payload, headers: { accept: RESPONSE, ...headers } });
  const get = (parameters: Readonly<Record<string, string>>) =>
    service.request('GET', `/graphql?${new URLSearchParams(parameters)}`, { as, headers: { accept: RESPONSE } });
  const refusal = ({ status, body }: Json) => ({ status, code: body.errors[0].extensions.code, data: body.data });

  const products = async (): Promise<number> =>
    (await service.graphql('{ products { totalCount } }')).data.products.totalCount;
  const create = (sku: string): string =>
    `createProduct(input: {sku: "${sku}", name: "Mug", price: 1, currency: "EUR", delivery: {physical: {weightGrams: 1}}}) { name }`;

  it('give each operation of a document its own answer, in any order, compiled or not', async () => {
    const query = `query A { a: __typename } query B { b: __typename ...F } mutation C { ${create('T-0')} }
      query D($n: Int = 3) { products(first: $n) { nodes { sku } } } fragment F on Query { f: __typename }`;
    const before = await products();
    for (const operationName of [...'AABBDDAABDBADAB'])
      expect(Object.keys((await service.graphql(query, { as, operationName })).data)).toEqual(
        { A: ['a'], B: ['b', 'f'], D: ['products'] }[operationName],
      );
    expect(await products()).toBe(before);
    expect((await service.graphql(query, { as, operationName: 'C' })).data.createProduct).toEqual({ name: 'Mug' });
    expect((await service.graphql(query, { as, operationName: 'A' })).data).toEqual({ a: 'Query' });
  });

  it('never run a mutation by GET, even beside a query that was run', async () => {
    const query = `query A { __typename } mutation B { ${create('T-1')} }`;
    const before = await products();
    for (let i = 0; i < 4; i++) {
      expect(await get({ query, operationName: 'A' })).toMatchObject({
        status: 200,
        body: { data: { __typename: 'Query' } },
      });
      const reply = await get({ query, operationName: 'B' });
      expect(refusal(reply)).toEqual({ status: 405, code: 'METHOD_NOT_ALLOWED', data: undefined });
      expect(reply.headers['allow']).toBe('POST');
    }
    expect(await products()).toBe(before);
  });

  it.each([
    ['is missing', undefined],
    ['is empty', ''],
    ['is unknown', 'C'],
    ['is that of a property of objects', 'constructor'],
  ])('run no operation when `operationName` %s', async (_, operationName) => {
    const reply = await post({ query: 'query A { __typename } query B { __typename }', operationName });
    expect(refusal(reply)).toEqual({ status: 400, code: 'VALIDATION_FAILED', data: undefined });
  });

  it.each<[string, unknown]>([
    ['a parsed document for a text', { query: { kind: 'Document', definitions: [] } }],
    ['a number for a text', { query: 1 }],
    ['no document', {}],
    ['an empty document', { query: '' }],
    ['a list of requests', [{ query: '{ __typename }' }, { query: '{ __typename }' }]],
    ['an empty list', []],
    ['a text', '"{ __typename }"'],
    ['null', 'null'],
    ['variables in a list', { query: '{ __typename }', variables: [] }],
    ['variables as text', { query: '{ __typename }', variables: '{}' }],
    ['a name that is not a string', { query: '{ __typename }', operationName: 1 }],
    ['extensions as text', { query: '{ __typename }', extensions: 'x' }],
    ['broken JSON', '{"query":'],
    ['no JSON', 'query'],
    ['an empty body', ''],
    ['JSON that is too deep', `{"query":"{ __typename }","variables":${'['.repeat(9_000)}${']'.repeat(9_000)}}`],
    ['variables that poison prototypes', '{"query":"{ __typename }","variables":{"__proto__":{"polluted":true}}}'],
    ['poison in disguise', '{"query":"{ __typename }","variables":{"a":{"\\u005f_proto__":{"polluted":true}}}}'],
    [
      'a poisonous constructor',
      '{"query":"{ __typename }","variables":{"constructor":{"prototype":{"polluted":true}}}}',
    ],
    ['a document that is not valid', { query: '{' }],
  ])('refuse %s as malformed', async (_, payload) => {
    const reply = await post(payload);
    expect(refusal(reply)).toEqual({ status: 400, code: 'MALFORMED_REQUEST', data: undefined });
    expect(reply.headers['content-type']).toBe(`${RESPONSE}; charset=utf-8`);
    expect(({} as Json).polluted).toBeUndefined();
  });

  it.each([
    ['variables that are not JSON', { variables: '{' }],
    ['variables in a list', { variables: '[]' }],
    ['variables that poison prototypes', { variables: '{"__proto__":{"polluted":true}}' }],
    ['extensions that are not JSON', { extensions: 'x' }],
  ])('refuse %s in a URL as malformed', async (_, parameters) => {
    const reply = await get({ query: '{ __typename }', ...parameters });
    expect(refusal(reply)).toEqual({ status: 400, code: 'MALFORMED_REQUEST', data: undefined });
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/json; charset=utf-16',
    'application/graphql',
    'application/json, text/plain',
    'x',
  ])('refuse a body of type %s, which another site might send', async (type) => {
    const reply = await post(`{"query":"mutation { ${create('T-2').replaceAll('"', '\\"')} }"}`, {
      'content-type': type,
    });
    expect(refusal(reply)).toEqual({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', data: undefined });
  });

  it('refuse a body that is too long', async () => {
    const body = JSON.stringify({ query: '{ __typename }', extensions: { x: 'x'.repeat(262_144) } });
    expect(refusal(await post(body))).toEqual({ status: 413, code: 'CONTENT_TOO_LARGE', data: undefined });
  });

  it('refuse a body with more than 10,000 values', async () => {
    const reply = await post({ query: '{ __typename }', extensions: { x: Array(10_000).fill(1) } });
    expect(refusal(reply)).toEqual({ status: 413, code: 'CONTENT_TOO_LARGE', data: undefined });
    expect(reply.text).toContain('The body has more than 10,000 values.');
  });

  it('refuse a token that is not valid where one is asked for', async () => {
    const query = '{ products { totalCount } users { nodes { id } } }';
    const reply = await post({ query }, { authorization: 'Bearer x' });
    expect(reply.body.data).toBeNull();
    expect(reply.body.errors).toMatchObject([
      { path: ['users'], extensions: { code: 'UNAUTHENTICATED', status: 401 } },
    ]);
  });

  it.each([['TRACE'], ['PUT'], ['PATCH'], ['DELETE']])('do not serve %s', async (method) => {
    const reply = await service.request(method, '/graphql?query={__typename}');
    expect(reply.status).toBe(405);
    expect(reply.headers['allow']).toBe('GET, HEAD, POST, OPTIONS');
  });

  it('answer OPTIONS with the allowed methods', async () => {
    const reply = await service.request('OPTIONS', '/graphql');
    expect(reply).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } });
  });

  it.each([
    ['application/graphql-response+json; charset=utf-8, application/json; charset=utf-8', RESPONSE],
    ['application/json;charset=utf-8', 'application/json'],
    ['application/graphql-response+json;deferSpec=20220824', RESPONSE],
    ['application/graphql-response+json; charset=utf-8; q=0, */*;q=0.1', 'application/json'],
  ])('ignore the parameters of Accept: %s', async (accept, type) => {
    const { status, headers } = await post({ query: '{ __typename }' }, { accept });
    expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
  });

  it('answer 406 to media types that are not available', async () => {
    expect(refusal(await post({ query: '{ __typename }' }, { accept: 'text/html' })).status).toBe(406);
  });

  it('mask unexpected errors, and log them once', async () => {
    for (let run = 1; run <= 3; run++) {
      const reply = await service.graphql('{ a: __typename users { nodes { id } } }', { as });
      expect(reply.errors).toMatchObject([{ path: ['users'], extensions: { code: 'INTERNAL_ERROR', status: 500 } }]);
      expect(reply.text).not.toContain('secret');
      expect(reply.text).not.toMatch(/stack|\.ts/);
      expect(errors).toHaveLength(run);
      expect(errors.at(-1).err.message).toBe('secret');
    }
  });

  it('keep the indexes of lists in paths as numbers', async () => {
    await service.graphql(`mutation { ${create('T-3')} }`, { as });
    const query = '{ products(first: 1) { nodes { reviews(first: 0) { totalCount } } } }';
    for (let run = 0; run < 3; run++) {
      const { errors: found } = await service.graphql(query);
      expect(found![0]).toMatchObject({ path: ['products', 'nodes', 0, 'reviews'] });
    }
  });

  it('distinguish absent variables from null and from defaults, compiled or not', async () => {
    const id = (await service.graphql(`mutation { ${create('T-4').replace('name }', 'id }')} }`, { as })).data
      .createProduct.id;
    const query = `mutation($id: ID!, $text: String) {
      updateProduct(id: $id, input: {name: "Mug", description: $text}) { description } }`;
    const update = async (variables: object) =>
      (await service.graphql(query, { as, variables: { id, ...variables } })).data.updateProduct.description;
    for (let run = 0; run < 3; run++) {
      expect(await update({ text: 'Blue' })).toBe('Blue');
      expect(await update({})).toBe('Blue');
      expect(await update({ text: null })).toBeNull();
      expect(await update({})).toBeNull();
    }
    const paged = 'query($n: Int = 1) { products(first: $n) { nodes { id } } }';
    const count = async (variables: object) => (await service.graphql(paged, { variables })).data.products.nodes.length;
    for (let run = 0; run < 3; run++) {
      expect(await count({})).toBe(1);
      expect(await count({ n: 2 })).toBe(2);
      expect(await count({ n: null })).toBeGreaterThan(2);
    }
  });

  it.each([
    ['of a wrong type', { n: 'x' }],
    ['that are not whole', { n: 1.5 }],
    ['that are too large', { n: 2 ** 40 }],
    ['in a list', { n: [1] }],
  ])('refuse variables %s without data, compiled or not', async (_, variables) => {
    const query = 'query($n: Int!) { products(first: $n) { nodes { id } } }';
    for (let run = 0; run < 3; run++) {
      expect((await service.graphql(query, { variables: { n: 1 } })).errors).toBeUndefined();
      const reply = await post({ query, variables });
      expect(refusal(reply)).toEqual({ status: 400, code: 'VALIDATION_FAILED', data: undefined });
    }
  });
});
