import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { databases } from '../support/databases.ts';
import { type As, type Reply, type Service, startService } from '../support/service.ts';
import { admin, type Json, Shop } from '../support/storefront.ts';

const ann: As = { sub: 'ann', scope: '' };
const bob: As = { sub: 'bob', scope: '' };
const auditor: As = { sub: 'ann', scope: 'margins:read' };
const everyone: As = { sub: 'zoe', scope: 'shops:all' };

const SALES = [
  {
    kind: 'cash',
    seller_id: 1,
    amount: 100,
    margin: '1.5',
    photons: '9223372036854775807',
    sold_at: '2026-03-01T04:30:00Z',
  },
  {
    kind: 'cash',
    seller_id: 1,
    amount: 201,
    margin: '0.25',
    photons: '9223372036854775807',
    sold_at: '2026-03-31T22:30:00Z',
  },
  { kind: 'gift-card', seller_id: 2, amount: 7, sold_at: '2026-03-31T22:30:00Z', due_on: '2026-05-09' },
  { kind: 'gift-card', seller_id: 2, amount: 3, sold_at: '2026-04-02T00:00:00Z', due_on: '2026-06-30' },
];

describe.each(databases)('totals in the contract on $name', (database) => {
  let service: Service;
  let shop: string;

  const rest = (query: string, as: As | undefined = ann, path = `/v1/shops/${shop}/sales/totals`): Promise<Reply> =>
    service.request('GET', `${path}${query}`, as && { as });
  const graphql = (args: string, selection: string, as: As | undefined = ann) =>
    service.graphql(`{ saleTotals(shopId: "${shop}"${args}) { nodes { ${selection} } hasMore } }`, {
      ...(as && { as }),
    });
  const make = async (path: string, body: object, as: As): Promise<Json> =>
    (await service.request('POST', `/v1${path}`, { as, body })).body;

  beforeAll(async () => {
    service = await startService('takings', database);
    shop = (await make('/shops', { name: 'Corner' }, ann)).id;
    for (const sale of SALES) await make(`/shops/${shop}/sales`, sale, auditor);
  });
  afterAll(() => service.close());

  it('answers groups over both protocols, in the spelling of each', async () => {
    const { status, body } = await rest(
      '?group_by=kind,sold_at_month&measures=count,amount_sum,amount_avg&sort=-amount_sum',
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      data: [
        { kind: 'cash', sold_at_month: '2026-03-01', count: 2, amount_sum: '301', amount_avg: '150.5' },
        { kind: 'gift-card', sold_at_month: '2026-03-01', count: 1, amount_sum: '7', amount_avg: '7' },
      ],
      has_more: true,
    });
    const args = ', groupBy: [KIND, SOLD_AT_MONTH], sort: [AMOUNT_SUM_DESC]';
    const answer = await graphql(args, 'kind month: soldAtMonth count amountSum amountAvg');
    expect(answer.errors).toBeUndefined();
    expect(answer.data.saleTotals).toEqual({
      nodes: [
        { kind: 'cash', month: '2026-03-01', count: 2, amountSum: '301', amountAvg: '150.5' },
        { kind: 'gift_card', month: '2026-03-01', count: 1, amountSum: '7', amountAvg: '7' },
      ],
      hasMore: true,
    });
  });

  it('computes what is asked of the rows that filters leave', async () => {
    const query = '?kind=gift-card&amount[gte]=4&group_by=due_on_quarter&measures=sold_at_max,seller_id_distinct';
    const row = { sold_at_max: '2026-03-31T22:30:00.000Z', seller_id_distinct: 1 };
    expect((await rest(query)).body).toEqual({ data: [{ due_on_quarter: '2026-04-01', ...row }], has_more: false });
    const args = ', filter: { kind: [gift_card], amount: { gte: 4 } }, groupBy: [DUE_ON_QUARTER]';
    const { data } = await graphql(args, 'dueOnQuarter soldAtMax sellerIdDistinct');
    expect(data.saleTotals.nodes).toEqual([
      { dueOnQuarter: '2026-04-01', soldAtMax: row.sold_at_max, sellerIdDistinct: 1 },
    ]);
  });

  it('gathers rows by the time zone of the request', async () => {
    const { body } = await rest('?group_by=sold_at_month&sort=sold_at_month&time_zone=Europe/Berlin');
    const nodes = [
      { month: '2026-03-01', count: 1 },
      { month: '2026-04-01', count: 3 },
    ];
    expect(body.data).toEqual(nodes.map(({ month, count }) => ({ sold_at_month: month, count })));
    const args = ', groupBy: [SOLD_AT_MONTH], sort: [SOLD_AT_MONTH_ASC], timeZone: "Europe/Berlin"';
    expect((await graphql(args, 'month: soldAtMonth count')).data.saleTotals.nodes).toEqual(nodes);
  });

  it('answers one group without any, and sums beyond 64 bits', async () => {
    expect((await rest('')).body).toEqual({ data: [{ count: 4 }], has_more: false });
    expect((await rest('?measures=photons_sum,photons_max')).body.data).toEqual([
      { photons_sum: '18446744073709551614', photons_max: '9223372036854775807' },
    ]);
    const { data } = await graphql(', filter: { amount: { lt: -5 } }', 'count amountSum photonsMax');
    expect(data.saleTotals).toEqual({ nodes: [{ count: 0, amountSum: null, photonsMax: null }], hasMore: false });
  });

  it.each([
    ['an order by a group that is not asked for', '?sort=kind', 'sort', ', sort: [KIND_ASC]', 'sort'],
    ['an unknown time zone', '?time_zone=Mars/Olympus', 'time_zone', ', timeZone: "Mars/Olympus"', 'timeZone'],
    ['an offset as a time zone', '?time_zone=%2B02:00', 'time_zone', ', timeZone: "+02:00"', 'timeZone'],
    ['too many groups', '?limit=1001', 'limit', ', first: 1001', 'first'],
    ['a filter that does not fit', '?amount[gte]=x', 'amount[gte]', undefined, undefined],
  ])('refuses %s', async (_, query, parameter, args, argument) => {
    const { status, body } = await rest(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ parameter }] });
    if (args === undefined) return;
    const { errors } = await graphql(args, 'count');
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED', status: 400, errors: [{ argument }] });
  });

  it('refuses a selected group that `groupBy` lacks', async () => {
    const { errors } = await graphql(', groupBy: [KIND]', 'kind sellerId count');
    const detail = 'lacks seller_id, which is selected';
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ argument: 'groupBy', detail }],
    });
  });

  it('refuses properties that the caller may not read on every row', async () => {
    const { status, body } = await rest('?measures=count,margin_sum');
    expect([status, body.code, body.errors]).toEqual([
      403,
      'FORBIDDEN',
      [{ parameter: 'measures', detail: 'you may not read margin on every row' }],
    ]);
    expect((await rest('?sort=-margin_sum')).body.errors).toMatchObject([{ parameter: 'sort' }]);
    expect((await graphql('', 'marginMax')).errors?.[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
      errors: [{ argument: 'nodes' }],
    });
    expect((await rest('?measures=margin_sum,margin_max', auditor)).body.data).toEqual([
      { margin_sum: '1.75', margin_max: '1.5' },
    ]);
  });

  it('hides what the list hides: rows of others, and all below a hidden parent', async () => {
    expect((await rest('', bob)).body.code).toBe('NOT_FOUND');
    expect((await graphql('', 'count', bob)).errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect((await rest('', bob, '/v1/shops/totals')).body).toEqual({ data: [{ count: 0 }], has_more: false });
    expect((await rest('', ann, '/v1/shops/totals')).body).toEqual({ data: [{ count: 1 }], has_more: false });
  });

  it('demands the access of the operation', async () => {
    const anonymous = await service.request('GET', `/v1/shops/${shop}/sales/totals`);
    expect([anonymous.status, anonymous.body.code]).toEqual([401, 'UNAUTHENTICATED']);
    const { errors } = await service.graphql(`{ saleTotals(shopId: "${shop}") { hasMore } }`);
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('answers `LIMIT_EXCEEDED` for more rows than the contract allows', async () => {
    for (const name of ['A', 'B', 'C']) await make('/shops', { name }, bob);
    expect((await rest('?group_by=name', bob, '/v1/shops/totals')).body.data).toHaveLength(3);
    const { status, body } = await rest('', everyone, '/v1/shops/totals');
    expect([status, body.code, body.detail]).toEqual([
      400,
      'LIMIT_EXCEEDED',
      'More than 3 rows of Shop match. Narrow them by filters.',
    ]);
    const { errors } = await service.graphql('{ shopTotals { hasMore } }', { as: everyone });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', status: 400 });
  });

  it('keeps totals until a row changes, and answers 304 to a caller that has them', async () => {
    const first = await rest('?measures=amount_sum');
    const reads = vi.spyOn(service.store, 'reads');
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^"[\w-]+"$/);
    const path = `/v1/shops/${shop}/sales/totals?measures=amount_sum`;
    const again = await service.request('GET', path, { as: ann, headers: { 'if-none-match': etag } });
    expect(again.status).toBe(304);
    if (service.store.changesElsewhere() !== undefined) expect(reads).not.toHaveBeenCalled();
    reads.mockRestore();
    const made = await make(`/shops/${shop}/sales`, { ...SALES[3], amount: 1000 }, ann);
    expect(made.amount).toBe(1000);
    const after = await service.request('GET', path, { as: ann, headers: { 'if-none-match': etag } });
    expect(after.status).toBe(200);
    expect(after.body.data).toEqual([{ amount_sum: '1311' }]);
  });
});

it.each(databases)('totals of the storefront are those of the caller, on $name', async (database) => {
  const shop = await Shop.open(database);
  expect((await shop.get('/orders/totals')).status).toBe(401);
  const { body } = await shop.get('/orders/totals?measures=count,totalSum', admin);
  expect(body).toEqual({ data: [{ count: 0, totalSum: null }], hasMore: false });
  await shop.close();
});
