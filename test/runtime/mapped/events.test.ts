import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnyEventHandlers } from '../../../src/runtime/jobs/event-jobs.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { offeringAll } from '../../support/offering.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';
import { tradeWriters } from '../../support/trade-writers.ts';

describe.skipIf(!hasPostgres)('events of tables of others', () => {
  let service: Service;
  let runner: JobRunner;
  const database = tradeDatabase();
  const heard: unknown[] = [];
  const hears =
    (kind: string): NonNullable<AnyEventHandlers['created']> =>
    ({ row, before, version }) =>
      heard.push([kind, (row as { id: string }).id, before, version]);
  const all = { created: hears('created'), updated: hears('updated'), deleted: hears('deleted') };

  beforeAll(async () => {
    const handlers = { on: { customers: all, orders: all, orderLines: all } } as unknown as AnyHandlers;
    service = await startCompiled(await offeringAll('trade'), database, handlers, {
      onJobs: (made) => {
        runner = made;
      },
    });
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    await administer(
      database.url,
      `truncate shop.customers cascade;
       insert into shop.customers (code, "Company Name") values ('ALFKI', 'Alfreds');
       insert into shop.orders (shop_code, number, customer, freight) values ('B12', 7, 'ALFKI', 12.5)`,
    );
    heard.length = 0;
  });

  describe.each(tradeWriters(() => service))('by $protocol', (writer) => {
    it('are those of the writes of this server, with the versions of the tables', async () => {
      expect((await writer.update('Order', 'B12~7', { freight: '3' })).code).toBeUndefined();
      await administer(database.url, 'update shop.orders set lock_version = lock_version + 1, freight = 4');
      expect((await writer.update('Order', 'B12~7', { freight: '5' })).code).toBeUndefined();
      expect((await writer.delete('Order', 'B12~7')).code).toBeUndefined();
      expect((await runner.runDue()).failed).toEqual([]);
      expect(heard).toMatchObject([
        ['updated', 'B12~7', { freight: '12.50' }, 1],
        ['updated', 'B12~7', { freight: '4.00' }, 3],
        ['deleted', 'B12~7', {}, 3],
      ]);
    });

    it('come in the order of the writes of a row also if its versions are hashes', async () => {
      const { value } = await writer.create('OrderLine', { orderId: 'B12~7', lineNo: 3, unitPrice: '1' });
      const versions = [value.version];
      for (const unitPrice of ['2', '3', '4'])
        versions.push((await writer.update('OrderLine', value.id, { unitPrice })).value.version);
      expect((await runner.runDue()).failed).toEqual([]);
      expect(heard).toMatchObject([
        ['created', value.id, {}, versions[0]],
        ['updated', value.id, { unitPrice: '1.00' }, versions[1]],
        ['updated', value.id, { unitPrice: '2.00' }, versions[2]],
        ['updated', value.id, { unitPrice: '3.00' }, versions[3]],
      ]);
    });
  });
});
