import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { administer } from '../../../src/tools/postgres-database.ts';
import { offeringAll } from '../../support/offering.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';
import { tradeWriters } from '../../support/trade-writers.ts';

/** With writes of docs/adopting.md. What the tables forbid and change beside keys; the words of the last two must reach no caller. */
const RULES = `
  alter table shop.orders add constraint orders_dear check (freight < 100 or shop_code <> 'B12');
  create domain shop.points as bigint check (value < 1000);
  alter table shop.customers alter points type shop.points, alter email type varchar(60),
    add constraint customers_visit exclude using gist (int4range(0, length("Company Name")) with =) where (address = '10.9.9.9');
  create unique index customers_email on shop.customers (email) where email is not null;
  create table shop.audit (order_number integer check (order_number <> 66), price numeric(4, 1));
  create function shop.watch() returns trigger language plpgsql as $$ begin
    if new."Unit Price" = 13 then raise exception 'secret reason'; end if;
    if new."Unit Price" = 14 then raise exception 'secret reason' using errcode = '53100'; end if;
    if new."Unit Price" = 15 then insert into shop.audit values (66, 0); end if;
    if new."Unit Price" = 16 then insert into shop.audit values (1, 123456); end if;
    if new."Unit Price" = 17 then return null; end if;
    if new."Unit Price" = 18 then perform 1 / 0; end if;
    return new; end $$;
  create trigger watch before insert or update on shop."Order Lines" for each row execute function shop.watch();
  create function shop.tagged() returns trigger language plpgsql as $$ begin
    if new.tags is null then update shop."Order Lines" set tags = '{late}'
      where (shop_code, number, "Line No") = (new.shop_code, new.number, new."Line No"); end if;
    return null; end $$;
  create trigger tagged after insert on shop."Order Lines" for each row execute function shop.tagged();
  create function shop.late() returns trigger language plpgsql as $$ begin
    if new."Unit Price" = 19 then raise exception 'secret reason'; end if;
    return null; end $$;
  create constraint trigger late after insert or update on shop."Order Lines" deferrable initially deferred
    for each row execute function shop.late();
  create function shop.keep() returns trigger language plpgsql as $$ begin
    if old.freight = 77 then raise exception 'secret reason'; end if;
    return case when old.freight = 78 then null else old end; end $$;
  create trigger keep before delete on shop.orders for each row execute function shop.keep()`;

