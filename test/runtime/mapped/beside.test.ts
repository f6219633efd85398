import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { offeringAll } from '../../support/offering.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';
import { writeBeside } from '../../support/trade-beside.ts';
import { tradeWriters } from '../../support/trade-writers.ts';

const START = `
  truncate shop.customers cascade;
  insert into shop.customers (code, "Company Name") values ('ALFKI', 'Alfreds');
  insert into shop.orders (shop_code, number, customer, freight) values ('B12', 7, 'ALFKI', 0);
  insert into shop."Order Lines" (shop_code, number, "Line No", "Unit Price") values ('B12', 7, 1, 1)`;

const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

describe.skipIf(!hasPostgres)('tables of others beside other writers', () => {
  const database = tradeDatabase();
  let service: Service;
  let other: pg.Client;
  let observer: pg.Client;
  beforeAll(async () => {
    service = await startCompiled(await offeringAll('trade'), database);
    [other, observer] = [0, 1].map(() => new pg.Client({ connectionString: database.url })) as [pg.Client, pg.Client];
    await Promise.all([other.connect(), observer.connect()]);
  });
  afterAll(async () => {
    await Promise.all([other.end(), observer.end()]);
    await service.close();
  });

  /** Another has changed a row and not committed yet; the write waits for that. */
  const behind = async <T>(sql: string, write: () => Promise<T>): Promise<T> => {
    await other.query(`begin; ${sql}`);
    const writing = write();
    await eventually(async () => expect((await observer.query(WAITING)).rowCount).toBe(1));
    await other.query('commit');
    return writing;
  };

  describe.each(tradeWriters(() => service))('by $protocol', (writer) => {
    it.each([
      ['OrderLine', 'B12~7~1', { unitPrice: '9' }, 'update shop."Order Lines" set "Unit Price" = 5'],
      ['Order', 'B12~7', { freight: '9' }, 'update shop.orders set freight = 5, lock_version = lock_version + 1'],
    ])('are not overwritten while another changes the row: %s', async (type, id, input, sql) => {
      await other.query(START);
      const { body } = await service.request('GET', `/v1/${type === 'Order' ? 'orders' : 'order-lines'}/${id}`);
      const written = await behind(sql, () => writer.update(type, id, input, body.version));
      expect(written).toMatchObject({ code: 'PRECONDITION_FAILED' });
      const deleted = await behind(sql, () => writer.delete(type, id, body.version));
      expect(deleted).toMatchObject({ code: 'PRECONDITION_FAILED' });
    });

    it('keep what another has changed meanwhile in other columns', async () => {
      await other.query(START);
      const sql = `update shop."Order Lines" set tags = '{theirs}'`;
      const written = await behind(sql, () => writer.update('OrderLine', 'B12~7~1', { unitPrice: '9' }));
      expect(written.value).toMatchObject({ unitPrice: '9.00', tags: ['theirs'] });
    });

    it('are not there once another has deleted the row', async () => {
      await other.query(START);
      const sql = 'delete from shop."Order Lines"';
      const written = await behind(sql, () => writer.update('OrderLine', 'B12~7~1', { unitPrice: '9' }));
      expect(written).toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  it('lose nothing, and nothing is lost to them', async () => {
    const { faults, told, stored, writes } = await writeBeside(service, database.url, (round) => round >= 25);
    expect(faults).toEqual([]);
    expect(stored).toEqual(told);
    for (const by of ['REST', 'GraphQL', 'MCP', 'SQL']) expect(writes[by], by).toBeGreaterThan(0);
  });
});
