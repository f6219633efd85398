import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { offeringAll } from '../../support/offering.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';
import { tradeWriters } from '../../support/trade-writers.ts';

/** Each column of the reference `oldOrderId` is the column of another property, too. */
const contract = offeringAll('trade', {}, [
  [
    'openapi.yaml',
    / {8}replacesId: \{ type: \[string, 'null'\], maxLength: 20, x-references.*\n/g,
    "$&        oldOrderId: { type: [string, 'null'], maxLength: 20, x-references: Order, x-column: [old_shop, old_number] }\n" +
      "        oldShop: { type: [string, 'null'], maxLength: 3 }\n        oldNumber: { type: [integer, 'null'] }\n",
  ],
  [
    'openapi.yaml',
    / {4}OrderLine(?:Input|Patch):\n(?: {6,8}(?!unitPrice).*\n)+/g,
    "$&        oldOrderId: { type: [string, 'null'], maxLength: 20 }\n" +
      "        oldShop: { type: [string, 'null'], maxLength: 3 }\n        oldNumber: { type: [integer, 'null'] }\n",
  ],
  [
    'schema.graphql',
    '  replaces: Order\n',
    '  replaces: Order\n  oldOrderId: ID\n  "The order that `oldOrderId` names."\n  oldOrder: Order\n  oldShop: String\n  oldNumber: SafeInt\n',
  ],
  [
    'schema.graphql',
    /input OrderLine(?:Input|Patch) \{\n/g,
    '$&  oldOrderId: ID\n  oldShop: String\n  oldNumber: SafeInt\n',
  ],
]);
const COLUMNS = `alter table shop."Order Lines" add old_shop varchar(3), add old_number integer,
  add foreign key (old_shop, old_number) references shop.orders`;

const kinds = [databases[0]!, ...(hasPostgres ? [tradeDatabase(COLUMNS)] : [])];

describe.each(kinds)('a reference whose columns other properties have, on $name', (database) => {
  let service: Service;
  beforeAll(async () => {
    service = await startCompiled(await contract, database);
    const [rest] = tradeWriters(() => service);
    await rest!.create('Customer', { id: 'ALFKI', companyName: 'Alfreds' });
    for (const number of [7, 8]) await rest!.create('Order', { shopCode: 'B12', number, customerId: 'ALFKI' });
  });
  afterAll(() => service.close());

  it.each(tradeWriters(() => service))(
    'is null once null is sent, by $protocol',
    async ({ protocol, create, update }) => {
      const lineNo = protocol.length;
      const id = `B12~7~${lineNo}`;
      const made = await create('OrderLine', { orderId: 'B12~7', lineNo, unitPrice: '1', oldOrderId: 'B12~8' });
      expect(made.code).toBeUndefined();
      const stored = async () => (await service.request('GET', `/v1/order-lines/${id}`)).body;
      expect(await stored()).toMatchObject({ oldOrderId: 'B12~8', oldShop: 'B12', oldNumber: 8 });
      const after = async (input: object) => {
        expect((await update('OrderLine', id, input)).code).toBeUndefined();
        return stored();
      };
      const none = { id, oldOrderId: null, oldShop: null, oldNumber: null };
      expect(await after({ oldOrderId: null })).toMatchObject(none);
      expect(await after({ oldShop: 'B12', oldNumber: 7 })).toMatchObject({ oldOrderId: 'B12~7' });
      expect(await after({ oldOrderId: null, oldShop: 'B12' })).toMatchObject({ ...none, oldShop: 'B12' });
      expect(await after({ oldOrderId: 'B12~8' })).toMatchObject({ oldShop: 'B12', oldNumber: 8 });
      expect(await after({ oldNumber: null })).toMatchObject({ ...none, oldShop: 'B12' });
      expect(await after({ oldOrderId: null, oldShop: null })).toMatchObject(none);
    },
  );
});
