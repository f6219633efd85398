import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Reply, type Service, startService } from '../../support/service.ts';
import { admin, type Caller, customer } from '../../support/storefront.ts';
import { typeErrors } from '../../support/type-check.ts';

let made = 0;
const input = (values: object = {}) => {
  made += 1;
  const delivery = { kind: 'PHYSICAL', weightGrams: 1 };
  return { sku: `OLD-${made}`, title: 'Blue mug', price: 1, currency: 'EUR', stock: 5, delivery, ...values };
};

// biome-ignore lint/suspicious/noExplicitAny: the code of a step, which has no emitted types here
type Json = any;

describe.each(databases)('a step that gets all values of an answer at once, on $name,', (database) => {
  const buyer: Caller = { ...customer, scope: `${customer.scope} products:write` };
  const batches: number[] = [];
  let shorten = 0;
  /** A product has the number of its caller's items that have it. */
  const downAll = async (products: readonly Json[], { asCaller }: Json): Promise<readonly Json[]> => {
    batches.push(products.length);
    const items: Json[] = await asCaller['orders.items'].list({ productId: products.map(({ id }) => id) });
    return products.slice(shorten).map(({ name, ...rest }) => {
      const count = items.filter(({ productId }) => productId === rest.id).length;
      return { ...rest, title: `${name}: ${count}` };
    });
  };
  const { v0 } = handlers.versions;
  const versions = { v0: { ...v0, schemas: { ...v0.schemas, Product: { downAll } } } };
  let service: Service;
  const send = (method: string, url: string, as?: Caller, body?: object): Promise<Reply> =>
    service.request(method, url, { ...(as && { as: { sub: as.subject, scope: as.scope } }), ...(body && { body }) });
  const titles = async (as?: Caller) => {
    batches.length = 0;
    const { body } = await send('GET', '/v0/products?sort=title', as);
    return body.data.map(({ title }: Json) => title);
  };

  beforeAll(async () => {
    service = await startService('contracts', database, { ...handlers, versions } as unknown as AnyHandlers);
    await send('POST', '/v1/users', buyer, { email: 'ada@example.com', name: 'Ada' });
    const order = (await send('POST', '/v1/orders', buyer, {})).body;
    for (const title of ['Axe', 'Bow']) {
      const made = await send('POST', '/v0/products', admin, input({ title }));
      expect(made.body.title).toBe(`${title}: 0`);
      await send('PATCH', `/v1/products/${made.body.id}`, admin, { status: 'ACTIVE' });
      if (title === 'Axe')
        await send('POST', `/v1/orders/${order.id}/items`, buyer, { productId: made.body.id, quantity: 1 });
    }
  });
  afterAll(() => service.close());

  it('is asked once for a list', async () => {
    // Products are public: the callers of the operation have no name.
    expect(await titles(buyer)).toEqual(['Axe: 0', 'Bow: 0']);
    expect(batches).toEqual([2]);
  });

  it('reads what the caller of the operation reads, and what its request has written', async () => {
    const { id } = (await send('GET', '/v1/products?name[contains]=axe')).body.data[0];
    const renamed = async (as: Caller) => (await send('PATCH', `/v0/products/${id}`, as, { title: 'Axe' })).body.title;
    const stranger = { ...buyer, subject: '01941f29-7c00-7a10-8c57-000000000001' };
    expect([await renamed(buyer), await renamed(stranger)]).toEqual(['Axe: 1', 'Axe: 0']);
  });

  it('is not asked where nothing is answered, and must answer all of them', async () => {
    batches.length = 0;
    await send('GET', '/v0/products?title[contains]=nothing');
    await send('GET', '/v0/products/00000000-0000-7000-8000-000000000000');
    expect(batches).toEqual([]);
    shorten = 1;
    expect((await send('GET', '/v0/products')).status).toBe(500);
    shorten = 0;
  });
});

