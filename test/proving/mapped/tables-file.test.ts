import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';
import { readingTrade, tradeFile } from '../../support/trade.ts';

const ROWS = `
insert into shop.customers (code, "Company Name", tier, joined, email, address, opens, "visit.every", rating, settings, called) values
  ('ALFKI', 'Alfreds', 'gold', '2020-01-02', 'A@example.org', '10.0.0.1', '09:30', 'P1M', 1.5, '{"a": [1]}', '2020-01-01 10:00:00.123456'),
  ('BONAP', 'Bon app''', 'silver', null, null, null, null, null, null, null, null),
  ('CHOPS', 'Chop-suey', 'silver', '2020-01-02', 'b@example.org', '10.0.0.0/8', '24:00', 'P1DT2H', 'NaN', '{}', null);
insert into shop.orders (shop_code, number, customer, placed, freight) values
  ('B~1', 7, 'ALFKI', '2024-05-01 10:00:00.123456+00', 1.50), ('B~1', 8, 'ALFKI', '2024-05-01 10:00:00.123457+00', null),
  ('C', 7, 'BONAP', now(), 3);
insert into shop."Order Lines" (shop_code, number, "Line No", "Unit Price", packed, tags, replaced) values
  ('B~1', 7, 1, 1.25, '2024-05-01 10:00:00.5', '{a,b}', 8), ('B~1', 7, 2, 2.25, '2024-05-01 10:00:00', null, null);
insert into shop.notes (shop_code, number, text) values ('B~1', 7, 'soon'), ('C', 7, 'late');
`;
const DUMPED = `\\restrict abc\n${await tradeFile()}${ROWS}\\unrestrict abc\n`;
const contract = await readingTrade((document) => {
  document.info['x-mcp'] = { offer: ['read'] };
});

describe.skipIf(!hasPostgres)('the proof on tables that a file makes', () => {
  const proveOn = (sql: string) =>
    withFolder({ 'tables.sql': sql }, (folder) =>
      prove({ contract, samples: 4, database: SERVER, tables: join(folder, 'tables.sql') }),
    );

  it('finds no difference between REST, GraphQL and MCP over mapped tables', async () => {
    const record = await proveOn(DUMPED);
    expect(
      record.differences.map(({ resource, action, label, difference }) => [resource, action, label, difference]),
    ).toEqual([]);
    expect(contract.tools).toBeDefined();
    expect(record.run).toBeGreaterThan(100);
    expect(record.unmet).toEqual([]);
    expect(record.notCovered).toEqual([]);
  });

  it('lists tables without rows as not covered', async () => {
    const record = await proveOn(await tradeFile());
    expect(record.notCovered).toContain('orders: its table has no row');
  });

  it.each([
    ['create table a (\n  b nothing);', 'tables.sql:2 fails: type "nothing" does not exist.'],
    [
      '\nCOPY public.a (b) FROM stdin;\n',
      'tables.sql:2 has rows for COPY, which only psql reads. Make it with `pg_dump --inserts`.',
    ],
    ['\\connect other', 'tables.sql:1 is a command of psql. Remove the line.'],
  ])('names the place in the file %j', async (sql, said) => {
    await expect(proveOn(sql)).rejects.toThrow(said);
  });
});
