import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Reply, type Service, startService } from '../../support/service.ts';
import { admin, type Caller, customer, stranger } from '../../support/storefront.ts';

const as = ({ subject: sub, scope }: Caller) => ({ sub, scope });
const CREATE = 'mutation($input: ProductInput!) { createProduct(input: $input) { id sku version } }';
const CREATE_REVIEW =
  'mutation($id: ID!, $input: ReviewInput!) { createReview(productId: $id, input: $input) { id productId } }';

let made = 0;
const input = (values: object = {}) => {
  made += 1;
  const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
  return { sku: `KEY-${made}`, name: 'Mug', price: 1, currency: 'EUR', delivery, ...values };
};
const graphqlInput = ({ delivery: _, ...rest }: ReturnType<typeof input>) => ({
  ...rest,
  delivery: { physical: { weightGrams: 410 } },
});

describe.each(databases)('Idempotency-Key on $name', (database) => {
  let service: Service;
  let now = new Date('2026-01-15T12:00:00.000Z');

  beforeAll(async () => {
    service = await startService('contracts', database, handlers as unknown as AnyHandlers, {
      clock: () => now.getTime(),
    });
  });
  afterAll(() => service.close());

  const post = (key: string, body: object, caller = admin): Promise<Reply> =>
    service.request('POST', '/v1/products', { as: as(caller), body, headers: { 'idempotency-key': key } });
  const count = async (): Promise<number> =>
    (await service.request('GET', '/v1/products?count=true')).body.page.totalCount;
  const kept = ({ status, text, headers }: Reply) => [status, text, headers['etag'], headers['location']];

  it('creates once, and answers the same to the letter', async () => {
    const body = input();
    const first = await post('a', body);
    expect(first.status).toBe(201);
    await service.request('PATCH', `/v1/products/${first.body.id}`, { as: as(admin), body: { name: 'Other' } });
    const before = await count();
    expect(kept(await post('a', body))).toEqual(kept(first));
    expect(kept(await post('"a"', Object.fromEntries(Object.entries(body).reverse())))).toEqual(kept(first));
    expect(await count()).toBe(before);
  });

  it('gives all who repeat it at once the answer, over both protocols', async () => {
    const body = input();
    const first = await post('at-once', body);
    const over = { as: as(admin), headers: { 'idempotency-key': 'at-once' } };
    const repeats = Array.from({ length: 20 }, () => post('at-once', body));
    const mutations = Array.from({ length: 20 }, () =>
      service.graphql(CREATE, { ...over, variables: { input: graphqlInput(body) } }),
    );
    for (const one of await Promise.all(repeats)) expect(kept(one)).toEqual(kept(first));
    const { id, sku, version } = first.body;
    for (const { data } of await Promise.all(mutations)) expect(data.createProduct).toEqual({ id, sku, version });
  });

  it('refuses another input', async () => {
    await post('b', input());
    const { status, body } = await post('b', input());
    expect([status, body.code, body.errors[0].header]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED', 'Idempotency-Key']);
  });

  it('is one for both protocols', async () => {
    const body = input();
    const first = await post('c', body);
    const { data } = await service.graphql(CREATE, {
      as: as(admin),
      variables: { input: { ...graphqlInput(body) } },
      headers: { 'idempotency-key': 'c' },
    });
    // The SDL's defaults are those of the contract: the input is the same.
    expect(data.createProduct).toEqual({ id: first.body.id, sku: body.sku, version: 1 });
    const other = await service.graphql(CREATE, {
      as: as(admin),
      variables: { input: graphqlInput(input()) },
      headers: { 'idempotency-key': 'c' },
    });
    expect(other.errors).toMatchObject([{ extensions: { code: 'IDEMPOTENCY_KEY_REUSED', status: 422 } }]);
  });

  it('creates several with one key in one document', async () => {
    const document = `mutation($a: ProductInput!, $b: ProductInput!) {
      a: createProduct(input: $a) { id } b: createProduct(input: $b) { id }
    }`;
    const variables = { a: graphqlInput(input()), b: graphqlInput(input()) };
    const run = () => service.graphql(document, { as: as(admin), variables, headers: { 'idempotency-key': 'd' } });
    const first = await run();
    expect(first.data.a.id).not.toBe(first.data.b.id);
    expect((await run()).data).toEqual(first.data);
  });

  it("is a caller's own", async () => {
    const body = { email: 'ada@example.com', name: 'Ada' };
    const create = (caller: Caller, email: string) =>
      service.request('POST', '/v1/users', {
        as: as(caller),
        body: { ...body, email },
        headers: { 'idempotency-key': 'e' },
      });
    expect((await create(customer, 'a@example.com')).body.id).toBe(customer.subject);
    expect((await create(stranger, 'b@example.com')).body.id).toBe(stranger.subject);
    expect((await post('e', input(), customer)).status).toBe(403);
  });

  it.each(['REST', 'GraphQL'])('is one for each parent that something is created below, over %s', async (protocol) => {
    const product = async (): Promise<string> =>
      (await service.request('POST', '/v1/products', { as: as(admin), body: input() })).body.id;
    const parents = [await product(), await product()] as const;
    const user = { email: 'reviewer@example.com', name: 'Ada' };
    await service.request('POST', '/v1/users', { as: as(customer), body: user });
    const body = { rating: 4, title: 'Fine' };
    const options = { as: as(customer), headers: { 'idempotency-key': `parent-${protocol}` } };
    const create = async (id: string): Promise<{ id: string; productId: string }> => {
      if (protocol === 'REST')
        return (await service.request('POST', `/v1/products/${id}/reviews`, { ...options, body })).body;
      return (await service.graphql(CREATE_REVIEW, { ...options, variables: { id, input: body } })).data.createReview;
    };
    const [first, second] = [await create(parents[0]), await create(parents[1])];
    expect([first.productId, second.productId]).toEqual(parents);
    expect(second.id).not.toBe(first.id);
    expect((await create(parents[0])).id).toBe(first.id);
  });

  it('does not keep a failure', async () => {
    const body = input();
    const taken = await post('f0', body);
    const refused = await post('f', { ...body, name: 'Again' });
    expect(refused.body.code).toBe('ALREADY_EXISTS');
    await service.request('DELETE', `/v1/products/${taken.body.id}`, { as: as(admin) });
    expect((await post('f', { ...body, name: 'Again' })).status).toBe(201);
  });

  it('has one effect, however many come at a time', async () => {
    const body = input();
    const before = await count();
    const replies = await Promise.all(Array.from({ length: 100 }, () => post('g', body)));
    expect(await count()).toBe(before + 1);
    expect(replies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201, 409]));
    const conflict = replies.find(({ status }) => status === 409)!;
    expect([conflict.body.code, conflict.headers['retry-after']]).toEqual(['CONFLICT', '1']);
  });

  it('lasts for a day', async () => {
    const body = input();
    const first = await post('h', body);
    now = new Date('2026-01-16T11:59:59.000Z');
    expect(kept(await post('h', body))).toEqual(kept(first));
    now = new Date('2026-01-16T12:00:00.000Z');
    expect((await post('h', body)).body.code).toBe('ALREADY_EXISTS');
    now = new Date('2026-01-15T12:00:00.000Z');
  });

  it.each(['', ' ', 'x'.repeat(256), '"open', 'a b'])('%j is not a valid key', async (key) => {
    const { status, body } = await post(key, input());
    expect([status, body.code, body.errors[0].header]).toEqual([400, 'VALIDATION_FAILED', 'Idempotency-Key']);
  });
});
