import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { type Service, startService } from '../../support/service.ts';

const as = { sub: '01941f29-7c00-7a10-8c57-00000000000a', scope: 'widgets:write' };
const NOBODY = '01941f29-7c00-7a10-8c57-0000000000ff';

describe.each(databases)('names that GraphQL cannot spell, on $name', (database) => {
  let service: Service;
  let shop = '';
  let base = '';

  beforeAll(async () => {
    service = await startService('widgets', database);
    const { body } = await service.request('POST', '/v1/shops', { as, body: { 'the name': 'Corner' } });
    shop = body.id;
    base = `/v1/shops/${shop}/widgets`;
  });
  afterAll(() => service.close());

  const FIELDS =
    'id firstName theState color _2fa typename size { xY unitOfIt } allParts { __typename ... on paperPart { kindOf sheets } ... on _3dPart { kindOf fill } } otherWidgetId';
  const create = (input: object) =>
    service.graphql(
      `mutation($shop: ID!, $input: OpsWidgetInput!) { createOpsWidget(shop_id: $shop, input: $input) { ${FIELDS} } }`,
      { as, variables: { shop, input } },
    );

  it('are those of OpenAPI in the store and over REST, whichever protocol wrote', async () => {
    const { data, errors } = await create({
      firstName: 'Ada',
      color: '_3d',
      _2fa: true,
      typename: 'gear',
      size: { xY: 2.5, unitOfIt: 'm_s' },
      allParts: [{ ofPaper: { sheets: 3 } }, { _3d: { fill: 40 } }],
    });
    expect(errors).toBeUndefined();
    const { body } = await service.request('GET', `${base}/${data.createOpsWidget.id}`);
    expect(body).toMatchObject({
      shop_id: shop,
      'first.name': 'Ada',
      'the-state': 'in-progress',
      '@color': '3d',
      '2fa': true,
      __typename: 'gear',
      $size: { 'x-y': 2.5, 'unit of it': 'm/s' },
      'all parts': [
        { 'kind-of': 'of-paper', 'sheets#': 3 },
        { 'kind-of': '3d', '%fill': 40 },
      ],
    });
  });

  it('are those of GraphQL in its answers, literals and defaults included', async () => {
    const { body: made } = await service.request('POST', base, {
      as,
      body: { 'first.name': 'Bob', '@color': '', __typename: 'cog', $size: { 'x-y': 1, 'unit of it': '%' } },
    });
    const query = `{ opsWidget(shop_id: "${shop}", id: "${made.id}") { ${FIELDS} } }`;
    expect((await service.graphql(query)).data.opsWidget).toEqual({
      id: made.id,
      firstName: 'Bob',
      theState: 'in_progress',
      color: '_',
      _2fa: null,
      typename: 'cog',
      size: { xY: 1, unitOfIt: '_' },
      allParts: null,
      otherWidgetId: null,
    });
    const literal = `mutation { createOpsWidget(shop_id: "${shop}", input: { firstName: "Cyd", typename: "cam" }) { color } }`;
    expect((await service.graphql(literal, { as })).data.createOpsWidget).toEqual({ color: 'red_blue' });
    const patch = `mutation { updateOpsWidget(shop_id: "${shop}", id: "${made.id}", input: { theState: on_hold, color: true_, size: { xY: 3 } }) { theState color size { xY unitOfIt } } }`;
    expect((await service.graphql(patch, { as })).data.updateOpsWidget).toEqual({
      theState: 'on_hold',
      color: 'true_',
      size: { xY: 3, unitOfIt: '_' },
    });
    const { body } = await service.request('GET', `${base}/${made.id}`);
    expect(body).toMatchObject({ 'the-state': 'on hold', '@color': 'true', $size: { 'x-y': 3, 'unit of it': '%' } });
  });

  it('filter, sort and page the same lists', async () => {
    await create({ firstName: 'Dan', color: 'null_', typename: 'dot' });
    await create({ firstName: 'Eve', color: 'null_', typename: 'eye', _2fa: false });
    const list = `query($filter: OpsWidgetFilter, $sort: [OpsWidgetSort!]) { opsShop(id: "${shop}") { widgets(first: 1, filter: $filter, sort: $sort) { nodes { firstName } totalCount pageInfo { endCursor } } } }`;
    const filter = { color: 'null_', theState: ['in_progress', 'done'] };
    const { data } = await service.graphql(list, { variables: { filter, sort: ['FIRST_NAME_ASC'] } });
    const { body } = await service.request(
      'GET',
      `${base}?limit=1&count=true&sort=first.name&%40color=null&the-state=in-progress,done`,
    );
    expect(body.data.map((one: Record<string, unknown>) => one['first.name'])).toEqual(['Dan']);
    expect(data.opsShop.widgets).toEqual({
      nodes: [{ firstName: 'Dan' }],
      totalCount: 2,
      pageInfo: { endCursor: body.page.nextCursor },
    });
    expect(body.page.totalCount).toBe(2);
    const variables = { filter: { _2fa: false, firstName: { contains: 'v' } }, sort: ['_2FA_DESC'] };
    const { data: narrowed } = await service.graphql(list, { variables });
    expect(narrowed.opsShop.widgets.nodes).toEqual([{ firstName: 'Eve' }]);
  });

  it('say where a fault is, in the names of each protocol', async () => {
    const { errors } = await create({ firstName: '', typename: 'NO', allParts: [{ _3d: { fill: 101 } }] });
    const places = errors![0]!.extensions.errors.map(({ argument }: { argument: string }) => argument);
    expect(places.sort()).toEqual(['input.allParts.0._3d.fill', 'input.firstName', 'input.typename']);
    const { body } = await service.request('POST', base, {
      as,
      body: { 'first.name': '', __typename: 'NO', 'all parts': [{ 'kind-of': '3d', '%fill': 101 }] },
    });
    const pointers = body.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers.sort()).toEqual(['/__typename', '/all parts/0/%fill', '/first.name']);
  });

  it('say so of what is unique, and of what is referred to', async () => {
    await create({ firstName: 'Fay', typename: 'fan' });
    const twice = await create({ firstName: 'Fay', typename: 'fan' });
    expect(twice.errors![0]!.extensions.code).toBe('ALREADY_EXISTS');
    const lost = await create({ firstName: 'Gus', typename: 'gap', otherWidgetId: NOBODY });
    expect(lost.errors![0]!.extensions).toMatchObject({
      code: 'REFERENCE_NOT_FOUND',
      errors: [{ argument: 'input.otherWidgetId' }],
    });
  });
});

