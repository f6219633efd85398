import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const staff = { sub: 'staff', scope: 'depot:write' };
const ann = { sub: 'ann', scope: '' };
const bob = { sub: 'bob', scope: '' };

describe.each(databases)('a unique property as the key of a path on $name', (database) => {
  let service: Service;
  const given: unknown[] = [];

  beforeAll(async () => {
    const remember = async (id: unknown, { params }: { params: object }, next: () => Promise<unknown>) => {
      given.push({ id, params });
      return next();
    };
    const handlers = { overrides: { suppliers: { get: remember } } } as unknown as AnyHandlers;
    service = await startService('depot', database, handlers);
    await service.request('POST', '/v1/suppliers', { as: staff, body: { code: 'acme', name: 'Acme' } });
  });
  afterAll(() => service.close());

  const send = (method: string, url: string, body?: object, as: object = staff, headers = {}) =>
    service.request(method, `/v1${url}`, { as, headers, ...(body && { body }) });
  const ask = async (query: string, as: object = staff) => {
    const { data, errors } = await service.graphql(query, { as });
    return errors?.[0]?.extensions ?? Object.values(data)[0];
  };

  it('creates, and names the new one by its key in Location', async () => {
    const made = await send('POST', '/products', { sku: 'ABC-100', name: 'Tea', price: 5 });
    expect(made).toMatchObject({
      status: 201,
      headers: { location: '/v1/products/ABC-100', etag: expect.stringMatching(/^"1\.[\w-]+"$/) },
    });
    expect(made.body.id).toMatch(/^[0-9a-f-]{36}$/);
    const again = await send('POST', '/products', { sku: 'ABC-100', name: 'Tea', price: 5 });
    expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS', errors: [{ pointer: '/sku' }] } });
  });

  it('gets, updates, replaces and deletes by the key, over both protocols', async () => {
    const { body } = await send('POST', '/products', { sku: 'ABC-101', name: 'Mate', price: 5 });
    const got = await send('GET', '/products/ABC-101');
    expect(got).toMatchObject({ status: 200, headers: { etag: expect.stringMatching(/^"1\.[\w-]+"$/) }, body });
    const known = { 'if-none-match': String(got.headers['etag']) };
    expect((await send('GET', '/products/ABC-101', undefined, staff, known)).status).toBe(304);
    expect(await ask('{ product(sku: "ABC-101") { id name } }')).toEqual({ id: body.id, name: 'Mate' });
    const updated = await send('PATCH', '/products/ABC-101', { price: 6 }, staff, {
      'content-type': 'application/merge-patch+json',
      'if-match': '"1"',
    });
    expect(updated).toMatchObject({ status: 200, body: { price: 6, version: 2 } });
    expect(
      await ask('mutation { updateProduct(sku: "ABC-101", input: { price: 7 }, ifVersion: 1) { id } }'),
    ).toMatchObject({
      code: 'PRECONDITION_FAILED',
    });
    const changed = await send('PUT', '/products/ABC-101', { sku: 'ABC-102', name: 'Mate', price: 5 });
    expect(changed).toMatchObject({ status: 422, body: { code: 'IMMUTABLE_PROPERTY', errors: [{ pointer: '/sku' }] } });
    expect(await ask('mutation { deleteProduct(sku: "ABC-101") }')).toBe(body.id);
    const gone = await send('GET', '/products/ABC-101');
    expect(gone).toMatchObject({ status: 404, body: { detail: 'No Product has this sku.' } });
    expect(await ask('{ product(sku: "ABC-101") { id } }')).toMatchObject({ code: 'NOT_FOUND' });
    expect((await send('DELETE', '/products/ABC-101')).status).toBe(404);
  });

  it('validates a key by its schema', async () => {
    const faulty = { status: 400, body: { code: 'VALIDATION_FAILED', errors: [{ parameter: 'sku' }] } };
    expect(await send('GET', '/products/abc')).toMatchObject(faulty);
    expect(await ask('{ product(sku: "abc") { id } }')).toMatchObject({ errors: [{ argument: 'sku' }] });
    expect(await ask('{ product(id: "abc") { id } }')).toMatchObject({ status: 400, errors: [{ argument: 'id' }] });
    expect((await send('GET', '/shelves/one', undefined, ann)).status).toBe(400);
  });

  it('creates by PUT what has no row, with the key of the path', async () => {
    const body = { sku: 'PUT-200', name: 'Rice', price: 2 };
    const made = await send('PUT', '/products/PUT-200', body);
    expect(made).toMatchObject({ status: 201, headers: { location: '/v1/products/PUT-200' }, body });
    expect((await send('PUT', '/products/PUT-200', body)).status).toBe(200);
    expect((await send('PUT', '/products/PUT-200', body, staff, { 'if-none-match': '*' })).status).toBe(412);
    const other = await send('PUT', '/products/PUT-201', body);
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/sku' }] } });
    const replies = await Promise.all(
      [1, 2, 3].map((price) => send('PUT', '/products/PUT-300', { ...body, sku: 'PUT-300', price })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
  });

  it('names the parent by its key, while the child holds its id', async () => {
    const { body: product } = await send('POST', '/products', { sku: 'SUB-100', name: 'Salt', price: 1 });
    await send('POST', '/products', { sku: 'SUB-101', name: 'Sugar', price: 1 });
    const key = { 'idempotency-key': 'a-review' };
    const made = await send('POST', '/products/SUB-100/reviews', { rating: 5 }, staff, key);
    expect(made).toMatchObject({ status: 201, body: { productId: product.id, rating: 5 } });
    expect(made.headers.location).toBe(`/v1/products/SUB-100/reviews/${made.body.id}`);
    const replayed = await send('POST', '/products/SUB-100/reviews', { rating: 5 }, staff, key);
    expect(replayed.body).toEqual(made.body);
    expect((await send('GET', made.headers.location!.slice(3))).body).toEqual(made.body);
    expect((await send('GET', `/products/SUB-101/reviews/${made.body.id}`)).status).toBe(404);
    expect((await send('GET', `/products/SUB-999/reviews/${made.body.id}`)).status).toBe(404);
    expect((await send('POST', '/products/SUB-999/reviews', { rating: 5 })).status).toBe(404);
    expect((await send('POST', '/products/SUB-999/reviews', { rating: 9 })).status).toBe(400);
    const nested = '{ product(sku: "SUB-100") { reviews { nodes { id product { sku } } } } }';
    expect(await ask(nested)).toEqual({ reviews: { nodes: [{ id: made.body.id, product: { sku: 'SUB-100' } }] } });
    const { body: list } = await send('GET', '/products/SUB-100/reviews?limit=1&count=true');
    expect(list).toMatchObject({ data: [made.body], page: { nextCursor: null, totalCount: 1 } });
    expect(await ask(`mutation { deleteReview(sku: "SUB-100", id: "${made.body.id}") }`)).toBe(made.body.id);
  });

  it('has the same cursors over both protocols, below a parent with a key', async () => {
    await send('POST', '/products', { sku: 'CUR-100', name: 'Nuts', price: 1 });
    for (const rating of [1, 2, 3]) await send('POST', '/products/CUR-100/reviews', { rating });
    const { body } = await send('GET', '/products/CUR-100/reviews?limit=1');
    const fields = '{ reviews(first: 1) { pageInfo { endCursor } } }';
    expect(await ask(`{ product(sku: "CUR-100") ${fields} }`)).toEqual({
      reviews: { pageInfo: { endCursor: body.page.nextCursor } },
    });
    const next = await send('GET', `/products/CUR-100/reviews?limit=1&cursor=${body.page.nextCursor}`);
    expect(next.body.data).toMatchObject([{ rating: 2 }]);
  });

  it('hides what belongs to another caller, below it too', async () => {
    const shelf = { number: 7, title: 'Mine' };
    expect((await send('POST', '/shelves', shelf, ann)).headers.location).toBe('/v1/shelves/7');
    expect((await send('PUT', '/shelves/7/boxes/nails', { label: 'nails', weight: 3 }, ann)).status).toBe(201);
    expect((await send('GET', '/shelves/7', undefined, bob)).status).toBe(404);
    expect((await send('GET', '/shelves/7/boxes/nails', undefined, bob)).status).toBe(404);
    expect((await send('PUT', '/shelves/7/boxes/nails', { label: 'nails', weight: 4 }, bob)).status).toBe(404);
    expect(await ask('{ box(number: 7, label: "nails") { weight } }', ann)).toEqual({ weight: 3 });
    expect(await ask('{ box(number: 7, label: "nails") { weight } }', bob)).toMatchObject({ code: 'NOT_FOUND' });
    const taken = await send('POST', '/shelves', shelf, bob);
    expect(taken).toMatchObject({ status: 409, body: { errors: [{ pointer: '/number' }] } });
    const unauthenticated = await service.request('GET', '/v1/shelves/7');
    expect(unauthenticated.status).toBe(401);
  });

  it('reads by a second key beside the id', async () => {
    const byCode = await send('GET', '/suppliers/by-code/acme');
    expect(byCode).toMatchObject({
      status: 200,
      headers: { etag: expect.stringMatching(/^"1\.[\w-]+"$/) },
      body: { code: 'acme', name: 'Acme' },
    });
    const { id } = byCode.body;
    expect((await send('GET', `/suppliers/${id}`)).body).toEqual(byCode.body);
    const headers = { 'if-none-match': String(byCode.headers['etag']) };
    expect((await send('GET', '/suppliers/by-code/acme', undefined, staff, headers)).status).toBe(304);
    expect((await send('GET', '/suppliers/by-code/nobody')).status).toBe(404);
    expect((await send('GET', '/suppliers/by-code/ACME')).status).toBe(400);
    expect(await ask('{ supplier(code: "acme") { id } }')).toEqual({ id: String(id) });
    expect(await ask(`{ supplier(id: "${id}") { code } }`)).toEqual({ code: 'acme' });
    expect((await send('PATCH', '/suppliers/by-code/acme', { name: 'A' })).status).toBe(405);
  });

  it('gives an override of get the id, whichever key was asked for', async () => {
    given.length = 0;
    await send('GET', '/suppliers/by-code/acme');
    await ask('{ supplier(code: "acme") { id } }');
    const { body } = await send('GET', '/suppliers/by-code/acme');
    expect(given).toMatchObject([{ id: body.id, params: { code: 'acme' } }, { id: body.id }, { id: body.id }]);
  });

  it('takes exactly one key over GraphQL', async () => {
    for (const args of ['', '(id: "1", code: "acme")', '(code: null)'])
      expect(await ask(`{ supplier${args} { id } }`)).toMatchObject({
        code: 'VALIDATION_FAILED',
        errors: [{ detail: 'exactly one of `id`, `code` must be given' }, {}],
      });
  });
});