describe.skipIf(!hasPostgres)('tables of others', () => {
  let service: Service;
  const database = tradeDatabase(RULES);
  beforeAll(async () => {
    service = await startCompiled(await offeringAll('trade'), database);
  });
  afterAll(() => service.close());
  beforeEach(() =>
    administer(
      database.url,
      `truncate shop.customers, shop.audit cascade;
       insert into shop.customers (code, "Company Name", tier, internal_note) values ('ALFKI', 'Alfreds', 'gold', 'theirs');
       insert into shop.orders (shop_code, number, customer, freight) values ('B12', 7, 'ALFKI', 12.5)`,
    ),
  );

  const rows = async (sql: string) => (await administer(database.url, sql)).map((row) => Object.values(row as object));
  const LINE = { orderId: 'B12~7', lineNo: 3, unitPrice: '1.5' };

  describe.each(tradeWriters(() => service))('by $protocol', (writer) => {
    it('fill in what a new row leaves out, and hold null where it is sent', async () => {
      const { value } = await writer.create('Customer', { id: 'BLAUS', companyName: 'Blauer See' });
      expect(value).toMatchObject({
        id: 'BLAUS',
        tier: 'silver',
        points: '0',
        version: expect.stringMatching(/^[\da-f]{32}$/),
      });
      const other = await writer.create('Customer', { id: 'CACTU', companyName: 'Cactus', email: null, points: '7' });
      expect(other.value).toMatchObject({ email: null, points: '7' });
      const [order] = [await writer.create('Order', { shopCode: 'B12', number: 8, customerId: 'ALFKI' })];
      expect(order.value).toMatchObject({ id: 'B12~8', version: 1, placed: expect.any(String) });
    });

    it('have ids that are made from the row, and rows as they are behind all triggers', async () => {
      const made = await writer.create('OrderLine', LINE);
      expect(made.value).toMatchObject({ id: 'B12~7~3', unitPrice: '1.50', tags: ['late'] });
      const { body } = await service.request('GET', '/v1/order-lines/B12~7~3');
      expect(body.version).toBe(made.value.version);
      const texts = ['a"b', 'c\\d', '{e,f}', 'NULL', ''];
      const tagged = await writer.create('OrderLine', { ...LINE, lineNo: 4, tags: texts });
      expect(tagged.value.tags).toEqual(texts);
    });

    it('change by columns that differ, and keep those that the contract lacks', async () => {
      const { value } = await writer.update('Customer', 'ALFKI', { email: 'a@example.org', points: '9' });
      expect(value).toMatchObject({ companyName: 'Alfreds', tier: 'gold', email: 'a@example.org', points: '9' });
      const cleared = await writer.update('Customer', 'ALFKI', { email: null });
      expect(cleared.value.email).toBeNull();
      expect(await rows('select internal_note, tier, email from shop.customers')).toEqual([['theirs', 'gold', null]]);
    });

    it('have times without a zone as the database spells them', async () => {
      const input = { id: 'CACTU', companyName: 'Cactus', calledAt: '2026-01-15T12:00:00.120000' };
      expect((await writer.create('Customer', input)).value).toMatchObject({ calledAt: '2026-01-15T12:00:00.12' });
    });

    it('raise a counting version by one, from 0 on', async () => {
      expect((await writer.update('Order', 'B12~7', { freight: '3' }, 0)).value).toMatchObject({ version: 1 });
      await rows('update shop.orders set lock_version = lock_version + 1');
      expect(await writer.update('Order', 'B12~7', { freight: '4' }, 1)).toMatchObject({ code: 'PRECONDITION_FAILED' });
      expect((await writer.update('Order', 'B12~7', { freight: '4' }, 2)).value).toMatchObject({ version: 3 });
    });

    it('compare a version that is a hash with the row as it is', async () => {
      const { version } = (await writer.create('OrderLine', LINE)).value;
      await rows('update shop."Order Lines" set "Unit Price" = 5');
      const late = await writer.update('OrderLine', 'B12~7~3', { unitPrice: '6' }, version);
      expect(late).toMatchObject({ code: 'PRECONDITION_FAILED' });
      expect(await writer.delete('OrderLine', 'B12~7~3', version)).toMatchObject({ code: 'PRECONDITION_FAILED' });
      const { body } = await service.request('GET', '/v1/order-lines/B12~7~3');
      const changed = await writer.update('OrderLine', 'B12~7~3', { unitPrice: '6' }, body.version);
      expect(changed.value.unitPrice).toBe('6.00');
      expect((await writer.delete('OrderLine', 'B12~7~3', changed.value.version)).code).toBeUndefined();
    });

    it('share columns between properties, which may not disagree', async () => {
      const { code, places } = await writer.create('OrderLine', { ...LINE, shopCode: 'B13' });
      expect({ code, places: places?.toSorted() }).toEqual({
        code: 'VALIDATION_FAILED',
        places: ['orderId', 'shopCode'],
      });
      expect((await writer.create('OrderLine', { ...LINE, shopCode: 'B12' })).value).toMatchObject({ id: 'B12~7~3' });
      const replaced = await writer.create('OrderLine', { ...LINE, lineNo: 4, replacesId: 'B13~7' });
      expect(replaced).toMatchObject({ code: 'VALIDATION_FAILED' });
      await writer.create('OrderLine', { ...LINE, lineNo: 5, replacesId: 'B12~7' });
      await writer.create('OrderLine', { ...LINE, lineNo: 6, replacesId: null });
      expect(await rows('select "Line No", replaced from shop."Order Lines" where "Line No" > 4 order by 1')).toEqual([
        [5, 7],
        [6, null],
      ]);
    });

    it.each(['B12~8', 'B12', 'B12~7~3', 'B12~07', 'B12~x', 'b12~7', 'B12!~7'])('have no order %s', async (id) => {
      expect(await writer.create('OrderLine', { ...LINE, orderId: id })).toMatchObject({
        code: 'REFERENCE_NOT_FOUND',
        places: ['orderId'],
      });
      expect(await writer.update('Order', id, { freight: '1' })).toMatchObject({ code: 'NOT_FOUND' });
      expect(await writer.delete('Order', id)).toMatchObject({ code: 'NOT_FOUND' });
    });

    it('are deleted as their foreign keys say', async () => {
      await writer.create('OrderLine', LINE);
      expect(await writer.delete('Customer', 'ALFKI')).toMatchObject({ code: 'STILL_REFERENCED' });
      expect((await writer.delete('Order', 'B12~7')).code).toBeUndefined();
      expect(await rows('select from shop."Order Lines"')).toEqual([]);
      expect((await writer.delete('Customer', 'ALFKI')).code).toBeUndefined();
    });

    it.each([
      [
        'a check of one column',
        'Order',
        { shopCode: 'B12', number: 8, customerId: 'ALFKI', freight: '-1' },
        ['freight'],
      ],
      [
        'a number with too many digits',
        'Order',
        { shopCode: 'B1', number: 8, customerId: 'ALFKI', freight: '123456789' },
        ['freight'],
      ],
      ['a number beyond its column', 'OrderLine', { ...LINE, lineNo: 99_999 }, ['lineNo']],
      ['no value where there must be one', 'Customer', { companyName: 'Nobody' }, ['id']],
      [
        'a text too long for its column',
        'Customer',
        { id: 'X'.repeat(5), companyName: 'X', email: 'x'.repeat(70) },
        ['email'],
      ],
      ['a text that is no address', 'Customer', { id: 'XX', companyName: 'X', address: 'nowhere' }, ['address']],
      ['a text that is no interval', 'Customer', { id: 'XX', companyName: 'X', visits: 'often' }, ['visits']],
      ['a text that is no time', 'Customer', { id: 'XX', companyName: 'X', calledAt: 'yesterday' }, ['calledAt']],
      [
        'a time with a zone',
        'Customer',
        { id: 'XX', companyName: 'X', calledAt: '2026-01-15T12:00:00Z' },
        ['calledAt'],
      ],
      ['the check of a domain', 'Customer', { id: 'XX', companyName: 'X', points: '1000' }, ['points']],
    ])('refuse %s, and name it', async (_, type, input, places) => {
      expect(await writer.create(type, input)).toMatchObject({ code: 'VALIDATION_FAILED', places });
    });

    it.each([
      ['a check of several columns', 'Order', { shopCode: 'B12', number: 8, customerId: 'ALFKI', freight: '500' }],
      ['a raised exception', 'OrderLine', { ...LINE, unitPrice: '13' }],
      ['an exception that looks like a full disk', 'OrderLine', { ...LINE, unitPrice: '14' }],
      ['a check within a trigger', 'OrderLine', { ...LINE, unitPrice: '15' }],
      ['a number within a trigger', 'OrderLine', { ...LINE, unitPrice: '16' }],
      ['a trigger that writes nothing', 'OrderLine', { ...LINE, unitPrice: '17' }],
      ['a division by zero in a trigger', 'OrderLine', { ...LINE, unitPrice: '18' }],
      ['a trigger at the end of the transaction', 'OrderLine', { ...LINE, unitPrice: '19' }],
    ])('refuse %s', async (_, type, input) => {
      const { code, text } = await writer.create(type, input);
      expect(code).toBe('REFUSED_BY_DATABASE');
      expect(text).not.toMatch(/secret|audit|orders_dear|plpgsql/);
      const line = await writer.create('OrderLine', LINE);
      expect(line.code).toBeUndefined();
      if ('unitPrice' in input)
        expect(await writer.update(type, 'B12~7~3', { unitPrice: input.unitPrice })).toMatchObject({ code });
    });

    it.each(['77', '78'])('refuse a delete by a trigger, %s', async (freight) => {
      await rows(`update shop.orders set freight = ${freight}`);
      const { code, text } = await writer.delete('Order', 'B12~7');
      expect(code).toBe('REFUSED_BY_DATABASE');
      expect(text).not.toContain('secret');
      expect(await rows('select from shop.orders')).toHaveLength(1);
    });

    it('refuse a key that is taken, and name its properties', async () => {
      const order = { shopCode: 'B12', number: 7, customerId: 'ALFKI' };
      expect(await writer.create('Order', order)).toMatchObject({
        code: 'ALREADY_EXISTS',
        places: ['shopCode', 'number'],
      });
      await writer.create('OrderLine', LINE);
      expect(await writer.create('OrderLine', LINE)).toMatchObject({
        code: 'ALREADY_EXISTS',
        places: ['orderId', 'lineNo'],
      });
      await writer.update('Customer', 'ALFKI', { email: 'a@example.org' });
      const second = await writer.create('Customer', { id: 'XX', companyName: 'X', email: 'a@example.org' });
      expect(second).toMatchObject({ code: 'ALREADY_EXISTS', places: ['email'] });
      const away = { companyName: 'Away', address: '10.9.9.9' };
      await writer.create('Customer', { id: 'YY', ...away });
      expect(await writer.create('Customer', { id: 'ZZ', ...away })).toMatchObject({ code: 'ALREADY_EXISTS' });
    });
  });

  it('are replaced: what is left out is cleared, or kept where it must have a value', async () => {
    const as = { sub: 'clerk', scope: 'trade:write' };
    await rows(`update shop.customers set email = 'a@example.org', rating = 2, active = false`);
    const reply = await service.request('PUT', '/v1/customers/ALFKI', { as, body: { companyName: 'Alfreds 2' } });
    expect(reply).toMatchObject({
      status: 200,
      body: { companyName: 'Alfreds 2', tier: 'gold', email: null, rating: null, isActive: false },
    });
    expect(await rows('select internal_note from shop.customers')).toEqual([['theirs']]);
  });

  it('are written below their parent, and once for each key', async () => {
    const as = { sub: 'clerk', scope: 'trade:write' };
    const sent = { as, body: { text: 'hi' }, headers: { 'idempotency-key': 'a-key-of-a-note' } };
    const first = await service.request('POST', '/v1/orders/B12~7/notes', sent);
    expect(first).toMatchObject({ status: 201, body: { orderId: 'B12~7', createdAt: service.now } });
    expect(await service.request('POST', '/v1/orders/B12~7/notes', sent)).toMatchObject({
      status: 201,
      headers: { location: first.headers['location'], etag: first.headers['etag'] },
      body: first.body,
    });
    expect(await rows('select from shop.notes')).toHaveLength(1);
    const none = await service.request('POST', '/v1/orders/B12~8/notes', { as, body: { text: 'hi' } });
    expect(none.status).toBe(404);
  });

  it('keep the microseconds of a row that is sent back', async () => {
    const as = { sub: 'clerk', scope: 'trade:write' };
    const packedAt = '2026-01-15T12:00:00.123456Z';
    const { body } = await service.request('POST', '/v1/order-lines', { as, body: { ...LINE, packedAt } });
    expect(body.packedAt).toBe(packedAt);
  });
});
