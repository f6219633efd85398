import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { administer } from '../../../src/tools/postgres-database.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { contractOf, type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';

/** Notes in two partitions, of which one alone has a trigger. */
const PARTITIONS = `
  drop table shop.notes;
  create table shop.notes (
    note_id serial primary key, shop_code varchar(3) not null, number integer not null, text varchar(200) not null,
    created_at timestamptz not null default now(), updated_at timestamptz not null default now(),
    foreign key (shop_code, number) references shop.orders on delete cascade
  ) partition by range (note_id);
  create table shop.first_notes partition of shop.notes for values from (1) to (2);
  create table shop.other_notes partition of shop.notes for values from (2) to (1000);
  create function shop.shout() returns trigger language plpgsql as
    $$ begin update shop.notes set text = upper(text) where note_id = new.note_id; return null; end $$;
  create trigger shout after insert on shop.other_notes for each row execute function shop.shout();
  insert into shop.customers (code, "Company Name") values ('ALFKI', 'Alfreds');
  insert into shop.orders (shop_code, number, customer) values ('B12', 7, 'ALFKI')`;

// What a row is read back for is decided below the protocols.
describe.skipIf(!hasPostgres)('partitions of a table of others', () => {
  const database = tradeDatabase(PARTITIONS);
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(await contractOf('trade'), database);
  });
  afterAll(() => service.close());

  it('may have triggers of their own, behind which answers show the row', async () => {
    const as = { sub: 'clerk', scope: 'trade:write' };
    const make = () => service.request('POST', '/v1/orders/B12~7/notes', { as, body: { text: 'hi' } });
    const texts = [(await make()).body.text, (await make()).body.text];
    expect(texts).toEqual(['hi', 'HI']);
    const stored = await administer(database.url, 'select text from shop.notes order by note_id');
    expect(stored.map(({ text }) => text)).toEqual(texts);
  });
});
