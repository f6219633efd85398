import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prove } from '../../../src/proving/proof/prove.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres, SERVER } from '../../support/postgres.ts';
import { contractOf } from '../../support/service.ts';
import { TRADE_ROWS, tradeFile } from '../../support/trade.ts';

const contract = await contractOf('trade');

describe('a contract that writes mapped tables is proved', () => {
  const expectProved = async (options: { readonly database?: string; readonly tables?: string }) => {
    const record = await prove({ contract, ...options });
    expect(record.differences).toEqual([]);
    expect(record.succeeded).toBeGreaterThan(400);
    expect([record.unmet, record.failed, record.notCovered]).toEqual([[], [], []]);
  };

  it('on tables of SQLite in place of them', () => expectProved({}));

  it.runIf(hasPostgres)('on tables of Postgres in place of them', () => expectProved({ database: SERVER }));

  it.runIf(hasPostgres)('on the tables themselves, whose defaults have one time on all copies', async () =>
    withFolder({ 'tables.sql': `${await tradeFile()}${TRADE_ROWS}` }, (folder) =>
      expectProved({ database: SERVER, tables: join(folder, 'tables.sql') }),
    ),
  );

  it.runIf(hasPostgres)('on tables with checks that the contract lacks, by values that rows have', async () => {
    const checks = `
      alter table shop.customers add check ("Company Name" in ('Alfreds', 'Bon app''', 'Chop-suey'));
      alter table shop.orders add check (shop_code in ('B~1', 'C'));
      alter table shop.notes add check (text = 'no row has it') not valid;`;
    await withFolder({ 'tables.sql': `${await tradeFile()}${TRADE_ROWS}${checks}` }, async (folder) => {
      const record = await prove({ contract, samples: 2, database: SERVER, tables: join(folder, 'tables.sql') });
      expect(record.differences).toEqual([]);
      const reason = expect.stringMatching(/^[A-Z_]+ .*add rows to the file/);
      expect(record.unmet).toEqual([{ operationId: 'createNote', reason, excuse: undefined }]);
    });
  });
});