describe.each(databases)('an old version beside the current one, on $name,', (database) => {
  let service: Service;
  const send = (
    method: string,
    url: string,
    as?: Caller,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> =>
    service.request(method, url, {
      ...(as && { as: { sub: as.subject, scope: as.scope } }),
      ...(body && { body }),
      headers,
    });
  const created = async (values: object = {}) => (await send('POST', '/v0/products', admin, input(values))).body;

  beforeAll(async () => {
    service = await startService('contracts', database, handlers as unknown as AnyHandlers, { requestsPerMinute: 0 });
  });
  afterAll(() => service.close());

  it('accepts and answers what it was released with, over the same data', async () => {
    const { status, body, headers } = await send('POST', '/v0/products', admin, input());
    expect([status, body.title, 'name' in body]).toEqual([201, 'Blue mug', false]);
    expect(headers['location']).toBe(`/v0/products/${body.id}`);
    const present = (await send('GET', `/v1/products/${body.id}`)).body;
    expect([present.name, 'title' in present]).toEqual(['Blue mug', false]);
    const changed = await send('PATCH', `/v0/products/${body.id}`, admin, { title: 'Red mug' });
    expect([changed.body.title, changed.body.version]).toEqual(['Red mug', 2]);
    const { title: _, ...rest } = input({ sku: body.sku });
    const replaced = await send('PUT', `/v0/products/${body.id}`, admin, { ...rest, title: 'Green mug' });
    expect((await send('GET', `/v1/products/${body.id}`)).body.name).toBe(replaced.body.title);
    expect((await send('DELETE', `/v0/products/${body.id}`, admin)).status).toBe(204);
    expect((await send('GET', `/v0/products/${body.id}`)).body.code).toBe('NOT_FOUND');
  });

  it('lists, filters, sorts and pages with its own names', async () => {
    for (const title of ['Zebra b', 'Zebra a', 'Zebra c']) await created({ title });
    const first = await send('GET', '/v0/products?title[contains]=zebra&sort=-title&limit=2&count=true');
    expect(first.body.data.map(({ title }: { title: string }) => title)).toEqual(['Zebra c', 'Zebra b']);
    expect(first.body.page.totalCount).toBe(3);
    const next = await send(
      'GET',
      `/v0/products?title[contains]=zebra&sort=-title&limit=2&cursor=${first.body.page.nextCursor}`,
    );
    expect(next.body.data.map(({ title }: { title: string }) => title)).toEqual(['Zebra a']);
  });

  it('passes lists on whole, however they are sent', async () => {
    const [{ id }] = [await created({ title: 'Yak' }), await created({ title: 'Yak' })];
    await send('PATCH', `/v0/products/${id}`, admin, { status: 'ACTIVE' });
    const list = async (query: string) =>
      (await send('GET', `/v0/products?title[contains]=yak&sort=title&${query}`)).body;
    const repeated = await list('status=ACTIVE&status=DRAFT');
    expect(repeated.data.map(({ status }: { status: string }) => status).sort()).toEqual(['ACTIVE', 'DRAFT']);
    expect(repeated).toEqual(await list('status=ACTIVE,DRAFT'));
  });

  it('has the rules of the present version: access, versions, keys, conditions', async () => {
    expect((await send('POST', '/v0/products', undefined, input())).body.code).toBe('UNAUTHENTICATED');
    expect((await send('POST', '/v0/products', customer, input())).body.code).toBe('FORBIDDEN');
    const body = input();
    const key = { 'idempotency-key': `old-${database.name}` };
    const [once, again] = [
      await send('POST', '/v0/products', admin, body, key),
      await send('POST', '/v0/products', admin, body, key),
    ];
    expect(again.body).toEqual(once.body);
    const path = `/v0/products/${once.body.id}`;
    expect((await send('PATCH', path, admin, { price: 2 }, { 'if-match': '"9"' })).body.code).toBe(
      'PRECONDITION_FAILED',
    );
    const { headers } = await send('GET', path);
    expect((await send('GET', path, undefined, undefined, { 'if-none-match': String(headers['etag']) })).status).toBe(
      304,
    );
  });

  it('names what it shows by tags of its own, which are versions to If-Match', async () => {
    const { id } = await created();
    const tagOf = async (url: string) => String((await send('GET', url)).headers['etag']);
    const [old, present] = [await tagOf(`/v0/products/${id}`), await tagOf(`/v1/products/${id}`)];
    expect([old, present]).toEqual([expect.stringMatching(/^"1\.[\w-]+"$/), expect.stringMatching(/^"1\.[\w-]+"$/)]);
    expect(old).not.toBe(present);
    const status = async (method: string, url: string, tag: string) =>
      (await send(method, url, undefined, undefined, { 'if-none-match': tag })).status;
    for (const method of ['GET', 'HEAD']) {
      expect(await status(method, `/v0/products/${id}`, old)).toBe(304);
      expect(await status(method, `/v0/products/${id}`, present)).toBe(200);
      expect(await status(method, `/v1/products/${id}`, old)).toBe(200);
    }
    for (const [url, other] of [
      ['/v0/products?limit=1', '/v1/products?limit=1'],
      ['/v1/products?limit=1', '/v0/products?limit=1'],
    ] as const) {
      expect(await status('GET', url, await tagOf(url))).toBe(304);
      expect(await status('GET', url, await tagOf(other))).toBe(200);
      const read = await send('GET', url, undefined, undefined, { 'if-match': await tagOf(url) });
      expect(read.status).toBe(200);
    }
    const changed = await send('PATCH', `/v0/products/${id}`, admin, { title: 'x' }, { 'if-match': old });
    expect([changed.status, changed.headers['etag']]).toEqual([200, await tagOf(`/v0/products/${id}`)]);
    expect((await send('PATCH', `/v0/products/${id}`, admin, { title: 'y' }, { 'if-match': present })).status).toBe(
      412,
    );
  });

  it('validates a request by what it was released with, and names faults by its own names', async () => {
    const unknown = await send('POST', '/v0/products', admin, { ...input(), name: 'Blue mug' });
    expect([unknown.body.code, unknown.body.errors[0].pointer]).toEqual(['VALIDATION_FAILED', '/name']);
    expect((await send('GET', '/v0/products?name[contains]=x')).body.errors[0].parameter).toMatch(/^name/);
    const taken = await created();
    const conflict = await send('POST', '/v0/products', admin, input({ sku: taken.sku }));
    expect(conflict.body).toMatchObject({
      code: 'ALREADY_EXISTS',
      instance: '/v0/products',
      errors: [{ pointer: '/sku' }],
    });
  });

  it('says since when it is deprecated, when it ends, and which version succeeds it', async () => {
    const { headers } = await send('GET', '/v0/products');
    expect(headers['deprecation']).toBe(`@${Date.parse('2026-11-21') / 1000}`);
    expect(headers['sunset']).toBe(new Date('2027-11-30').toUTCString());
    expect(headers['link']).toBe('</v1>; rel="successor-version"');
    expect((await send('GET', '/v1/products')).headers['deprecation']).toBeUndefined();
    expect((await send('GET', '/v0/orders')).headers['link']).toBe('</v1>; rel="successor-version"');
  });

  it('counts callers once, including those who are refused', async () => {
    const limited = await startService('contracts', database, handlers as unknown as AnyHandlers, {
      requestsPerMinute: 4,
    });
    const get = (headers: Record<string, string> = {}) => limited.request('GET', '/v0/products?limit=1', { headers });
    const remaining = [await get(), await get()].map(
      ({ headers }) => /r=(\d+)/.exec(String(headers['ratelimit']))?.[1],
    );
    expect(remaining).toEqual(['3', '2']);
    const forged = () => limited.request('GET', '/v0/orders', { headers: { authorization: 'Bearer forged' } });
    expect([(await forged()).status, (await forged()).status, (await forged()).status]).toEqual([401, 401, 429]);
    await limited.close();
  });

  it('counts anonymous callers by their address, together with the current version', async () => {
    let app!: FastifyInstance;
    const limited = await startService('contracts', database, handlers as unknown as AnyHandlers, {
      requestsPerMinute: 2,
      prepareApp: (served) => {
        app = served;
      },
      http: { trustProxy: '10.0.0.0/8' },
    });
    const get = async (version: string, address: string, headers: Record<string, string> = {}) =>
      (await app.inject({ url: `/${version}/products?limit=1`, remoteAddress: address, headers })).statusCode;
    const [one, other, proxy] = ['192.0.2.1', '192.0.2.2', '10.0.0.1'];
    expect([await get('v0', one), await get('v1', one), await get('v0', one)]).toEqual([200, 200, 429]);
    expect([await get('v0', other), await get('v0', other), await get('v1', other)]).toEqual([200, 200, 429]);
    const behind = (client: string) => get('v0', proxy, { 'x-forwarded-for': client });
    expect([await behind(one), await behind('192.0.2.3')]).toEqual([429, 200]);
    await limited.close();
  });

  it('serves what has not changed as it is, including sub-resources and custom operations', async () => {
    const { id } = await created();
    await send('POST', '/v1/users', customer, { email: `${made}@example.com`, name: 'Ada' });
    const review = await send('POST', `/v0/products/${id}/reviews`, customer, { rating: 4, title: 'Fine' });
    expect([review.status, review.body.title]).toEqual([201, 'Fine']);
    expect((await send('GET', `/v0/products/${id}/rating-summary`)).body.count).toBe(1);
    expect((await send('PUT', '/v0/products', admin, {})).status).toBe(405);
  });
});

describe('a version that the contract names', () => {
  it('needs a step, at boot and in types', async () => {
    const { versions: _, ...without } = handlers;
    const start = startService('contracts', databases[0]!, without as unknown as AnyHandlers);
    await expect(start).rejects.toThrow('No step for the version v0 (handlers.versions)');
    const extra = startService('contracts', databases[0]!, {
      ...handlers,
      versions: { ...handlers.versions, v7: {} },
    } as unknown as AnyHandlers);
    await expect(extra).rejects.toThrow('Steps for versions that the contract does not declare: v7');
  });

  it('has a step whose types follow both contracts', async () => {
    const step = (product: string) => `import type { Step } from '../../generated/versions/v0/step.ts';
export const v0: Step = {
  schemas: {
    Product: { down: ${product} },
    ProductInput: { up: ({ title, ...rest }) => ({ ...rest, name: title }) },
    ProductPatch: { up: ({ title, ...rest }) => ({ ...rest, ...(title !== undefined && { name: title }) }) },
  },
  queries: { listProducts: (old) => old },
};
`;
    const errors = await typeErrors({
      'right.ts': step('({ name, ...rest }) => ({ ...rest, title: name })'),
      'wrong.ts': step('(product) => product'),
    });
    expect(errors.get('right.ts')).toEqual([]);
    expect(errors.get('wrong.ts')!.join()).toContain("Property 'title' is missing");
  });

  it('is part of the model, as it was released', async () => {
    const { model } = await modelContract('contracts');
    expect(model!.versions!['v0']).toMatchObject({
      deprecated: '2026-11-21',
      document: { info: { version: '0.9.0' } },
    });
  });
});
