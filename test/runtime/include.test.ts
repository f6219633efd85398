import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { type Edit, editedContract } from '../support/edited-contract.ts';
import { watchReads } from '../support/reads.ts';
import { type As, type Service, startCompiled } from '../support/service.ts';
import { admin, customer, type Json, Shop } from '../support/storefront.ts';
import { called, callOf } from '../support/tools.ts';
import { CALLERS, makeWorld, type World } from '../support/tracker-world.ts';
import { layoutDatabases } from '../support/walled-databases.ts';

/** Of docs/reference/include.md, of orders instead of books. */
describe.each(databases)('include over REST on $name', (database) => {
  let shop: Shop;
  let user: Json;
  let mug: Json;
  const orders: Json[] = [];
  let reads: string[] = [];

  const get = (path: string, as = customer, headers = {}) => shop.request('GET', path, as, undefined, headers);
  const tool = async (name: string, args: object) => {
    const as = { sub: customer.subject, scope: customer.scope };
    return called(await shop.service.request('POST', '/mcp', { as, body: callOf(name, args) }));
  };

  beforeAll(async () => {
    shop = await Shop.open(database);
    user = await shop.user(customer);
    mug = await shop.product({ stock: 900 });
    for (let n = 0; n < 2; n++) orders.push(await shop.order());
    for (let n = 0; n < 22; n++) await shop.item(orders[1].id, (await shop.product({ stock: 90 })).id, 1 + n);
    await shop.item(orders[0].id, mug.id, 3);
    reads = watchReads(shop.store);
  });
  afterAll(() => shop.close());
  beforeEach(() => {
    reads.length = 0;
  });

  it('answers what GraphQL answers to the same question', async () => {
    const { status, body } = await get('/orders?include=items.product,user');
    expect(status).toBe(200);
    const page = '{ nodes { id quantity product { id sku } } pageInfo { endCursor hasNextPage } }';
    const document = `{ orders { nodes { id user { id name } items ${page} } } }`;
    const { data } = await shop.graphql(document, {}, customer);
    const asGraphql = body.data.map(({ id, user: { id: userId, name }, items }: Json) => ({
      id,
      user: { id: userId, name },
      items: {
        nodes: items.data.map(({ id: item, quantity, product }: Json) => ({
          id: item,
          quantity,
          product: { id: product.id, sku: product.sku },
        })),
        hasNextPage: items.page.nextCursor !== null,
      },
    }));
    const withoutEnd = data.orders.nodes.map(({ items: { nodes, pageInfo }, ...order }: Json) => ({
      ...order,
      items: { nodes, hasNextPage: pageInfo.hasNextPage },
    }));
    expect(asGraphql).toEqual(withoutEnd);
    expect(body.data.map(({ items }: Json) => items.data.length)).toEqual([20, 1]);
  });

  it('reads one statement for each name, and nothing that was not asked for', async () => {
    await get('/orders?include=items.product,user');
    expect(reads.toSorted()).toEqual(['getEach products', 'getEach users', 'list orders', 'listEach orders.items']);
    reads.length = 0;
    const { body } = await get(`/orders/${orders[0].id}?include=user`);
    expect(reads).toEqual(['get orders', 'getEach users']);
    expect(body).toMatchObject({ id: orders[0].id, user });
    expect(body).not.toHaveProperty('items');
    expect(Object.keys((await get(`/orders/${orders[0].id}`)).body)).not.toContain('user');
  });

  it('goes on where the cursor of a nested list says', async () => {
    const { id } = orders[1];
    const { items } = (await get(`/orders/${id}?include=items`)).body;
    const rest = (await get(`/orders/${id}/items?cursor=${items.page.nextCursor}`)).body;
    const all = (await get(`/orders/${id}/items?limit=100`)).body;
    expect([...items.data, ...rest.data]).toEqual(all.data);
  });

  it('names all that is included by the tag, of which writes compare the version alone', async () => {
    const path = `/orders/${orders[0].id}`;
    const [one, list] = [await get(`${path}?include=user`), await get('/orders?include=user')];
    const tag = { 'if-none-match': String(one.headers['etag']) };
    const listTag = { 'if-none-match': String(list.headers['etag']) };
    expect((await get(`${path}?include=user`, customer, tag)).status).toBe(304);
    expect((await get('/orders?include=user', customer, listTag)).status).toBe(304);
    expect((await get(path, customer, tag)).status).toBe(200);
    await shop.patch(`/users/${user.id}`, customer, { name: `Ada ${one.headers['etag']}`.slice(0, 40) });
    const renamed = await get(`${path}?include=user`, customer, tag);
    expect([renamed.status, renamed.body.user.version]).toEqual([200, one.body.user.version + 1]);
    const again = await get('/orders?include=user', customer, listTag);
    expect([again.status, again.body.data[0].user.version]).toEqual([200, one.body.user.version + 1]);
    const match = { 'if-match': String(one.headers['etag']) };
    expect((await get(`${path}?include=user`, customer, match)).status).toBe(200);
    const written = await shop.request('PATCH', path, customer, { note: 'Ring.' }, match);
    expect(written.status).toBe(200);
    expect((await shop.request('PATCH', path, customer, { note: 'Knock.' }, match)).status).toBe(412);
  });

  it.each([
    ['an unknown name', 'seller', 'must be equal to one of the allowed values'],
    ['a third level', 'items.product.reviews', ''],
    ['an empty name', '', ''],
    ['a name of every object', '__proto__', ''],
    ['a prefix of a name', 'item', ''],
  ])('refuses %s', async (_, include) => {
    for (const path of ['/orders', `/orders/${orders[0].id}`]) {
      const { status, body } = await get(`${path}?include=${include}`);
      expect(status, path).toBe(400);
      expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ parameter: 'include' }] });
    }
    for (const [name, args] of [['listOrders', {}] as const, ['getOrder', { orderId: orders[0].id }] as const]) {
      const { value, isError } = await tool(name, { ...args, include: [include] });
      expect([name, isError, value.code]).toEqual([name, true, 'VALIDATION_FAILED']);
    }
  });

  it('refuses what GraphQL would count above its limit, from the same number of entries on', async () => {
    const page = '{ nodes { product { id } } pageInfo { endCursor } }';
    const cost = async (n: number) => {
      const document = `{ orders(first: ${n}) { nodes { id items ${page} } pageInfo { endCursor } } }`;
      return (await shop.graphql(document, {}, customer)).errors?.[0]?.extensions.code;
    };
    for (const [n, code] of [[23, undefined] as const, [24, 'LIMIT_EXCEEDED'] as const]) {
      expect(await cost(n)).toBe(code);
      reads.length = 0;
      const { status, body } = await get(`/orders?limit=${n}&include=items.product`);
      expect([status, body.code]).toEqual(code ? [400, code] : [200, undefined]);
      if (code) expect([body.errors[0].parameter, reads]).toEqual(['include', []]);
      const { value } = await tool('listOrders', { limit: n, include: ['items.product'] });
      expect(value.code).toBe(code);
    }
  });

  it('refuses what the caller may not read, before anything is read', async () => {
    const reader = { ...customer, scope: 'orders:read' };
    for (const path of ['/orders', `/orders/${orders[0].id}`]) {
      reads.length = 0;
      const { status, body } = await get(`${path}?include=items,user`, reader);
      expect([status, body.code, body.errors]).toEqual([
        403,
        'FORBIDDEN',
        [{ parameter: 'include', detail: 'you may not read user' }],
      ]);
      expect(reads).toEqual([]);
      expect((await get(`${path}?include=items`, reader)).status).toBe(200);
    }
  });

  it('has what is included in tools, whatever fields of the rows they ask for', async () => {
    const { value } = await tool('getOrder', { orderId: orders[0].id, include: ['items.product'], fields: ['status'] });
    expect(value).toMatchObject({ status: 'PENDING', items: { data: [{ product: { id: mug.id } }] } });
    expect(Object.keys(value)).toEqual(['status', 'items']);
    const listed = await tool('listOrders', { include: ['user'], fields: ['id'], limit: 1 });
    expect(Object.keys(listed.value.data[0])).toEqual(['id', 'user']);
  });

  it('of no rows reads nothing more', async () => {
    const { body } = await get('/orders?status=SHIPPED&include=items.product,user', admin);
    expect([body.data, reads]).toEqual([[], ['list orders']]);
  });
});

