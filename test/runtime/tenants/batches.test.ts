import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type As, type Reply, type Service, startService } from '../../support/service.ts';
import type { Json } from '../../support/storefront.ts';
import { layoutDatabases } from '../../support/walled-databases.ts';

const SCOPE = 'wares:read wares:write tags:read tags:write';
const ann: As = { sub: 'ann', scope: SCOPE, claims: { tenant: 'a' } };
const bob: As = { sub: 'bob', scope: SCOPE, claims: { tenant: 'b' } };
const all: As = { sub: 'all', scope: `${SCOPE} tenants:all`, claims: { tenant: 'a' } };

describe.each(layoutDatabases)('batches of rows of tenants, on $name,', (database) => {
  let service: Service;
  let count = 0;
  beforeAll(async () => {
    service = await startService('wares', database);
  });
  afterAll(() => service.close());

  const ware = (code = `t${++count}`) => ({ code, name: 'Lamp', state: 'NEW' });
  const send = (as: As, items: readonly object[], mode = 'ATOMIC', path = 'wares'): Promise<Reply> =>
    service.request('POST', `/v1/${path}/batch`, { as, body: { mode, items } });
  const create = async (as: As, code?: string): Promise<Json> =>
    (await send(as, [{ create: { input: ware(code) } }])).body.data[0].data;
  const get = async (as: As, { id }: Json): Promise<Json> =>
    (await service.request('GET', `/v1/wares/${id}`, { as })).body;

  it('of a caller across tenants write rows of several in one transaction, and leave nothing if one fails', async () => {
    const [one, two, gone] = [await create(ann), await create(bob), await create(bob)];
    const items = [
      { update: { id: two.id, input: { price: 1 } } },
      { create: { input: ware() } },
      { update: { id: one.id, input: { price: 2 }, if_version: 1 } },
      { delete: { id: gone.id } },
    ];
    const { status, body } = await send(all, items);
    expect(status).toBe(200);
    expect(body.data.map((result: Json) => [result.status, result.data?.tenant_id])).toEqual([
      [200, 'b'],
      [201, 'a'],
      [200, 'a'],
      [204, undefined],
    ]);
    const failing = await send(all, [
      { update: { id: one.id, input: { price: 8 } } },
      { update: { id: two.id, input: { price: 9 }, if_version: 1 } },
    ]);
    expect([failing.status, failing.body.errors[0].pointer]).toEqual([412, '/items/1']);
    expect([(await get(ann, one)).price, (await get(bob, two)).price]).toEqual([2, 1]);
    expect((await get(bob, gone)).code).toBe('NOT_FOUND');
  });

  it.each(['ATOMIC', 'EACH'])('name rows by a key in their own tenant, in %s', async (mode) => {
    const code = `k${++count}`;
    const [one, two] = [await create(ann, code), await create(bob, code)];
    const items = [
      { update: { key: { code }, input: { price: 3 } } },
      { upsert: { key: { code }, create: ware(code), update: { name: 'Desk' } } },
    ];
    for (const as of [all, ann])
      expect((await send(as, items, mode)).body.data.map((one: Json) => one.data.id)).toEqual([one.id, one.id]);
    expect(await get(bob, two)).toMatchObject({ price: 5, name: 'Lamp' });
    const mine = await send(
      bob,
      [{ delete: { key: { code } } }, { update: { id: one.id, input: { price: 4 } } }],
      'EACH',
    );
    expect(mine.body.data.map((one: Json) => one.error?.code ?? one.status)).toEqual([204, 'NOT_FOUND']);
  });

  it('below a parent of another tenant are for callers across tenants alone', async () => {
    const { id } = await create(bob);
    const items = [{ create: { input: { label: 'x' } } }, { upsert: { key: { label: 'x' }, create: { label: 'x' } } }];
    expect((await send(ann, items, 'ATOMIC', `wares/${id}/tags`)).body.code).toBe('NOT_FOUND');
    const { body } = await send(all, items, 'ATOMIC', `wares/${id}/tags`);
    expect(body.data.map((one: Json) => one.status)).toEqual([201, 200]);
    const seen = await service.request('GET', `/v1/wares/${id}/tags`, { as: bob });
    expect(seen.body.data.map((one: Json) => one.label)).toEqual(['x']);
  });

  it('that cross, of callers of one tenant and of all, wait for each other and all succeed', async () => {
    const rows = await Promise.all([ann, bob, ann, bob, ann, bob].map((as) => create(as)));
    const own = ({ claims }: As) => rows.filter(({ tenant_id }) => tenant_id === claims?.['tenant']);
    const updates = (some: readonly Json[], name: string) =>
      some.map(({ id }) => ({ update: { id, input: { name } } }));
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const [as, some] = (
          [
            [all, rows],
            [ann, own(ann)],
            [bob, own(bob)],
          ] as const
        )[i % 3]!;
        return send(as, updates(i % 2 === 0 ? some : some.toReversed(), `Seen ${i}`));
      }),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(await get(ann, rows[0])).toMatchObject({ version: 7 });
  });
});
