import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnyHandlers } from '../../src/runtime/wiring.ts';
import { databases } from '../support/databases.ts';
import { type As, type Reply, type Service, startService } from '../support/service.ts';
import type { Json } from '../support/storefront.ts';
import { called, callOf } from '../support/tools.ts';

const as: As = { sub: 'ann', scope: 'wares:read wares:write tags:read tags:write', claims: { tenant: 'a' } };
const bob: As = { ...as, sub: 'bob', claims: { tenant: 'b' } };
const reader: As = { ...as, scope: 'wares:read tags:write tags:read' };

/** An override of each kind of code: one that writes, and one that refuses. */
const handlers: AnyHandlers = {
  overrides: {
    'wares.tags': {
      create: async (input: Json, context: Json, next: (input: Json) => Promise<Json>) => {
        if (input.label === 'refused')
          context.refuse('FORBIDDEN', { errors: [{ pointer: '/label', detail: 'is refused' }] });
        return next({ ...input, weight: (input.weight ?? 0) + 1 });
      },
    },
  },
} as unknown as AnyHandlers;

describe.each(databases)('batches on $name', (database) => {
  let service: Service;
  let count = 0;

  const code = (): string => `c${++count}`;
  const ware = (more: object = {}) => ({ code: code(), name: 'Lamp', state: 'NEW', ...more });
  const send = (items: readonly object[], more: object = {}, options: object = {}): Promise<Reply> =>
    service.request('POST', '/v1/wares/batch', { as, body: { ...more, items }, ...options });
  const create = async (more: object = {}): Promise<Json> =>
    (await service.request('POST', '/v1/wares', { as, body: ware(more) })).body;
  const get = (id: string) => service.request('GET', `/v1/wares/${id}`, { as });
  const codes = async (): Promise<readonly string[]> => {
    const { body } = await service.request('GET', '/v1/wares?limit=100&sort=code', { as });
    return body.data.map((one: Json) => one.code);
  };
  const RESULT = 'status id ware { id code name price slotNo version }';
  const graphql = (items: readonly object[], mode?: string, options: object = {}) =>
    service.graphql(
      `mutation M($mode: BatchMode, $items: [WareBatchItem!]!) { batchWares(mode: $mode, items: $items) { results { ${RESULT} } } }`,
      { as, variables: { items, ...(mode && { mode }) }, ...options },
    );

  beforeAll(async () => {
    service = await startService('wares', database, handlers);
  });
  afterAll(() => service.close());

  it('writes every kind of item in one transaction, and answers each as alone', async () => {
    const [one, two, three] = [await create(), await create(), await create({ price: 7 })];
    const { status, body } = await send([
      { create: { input: ware({ slot_no: 1 }) } },
      { update: { id: one.id, input: { price: 9 }, if_version: 1 } },
      { replace: { key: { code: two.code }, input: ware({ code: two.code, name: 'Desk' }) } },
      { delete: { id: three.id } },
    ]);
    expect(status).toBe(200);
    expect(body.data.map((result: Json) => result.status)).toEqual([201, 200, 200, 204]);
    expect(body.data[0].data).toMatchObject({ price: 5, slot_no: 1, version: 1 });
    expect(body.data[1].data).toMatchObject({ id: one.id, price: 9, version: 2 });
    expect(body.data[2].data).toMatchObject({ id: two.id, name: 'Desk', version: 2 });
    expect(body.data[3]).toEqual({ status: 204 });
    for (const { etag, data } of body.data.slice(0, 3)) expect((await get(data.id)).headers['etag']).toBe(etag);
    expect((await get(three.id)).status).toBe(404);
  });

  it('answers GraphQL the same, with the spelling of its names', async () => {
    const one = await create();
    const item = { code: code(), name: 'Chair', slotNo: 4, shelf: code(), state: 'NEW' };
    const answer = await graphql([
      { create: { input: item } },
      { update: { key: { code: one.code }, input: { slotNo: 8 }, ifVersion: 1 } },
      { delete: { id: one.id, ifVersion: null } },
    ]);
    expect(answer.errors).toBeUndefined();
    const [made, changed, gone] = answer.data.batchWares.results;
    expect(made).toMatchObject({ status: 201, ware: { slotNo: 4, price: 5, version: 1 } });
    expect(changed).toMatchObject({ status: 200, id: one.id, ware: { slotNo: 8, version: 2 } });
    expect(gone).toEqual({ status: 204, id: one.id, ware: null });
  });

  it('ends ATOMIC at the first item that fails, with its status and its place, and writes nothing', async () => {
    const one = await create();
    const before = await codes();
    const items = [{ create: { input: ware() } }, { create: { input: ware({ code: one.code }) } }];
    const { status, body } = await send(items);
    expect([status, body.code]).toEqual([409, 'ALREADY_EXISTS']);
    expect(body.errors).toMatchObject([{ pointer: '/items/1/create/input/code', code: 'ALREADY_EXISTS' }]);
    const missing = await send([{ create: { input: ware() } }, { delete: { id: crypto.randomUUID() } }]);
    expect([missing.status, missing.body.errors[0].pointer]).toEqual([404, '/items/1']);
    const stale = await send([{ update: { id: one.id, input: { price: 1 }, if_version: 9 } }]);
    expect([stale.status, stale.body.errors[0].pointer]).toEqual([412, '/items/0']);
    const answer = await graphql(items.map(({ create: { input } }) => ({ create: { input } })));
    expect(answer.data).toBeNull();
    expect(answer.errors?.[0]?.extensions).toMatchObject({
      code: 'ALREADY_EXISTS',
      errors: [{ argument: 'items.1.create.input.code' }],
    });
    expect(await codes()).toEqual(before);
  });

  it('names the first of several new rows that fails, whatever is checked first', async () => {
    const one = await create();
    const [good, taken, illegal] = [ware(), ware({ code: one.code }), ware({ state: 'SOLD' })];
    const endOf = async (...inputs: readonly object[]) => {
      const { body } = await send(inputs.map((input) => ({ create: { input } })));
      return [body.code, body.errors[0].pointer];
    };
    expect(await endOf(good, taken, illegal)).toEqual(['ALREADY_EXISTS', '/items/1/create/input/code']);
    expect(await endOf(good, illegal, taken)).toEqual(['ILLEGAL_TRANSITION', '/items/1/create/input/state']);
    expect(await endOf(good, ware(), good)).toEqual(['ALREADY_EXISTS', '/items/2/create/input/code']);
    const key = { code: (good as Json).code };
    const mixed = [
      { create: { input: good } },
      { create: { input: ware() } },
      { update: { key, input: { price: 3 } } },
    ];
    const { body } = await send([...mixed, { create: { input: ware() } }]);
    expect(body.data.map(({ status }: Json) => status)).toEqual([201, 201, 200, 201]);
    expect((await get(body.data[0].data.id)).body).toMatchObject({ price: 3, version: 2 });
  });

  it('answers each item of EACH by itself', async () => {
    const one = await create();
    const items = [
      { create: { input: ware({ code: one.code }) } },
      { create: { input: ware() } },
      { update: { id: one.id, input: { state: 'SOLD' } } },
      { update: { id: one.id, input: { state: 'NEW' } } },
    ];
    const { status, body } = await send(items, { mode: 'EACH' });
    expect(status).toBe(200);
    expect(body.data.map((result: Json) => result.status)).toEqual([409, 201, 200, 409]);
    expect(body.data[0].error).toMatchObject({
      code: 'ALREADY_EXISTS',
      status: 409,
      errors: [{ pointer: '/items/0/create/input/code' }],
    });
    expect(body.data[3].error).toMatchObject({ code: 'ILLEGAL_TRANSITION' });
    const answer = await graphql(
      [{ create: { input: { ...ware(), code: one.code } } }, { delete: { id: one.id } }],
      'EACH',
    );
    expect(answer.data.batchWares.results).toEqual([null, { status: 204, id: one.id, ware: null }]);
    expect(answer.errors).toMatchObject([
      {
        path: ['batchWares', 'results', 0],
        extensions: { code: 'ALREADY_EXISTS', errors: [{ argument: 'items.0.create.input.code' }] },
      },
    ]);
  });

  it('refuses a body with any fault as a whole, in both modes, at its place', async () => {
    const before = await codes();
    const good = { create: { input: ware() } };
    const faulty: readonly (readonly [object, string, string])[] = [
      [{ create: { input: ware({ price: -1 }) } }, '/items/1/create/input/price', 'items.1.create.input.price'],
      [
        { update: { id: crypto.randomUUID(), input: { price: -1 } } },
        '/items/1/update/input/price',
        'items.1.update.input.price',
      ],
      [{ update: { input: { price: 1 } } }, '/items/1/update', 'items.1.update'],
      [{ update: { id: crypto.randomUUID(), key: { code: 'a' }, input: {} } }, '/items/1/update', 'items.1.update'],
      [{ delete: { key: { shelf: 'a' } } }, '/items/1/delete/key', 'items.1.delete.key'],
      [
        { upsert: { key: { code: 'x1' }, create: ware({ code: 'x2' }) } },
        '/items/1/upsert/create/code',
        'items.1.upsert.create.code',
      ],
    ];
    for (const mode of ['ATOMIC', 'EACH'])
      for (const [item, pointer, argument] of faulty) {
        const { status, body } = await send([good, item], { mode });
        expect([status, body.code, body.errors[0].pointer], pointer).toEqual([400, 'VALIDATION_FAILED', pointer]);
        const answer = await graphql([good, item], mode);
        expect(answer.errors?.[0]?.extensions, argument).toMatchObject({
          code: 'VALIDATION_FAILED',
          errors: [{ argument }],
        });
        expect(answer.data).toBeNull();
      }
    expect((await send([])).status).toBe(400);
    expect((await send([{ create: { input: ware() }, delete: { id: crypto.randomUUID() } }])).status).toBe(400);
    expect((await send([good], { mode: 'SOME' })).status).toBe(400);
    expect((await send(new Array(101).fill(good))).status).toBe(400);
    expect(await codes()).toEqual(before);
  });

  it('upserts by a key: creates, or else updates what is sent', async () => {
    const key = { code: code() };
    const upsert = { upsert: { key, create: { ...key, name: 'Vase', state: 'NEW' } } };
    const made = await send([upsert]);
    expect(made.body.data).toMatchObject([{ status: 201, data: { price: 5, name: 'Vase' } }]);
    await send([{ update: { key, input: { price: 8, shelf: key.code, slot_no: 2 } } }]);
    const again = { upsert: { key, create: { ...key, name: 'Jar', state: 'NEW' } } };
    const changed = (await send([again], { mode: 'EACH' })).body.data;
    expect(changed).toMatchObject([{ status: 200, data: { name: 'Jar', price: 8, slot_no: 2 } }]);
    const pair = { shelf: key.code, slotNo: 2 };
    const create = { code: code(), name: 'No', state: 'NEW', ...pair };
    const answer = await graphql([{ upsert: { key: pair, create, update: { price: 3 } } }]);
    expect(answer.data.batchWares.results).toMatchObject([{ status: 200, ware: { name: 'Jar', price: 3 } }]);
    const written = await graphql([{ upsert: { key, create: { ...key, name: 'Cup', state: 'NEW' } } }], 'EACH');
    expect(written.data.batchWares.results).toMatchObject([
      { status: 200, ware: { name: 'Cup', price: 3, slotNo: 2 } },
    ]);
  });

  it('sees the items before', async () => {
    const key = { code: code() };
    const input = { ...key, name: 'Vase', state: 'NEW' };
    const { body } = await send([
      { create: { input } },
      { update: { key, input: { price: 1 } } },
      { upsert: { key, create: input, update: { price: 2 } } },
      { delete: { key } },
      { upsert: { key, create: input } },
    ]);
    expect(body.data.map((one: Json) => [one.status, one.data?.price])).toEqual([
      [201, 5],
      [200, 1],
      [200, 2],
      [204, undefined],
      [201, 5],
    ]);
  });

  it('asks the access of the operation, then that of each action and tenant', async () => {
    const one = await create();
    const refused = await service.request('POST', '/v1/wares/batch', {
      as: reader,
      body: { items: [{ delete: { id: one.id } }] },
    });
    expect(refused.status).toBe(403);
    expect((await service.request('POST', '/v1/wares/batch', { body: { items: [] } })).status).toBe(401);
    const other = await send([{ delete: { id: one.id } }], { mode: 'EACH' }, { as: bob });
    expect(other.body.data).toMatchObject([{ status: 404, error: { code: 'NOT_FOUND' } }]);
    const unnamed = await send([{ delete: { key: { code: one.code } } }], {}, { as: bob });
    expect(unnamed).toMatchObject({ status: 404, body: { detail: 'No Ware has this code.' } });
    const own = await send(
      [{ upsert: { key: { code: one.code }, create: ware({ code: one.code }) } }],
      {},
      { as: bob },
    );
    expect(own.body.data).toMatchObject([{ status: 201, data: { tenant_id: 'b' } }]);
  });

  it('keeps the answer of ATOMIC under its key, and each success of EACH', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const items = [{ create: { input: ware() } }, { create: { input: ware() } }];
    const first = await send(items, {}, { headers });
    expect((await send(items, {}, { headers })).body).toEqual(first.body);
    expect((await send(items.slice(1), {}, { headers })).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
    const taken = await create();
    const more = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const each = [
      { create: { input: ware() } },
      { create: { input: ware({ code: taken.code }) } },
      { delete: { id: first.body.data[0].data.id } },
    ];
    const tried = await send(each, { mode: 'EACH' }, more);
    expect(tried.body.data.map((one: Json) => one.status)).toEqual([201, 409, 204]);
    await send([{ delete: { id: taken.id } }]);
    const again = await send(each, { mode: 'EACH' }, more);
    expect(again.body.data.map((one: Json) => one.status)).toEqual([201, 201, 204]);
    expect(again.body.data[0]).toEqual(tried.body.data[0]);
    const key = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const made = await graphql([{ create: { input: ware() } }], 'EACH', key);
    expect(
      (await graphql([{ create: { input: made.data.batchWares.results[0].ware } }], 'EACH', key)).errors,
    ).toBeDefined();
  });

  it('runs overrides, below a parent, of rows whose ids the database counts', async () => {
    const { id } = await create();
    const body = { items: [{ create: { input: { label: 'x' } } }, { create: { input: { label: 'y', weight: 4 } } }] };
    const made = await service.request('POST', `/v1/wares/${id}/tags/batch`, { as, body });
    expect(made.body.data.map((one: Json) => one.data.weight)).toEqual([1, 5]);
    const label = {
      items: [{ update: { key: { label: 'y' }, input: { weight: 9 } } }, { create: { input: { label: 'refused' } } }],
    };
    const refused = await service.request('POST', `/v1/wares/${id}/tags/batch`, { as, body: label });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([403, '/items/1/create/input/label']);
    const answer = await service.graphql(
      `mutation M($id: ID!, $items: [WareTagBatchItem!]!) { batchWareTags(wareId: $id, items: $items, mode: EACH) { results { status id wareTag { weight } } } }`,
      {
        as,
        variables: {
          id,
          items: [
            { update: { id: String(made.body.data[0].data.id), input: { weight: 3 } } },
            { upsert: { key: { label: 'y' }, create: { label: 'y' }, update: { weight: null } } },
          ],
        },
      },
    );
    expect(answer.data.batchWareTags.results).toEqual([
      { status: 200, id: String(made.body.data[0].data.id), wareTag: { weight: 3 } },
      { status: 200, id: String(made.body.data[1].data.id), wareTag: { weight: null } },
    ]);
    const gone = await service.request('POST', `/v1/wares/${crypto.randomUUID()}/tags/batch`, { as, body });
    expect([gone.status, gone.body.code]).toEqual([404, 'NOT_FOUND']);
  });

  it('is a tool only where its operation says so', async () => {
    const tools = service.contract.tools!.tools.map(({ operationId }) => operationId);
    expect([tools.includes('batchWares'), tools.includes('batchWareTags'), tools.includes('createWareTag')]).toEqual([
      true,
      false,
      true,
    ]);
    const one = await create();
    const call = async (args: object): Promise<Json> =>
      called(await service.request('POST', '/mcp', { as, body: callOf('batchWares', args) }));
    const items = [{ create: { input: ware({ code: one.code }) } }, { update: { id: one.id, input: { price: 2 } } }];
    const refused = await call({ input: { items } });
    expect(refused.isError).toBe(true);
    expect(refused.value).toMatchObject({
      code: 'ALREADY_EXISTS',
      errors: [{ argument: 'input.items.0.create.input.code' }],
    });
    const { value } = await call({ input: { mode: 'EACH', items }, idempotencyKey: crypto.randomUUID() });
    expect(value.data).toMatchObject([{ error: { code: 'ALREADY_EXISTS' } }, { status: 200, data: { price: 2 } }]);
  });

  it('counts the items in the cost of a document', async () => {
    const items = Array.from({ length: 100 }, () => ({ create: { input: ware() } }));
    const many = Array.from({ length: 15 }, (_, i) => `m${i}: batchWares(items: $items) { __typename }`).join(' ');
    const answer = await service.graphql(`mutation M($items: [WareBatchItem!]!) { ${many} }`, {
      as,
      variables: { items },
    });
    expect(answer.data).toBeUndefined();
    expect(answer.errors?.[0]?.message).toContain('cost');
  });
});
