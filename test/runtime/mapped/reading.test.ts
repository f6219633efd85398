import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../../../src/tools/postgres-database.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { readingTrade, tradeDatabase } from '../../support/trade.ts';

const ROWS = `
  insert into shop.customers (code, "Company Name", tier, joined, email, address, opens, "visit.every", rating, points, settings,
    external_id, called) values
    ('ALFKI', 'Alfreds', 'gold', '1999-12-31', 'Maria@Example.org', '10.0.0.1', '08:30', 'P1M2DT3H', 1.5, 9007199254740993,
     '{"b": 1, "a": [1, 2]}', '0190a5c4-7b1e-7000-8000-000000000001', '2026-01-15 12:00:00.123456'),
    ('ÄRGER', 'ärger', 'silver', null, null, null, null, null, null, 0, null, null, null);
  insert into shop.orders (shop_code, number, customer, placed, freight, lock_version) values
    ('B12', 7, 'ALFKI', '2026-01-15 12:00:00.123456Z', 12.50, 0), ('B12', 70, 'ALFKI', '2026-01-15 12:00:00.123457Z', null, 4),
    ('a~!', -1, 'ÄRGER', '2026-01-15 12:00:00.123458Z', null, 1);
  insert into shop."Order Lines" values
    ('B12', 7, 3, 1.50, '2026-01-15 12:00:00.5', '{a,"b c",null}', null), ('B12', 7, 20, 2.00, '2026-01-16', null, 70),
    ('B12', 70, 1, 3.00, '2026-01-17', '{}', 7);
  insert into shop.notes (shop_code, number, text) values ('B12', 7, 'first'), ('B12', 70, 'other')`;

