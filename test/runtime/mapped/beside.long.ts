import { expect, it } from 'vitest';
import { offeringAll } from '../../support/offering.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';
import { writeBeside } from '../../support/trade-beside.ts';

/** `BESIDE_MINUTES=10` makes it a longer run. */
const MINUTES = Number(process.env['BESIDE_MINUTES'] ?? '0.25');

it.skipIf(!hasPostgres)(
  'other writers of the tables lose nothing',
  async () => {
    const database = tradeDatabase('alter table shop.orders alter freight type numeric');
    const service = await startCompiled(await offeringAll('trade'), database);
    const untilMs = Date.now() + MINUTES * 60_000;
    try {
      const { faults, told, stored, writes } = await writeBeside(service, database.url, () => Date.now() > untilMs);
      console.log(writes);
      expect(faults).toEqual([]);
      expect(stored).toEqual(told);
      for (const by of ['REST', 'GraphQL', 'MCP', 'SQL']) expect(writes[by], by).toBeGreaterThan(0);
    } finally {
      await service.close();
    }
  },
  (MINUTES + 5) * 60_000,
);
