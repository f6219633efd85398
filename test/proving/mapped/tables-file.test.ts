import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';
import { readingTrade, TRADE_ROWS, tradeFile } from '../../support/trade.ts';

/** A dump as docs/reference/existing-tables.md makes it. */
const DUMPED = `\\restrict abc\n${await tradeFile()}${TRADE_ROWS}\\unrestrict abc\n`;
const reading = await readingTrade((document) => {
  document.info['x-mcp'] = { offer: ['read'] };
});

describe.skipIf(!hasPostgres)('the proof on tables that a file makes', () => {
  const proveOn = (sql: string) =>
    withFolder({ 'tables.sql': sql }, (folder) =>
      prove({ contract: reading, samples: 2, database: SERVER, tables: join(folder, 'tables.sql') }),
    );

  it('finds no difference between REST, GraphQL and MCP over mapped tables', async () => {
    const record = await proveOn(DUMPED);
    expect(
      record.differences.map(({ resource, action, label, difference }) => [resource, action, label, difference]),
    ).toEqual([]);
    expect(reading.tools).toBeDefined();
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