const INCLUDE = (names: string) =>
  `{ name: include, in: query, explode: false, schema: { type: array, items: { type: string, enum: [${names}] } } }`;
const ISSUES = INCLUDE('project, project.labels, labels, labels.issues, comments');
/** The tracker, whose issues may include their project, labels and comments. */
const EDITS: readonly Edit[] = [
  ['openapi.yaml', /( +- )(?=\{ name: priority, in: query)/g, `$1${ISSUES}\n$1`],
  ['openapi.yaml', 'operationId: getIssue\n', `operationId: getIssue\n      parameters: [${ISSUES}]\n`],
];

describe.each(layoutDatabases)('include within tenants, owners and rules on $name', (database) => {
  let service: Service;
  let world: World;

  beforeAll(async () => {
    service = await startCompiled(await editedContract('tracker', EDITS), database);
    world = await makeWorld(service);
  });
  afterAll(() => service.close());

  it.each(Object.entries(CALLERS))('shows what GraphQL shows to %s', async (_, as: As | undefined) => {
    const found = await service.request(
      'GET',
      '/v1/issues?limit=5&include=project.labels,labels,comments',
      as && { as },
    );
    const nested = '{ nodes { id } }';
    const fields = `id project { id labels ${nested} } labels ${nested} comments ${nested}`;
    const { data, errors } = await service.graphql(`{ issues(first: 5) { nodes { ${fields} } } }`, as && { as });
    if (found.status !== 200) {
      expect(errors?.[0]?.extensions.code).toBe(found.body.code);
      return;
    }
    const ids = ({ data: rows }: Json) => ({ nodes: rows.map(({ id }: Json) => ({ id })) });
    const shown = found.body.data.map(({ id, project, labels, comments }: Json) => ({
      id,
      project: project && { id: project.id, labels: ids(project.labels) },
      labels: ids(labels),
      comments: ids(comments),
    }));
    expect(shown).toEqual(data.issues.nodes);
  });

  it('has rows of every kind for those who see them', async () => {
    const as = CALLERS['operator of no tenant'];
    const { body } = await service.request('GET', '/v1/issues?limit=20&include=project,labels,comments', as && { as });
    expect(body.data.length).toBe(world.rows.filter(({ kind }) => kind === 'issue').length);
    expect(body.data.filter(({ labels }: Json) => labels.data.length > 0).length).toBeGreaterThan(3);
    expect(body.data.every(({ project, projectId }: Json) => project.id === projectId)).toBe(true);
  });

  it('serves lists through another resource as well', async () => {
    const label = world.rows.find(({ kind }) => kind === 'label');
    const url = `/v1/labels/${label?.id}/issues?include=project`;
    const { status, body } = await service.request('GET', url, label && { as: label.madeBy });
    expect([status, body.data.length]).toEqual([200, 1]);
    expect(body.data[0].project.id).toBe(body.data[0].projectId);
  });
});