describe.each(databases)('a contract in snake_case, on $name', (database) => {
  let service: Service;
  const grower = { sub: as.sub, scope: 'orchard:write' };
  const owner = { sub: as.sub, scope: '' };

  beforeAll(async () => {
    service = await startService('orchard', database);
  });
  afterAll(() => service.close());

  it('is in snake_case over REST, and in camelCase over GraphQL', async () => {
    const made = await service.request('POST', '/v1/growers', { as: grower, body: { full_name: 'Ann' } });
    expect(made.body).toEqual({
      id: made.body.id,
      version: 1,
      created_at: service.now,
      updated_at: service.now,
      full_name: 'Ann',
    });
    expect(made.headers['location']).toBe(`/v1/growers/${made.body.id}`);
    const tree = await service.graphql(
      'mutation($input: FruitTreeInput!) { createFruitTree(input: $input) { id createdAt lifeStage soilReport { phValue isSandy } grower { fullName } } }',
      { as: owner, variables: { input: { rowNumber: 7, soilReport: { phValue: 6.5 }, growerId: made.body.id } } },
    );
    expect(tree.errors).toBeUndefined();
    const { id, ...rest } = tree.data.createFruitTree;
    expect(rest).toEqual({
      createdAt: service.now,
      lifeStage: 'young_tree',
      soilReport: { phValue: 6.5, isSandy: null },
      grower: { fullName: 'Ann' },
    });
    const path = `/v1/fruit_trees/${id}`;
    const patched = await service.request('PATCH', path, {
      as: owner,
      body: { life_stage: 'bearing', soil_report: { is_sandy: true } },
      headers: { 'content-type': 'application/merge-patch+json', 'if-match': '"1"' },
    });
    expect(patched.body).toMatchObject({
      version: 2,
      owner_id: as.sub,
      row_number: 7,
      soil_report: { ph_value: 6.5, is_sandy: true },
    });
    const day = await service.graphql(
      'mutation($tree: ID!) { createHarvestDay(fruitTreeId: $tree, input: { pickedOn: "2026-01-02", weightInKg: 12.5 }) { fruitTreeId fruitTree { rowNumber } } }',
      { as: owner, variables: { tree: id } },
    );
    expect(day.data?.createHarvestDay).toEqual({ fruitTreeId: id, fruitTree: { rowNumber: 7 } });
    const days = await service.request('GET', `${path}/harvest_days`, { as: owner });
    expect(days.body).toMatchObject({ data: [{ weight_in_kg: 12.5 }], page: { next_cursor: null } });
  });

  it('has one list for both protocols', async () => {
    for (const row_number of [20, 21, 22])
      await service.request('POST', '/v1/fruit_trees', { as: owner, body: { row_number, planted_on: '2020-03-04' } });
    const query = 'limit=2&count=true&sort=-row_number&row_number%5Bgte%5D=20&life_stage=young_tree';
    const { body } = await service.request('GET', `/v1/fruit_trees?${query}`, { as: owner });
    expect(body.data.map(({ row_number }: { row_number: number }) => row_number)).toEqual([22, 21]);
    expect(body.page).toEqual({ next_cursor: expect.any(String), total_count: 3 });
    const { data } = await service.graphql(
      '{ fruitTrees(first: 2, sort: [ROW_NUMBER_DESC], filter: { rowNumber: { gte: 20 }, lifeStage: [young_tree] }) { nodes { rowNumber plantedOn } totalCount pageInfo { endCursor hasNextPage } } }',
      { as: owner },
    );
    expect(data.fruitTrees).toEqual({
      nodes: [22, 21].map((rowNumber) => ({ rowNumber, plantedOn: '2020-03-04' })),
      totalCount: 3,
      pageInfo: { endCursor: body.page.next_cursor, hasNextPage: true },
    });
    const rest = await service.request('GET', `/v1/fruit_trees?${query}&cursor=${body.page.next_cursor}`, {
      as: owner,
    });
    expect(rest.body.page).toEqual({ next_cursor: null, total_count: 3 });
  });

  it('names a fault as each protocol does', async () => {
    const body = { row_number: 0 };
    const rest = await service.request('POST', '/v1/fruit_trees', { as: owner, body });
    expect(rest.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ pointer: '/row_number' }] });
    const input = { rowNumber: 0 };
    const graphql = await service.graphql(
      'mutation($input: FruitTreeInput!) { createFruitTree(input: $input) { id } }',
      { as: owner, variables: { input } },
    );
    expect(graphql.errors![0]!.extensions.errors).toMatchObject([{ argument: 'input.rowNumber' }]);
    const list = await service.graphql('{ fruitTrees(filter: { rowNumber: { gte: 1 } }, first: 0) { nodes { id } } }', {
      as: owner,
    });
    expect(list.errors![0]!.extensions.errors).toMatchObject([{ argument: 'first' }]);
  });
});