describe.skipIf(!hasPostgres)('tables of others', () => {
  let service: Service;
  const database = tradeDatabase(ROWS);
  beforeAll(async () => {
    const contract = await readingTrade(
      ({ paths }) => {
        const schema = { type: 'string', format: 'date-time-local', maxLength: 40 };
        paths['/customers'].get.parameters.push({ name: 'calledAt', in: 'query', schema });
      },
      (sdl) => sdl.replace('input CustomerFilter {', '$&\n  calledAt: String'),
    );
    service = await startCompiled(contract, database);
  });
  afterAll(() => service.close());

  const get = async (url: string) => (await service.request('GET', `/v1${url}`)).body;
  const ids = async (url: string): Promise<string[]> => (await get(url)).data.map(({ id }: { id: string }) => id);

  it('are read with the types of their columns', async () => {
    expect(await get('/customers/ALFKI')).toEqual({
      id: 'ALFKI',
      version: expect.stringMatching(/^[\da-f]{32}$/),
      companyName: 'Alfreds',
      tier: 'gold',
      joined: '1999-12-31',
      email: 'Maria@Example.org',
      address: '10.0.0.1',
      opens: '08:30:00',
      visits: 'P1M2DT3H',
      rating: 1.5,
      points: '9007199254740993',
      isActive: true,
      settings: { a: [1, 2], b: 1 },
      externalId: '0190a5c4-7b1e-7000-8000-000000000001',
      calledAt: '2026-01-15T12:00:00.123456',
    });
    expect(await get('/order-lines/B12~7~3')).toEqual({
      id: 'B12~7~3',
      version: expect.any(String),
      orderId: 'B12~7',
      shopCode: 'B12',
      lineNo: 3,
      unitPrice: '1.50',
      packedAt: '2026-01-15T12:00:00.500Z',
      tags: ['a', 'b c', null],
      replacesId: null,
    });
  });

  it('have ids of several columns, whose parts may have any character', async () => {
    expect(await get('/orders/a!~!!~-1')).toMatchObject({ id: 'a!~!!~-1', shopCode: 'a~!', number: -1, version: 1 });
  });

  it.each(['B12', 'B12~7~3', 'B12~07', 'B12~7 ', 'B12~x', 'B12~99999999999', 'B12!~7', 'b12~7', '!B12~7', 'B12~7~'])(
    'do not have the id %s',
    async (id) => {
      expect((await service.request('GET', `/v1/orders/${encodeURIComponent(id)}`)).status).toBe(404);
      expect(await ids(`/order-lines?orderId=${encodeURIComponent(id)}`)).toEqual([]);
    },
  );

  it('are listed in the order of their ids, page by page, both ways', async () => {
    expect((await ids('/orders')).toSorted()).toEqual(['B12~7', 'B12~70', 'a!~!!~-1']);
    const seen: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page = await get(`/order-lines?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(page.data[0].id);
      cursor = page.page.nextCursor ?? undefined;
    }
    expect(seen).toEqual(['B12~7~3', 'B12~7~20', 'B12~70~1']);
  });

  it('keep microseconds in cursors', async () => {
    const first = await get('/orders?sort=placed&limit=1');
    const second = await get(`/orders?sort=placed&limit=1&cursor=${first.page.nextCursor}`);
    const third = await get(`/orders?sort=placed&limit=1&cursor=${second.page.nextCursor}`);
    expect([first, second, third].map(({ data }) => data[0].id)).toEqual(['B12~7', 'B12~70', 'a!~!!~-1']);
  });

  it('have values that RFC 3339 and JSON cannot write as the database does, also in cursors', async () => {
    const times = [
      '-infinity',
      '0044-03-15 12:00:00+00 BC',
      '2026-01-15 12:00:00+00',
      '10000-01-01 00:00:00+00',
      'infinity',
    ];
    const dates = ['-infinity', '0044-03-15 BC', '2026-01-15', '10000-01-01', 'infinity'];
    await administer(
      database.url,
      `insert into shop.customers (code, "Company Name", joined)
         select 'X' || at, 'x', day::date from unnest(array['${dates.join("','")}']) with ordinality as u (day, at);
       insert into shop.orders (shop_code, number, customer, placed, freight)
         select 'X', at, 'X1', time::timestamptz, 'NaN' from unnest(array['${times.join("','")}']) with ordinality as u (time, at)`,
    );
    const read = async (url: string, from = ''): Promise<Record<string, string>[]> => {
      const { data, page } = await get(`${url}${from}`);
      return page.nextCursor === null ? data : [...data, ...(await read(url, `&cursor=${page.nextCursor}`))];
    };
    const orders = await read('/orders?sort=placed&limit=1&customerId=X1');
    const told = ['-infinity', times[1], '2026-01-15T12:00:00.000Z', times[3], 'infinity'];
    expect(orders.map(({ placed, freight }) => [placed, freight])).toEqual(told.map((time) => [time, 'NaN']));
    const customers = await read('/customers?sort=joined&limit=1');
    expect(customers.flatMap(({ id, joined }) => (id?.startsWith('X') ? [joined] : []))).toEqual(dates);
    await administer(
      database.url,
      "delete from shop.orders where customer = 'X1'; delete from shop.customers where code ~ 'X\\d'",
    );
  });

  it('are filtered, counted and sorted by their columns', async () => {
    expect(await ids('/order-lines?orderId=B12~7')).toEqual(['B12~7~3', 'B12~7~20']);
    expect(await ids('/order-lines?orderId=B12~7,B12~70&sort=-lineNo')).toEqual(['B12~7~20', 'B12~7~3', 'B12~70~1']);
    expect(await ids('/orders?customerId=ALFKI&sort=-placed')).toEqual(['B12~70', 'B12~7']);
    expect(await ids('/customers?tier=gold,silver&sort=joined')).toEqual(['ÄRGER', 'ALFKI']);
    expect((await get('/order-lines?count=true')).page.totalCount).toBe(3);
  });

  it('are filtered by times without a zone, which are judged before', async () => {
    expect(await ids('/customers?calledAt=2026-01-15T12:00:00.123456')).toEqual(['ALFKI']);
    const code = 'VALIDATION_FAILED';
    const errors = [expect.objectContaining({ parameter: 'calledAt' })];
    expect(await get('/customers?calledAt=yesterday')).toMatchObject({ code, errors });
    const reply = await service.graphql('{ customers(filter: { calledAt: "yesterday" }) { nodes { id } } }');
    expect(reply.errors).toMatchObject([
      { extensions: { code, errors: [expect.objectContaining({ argument: 'filter.calledAt' })] } },
    ]);
  });

  it('are read below each other', async () => {
    expect(await get('/orders/B12~7/notes')).toMatchObject({ data: [{ id: 1, orderId: 'B12~7', text: 'first' }] });
    expect((await service.request('GET', '/v1/orders/B12~7/notes/2')).status).toBe(404);
    expect((await service.request('GET', '/v1/orders/B12~8/notes')).status).toBe(404);
  });

  it('are joined over GraphQL', async () => {
    const { data, errors } = await service.graphql(`{
      customers(first: 2, sort: [JOINED_DESC]) { nodes { id orders(first: 3) { nodes { id orderLinesByOrder(first: 3) { nodes { lineNo replaces { id } } } } } } }
      order(id: "B12~70") { version customer { id } }
      orderLine(id: "B12~7~20") { version order { id freight } replaces { id } }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      customers: {
        nodes: [
          {
            id: 'ALFKI',
            orders: {
              nodes: [
                {
                  id: 'B12~7',
                  orderLinesByOrder: {
                    nodes: [
                      { lineNo: 3, replaces: null },
                      { lineNo: 20, replaces: { id: 'B12~70' } },
                    ],
                  },
                },
                { id: 'B12~70', orderLinesByOrder: { nodes: [{ lineNo: 1, replaces: { id: 'B12~7' } }] } },
              ],
            },
          },
          { id: 'ÄRGER', orders: { nodes: [{ id: 'a!~!!~-1' }] } },
        ],
      },
      order: { version: 4, customer: { id: 'ALFKI' } },
      orderLine: { version: expect.any(String), order: { id: 'B12~7', freight: '12.50' }, replaces: { id: 'B12~70' } },
    });
  });

  it('views among them are read', async () => {
    expect(await get('/recent-orders/70')).toMatchObject({ id: 70, customer: 'ALFKI' });
  });

  it('have entity tags of what is stored, whoever writes', async () => {
    const first = await service.request('GET', '/v1/customers/ALFKI');
    const again = { headers: { 'if-none-match': first.headers['etag'] as string } };
    expect((await service.request('GET', '/v1/customers/ALFKI', again)).status).toBe(304);
    const list = await service.request('GET', '/v1/customers');
    await administer(database.url, `update shop.customers set "Company Name" = 'Alfreds 2' where code = 'ALFKI'`);
    expect(await service.request('GET', '/v1/customers/ALFKI', again)).toMatchObject({
      status: 200,
      body: { companyName: 'Alfreds 2' },
    });
    const later = { headers: { 'if-none-match': list.headers['etag'] as string } };
    expect((await service.request('GET', '/v1/customers', later)).status).toBe(200);
  });
});
