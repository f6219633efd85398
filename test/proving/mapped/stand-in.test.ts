import { describe, expect, it } from 'vitest';
import { mockSample } from '../../../src/authoring/mock/mock-sample.ts';
import { joinId, splitId } from '../../../src/descriptor/composite-id.ts';
import { serve } from '../../../src/proving/testing/serve.ts';
import { createRowCodec } from '../../../src/runtime/engine/resource/row-codec.ts';
import { openDatabase } from '../../../src/runtime/open-database.ts';
import { readConfig } from '../../../src/runtime/settings/config.ts';
import { load } from '../../../src/tools/sample.ts';
import { sqliteScratch } from '../../../src/tools/scratch-store.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { pinoLines } from '../../support/log-lines.ts';
import { contractOf, startCompiled } from '../../support/service.ts';
import { readingTrade } from '../../support/trade.ts';

const reading = await readingTrade();

describe('without the database that it maps, a contract', () => {
  it('has samples in which the properties of a column agree, and ids are made of the row', () => {
    const rows = [...mockSample({ contract: reading, seed: 1, rows: 20 }).sample()];
    const of = (key: string) => rows.filter(({ resource }) => resource === key).map(({ values }) => values);
    expect(of('orders').length).toBeGreaterThan(10);
    for (const { id, shopCode, number } of of('orders')) expect(id).toBe(joinId([String(shopCode), String(number)]));
    expect(of('orderLines').length).toBeGreaterThan(10);
    for (const line of of('orderLines')) {
      expect(line['id']).toBe(`${line['orderId']}~${line['lineNo']}`);
      expect(String(line['replacesId'] ?? joinId([String(line['shopCode']), '']))).satisfy(
        (id: string) => splitId(id)?.[0] === line['shopCode'],
      );
    }
    for (const { version } of of('customers')) expect(version).toMatch(/^[0-9a-f]{32}$/);
  });

  it('has tables of Lockstep, which its rows are read from', async () => {
    const { store, remove } = await sqliteScratch('stand-in', reading.resources);
    const count = await load(store, reading.resources, mockSample({ contract: reading, seed: 1, rows: 5 }).sample());
    expect(count).toBeGreaterThan(20);
    const [order] = await store.list({
      resource: 'orders',
      conditions: [],
      order: [{ property: 'id', direction: 'asc' }],
      limit: 1,
    });
    expect(await store.get('orders', String(order![0]))).toEqual(order);
    await remove();
  });

  it('refuses a reference that does not have the columns of the id, as those tables would', async () => {
    const as = { sub: 'ann', scope: 'trade:write' };
    const service = await startCompiled(await contractOf('trade'), databases[0]!);
    for (const orderId of ['Z', ',Y', 'Z~1']) {
      const body = { orderId, shopCode: 'Z', lineNo: 1, unitPrice: '1.5' };
      const reply = await service.request('POST', '/v1/order-lines', { as, body });
      expect([reply.status, reply.body.code], orderId).toEqual([422, 'REFERENCE_NOT_FOUND']);
    }
    await service.close();
  });

  it('writes as those tables would: ids of the row, versions that change with it, and values that no input has', async () => {
    const { resources } = await contractOf('trade');
    const { store, remove } = await sqliteScratch('stand-in', resources);
    const codecs = new Map(resources.map(({ key, properties }) => [key, createRowCodec(properties)]));
    const insert = (key: string, values: Record<string, unknown>) =>
      store.transaction(async (transaction) => {
        const codec = codecs.get(key)!;
        return codec.toValues(await transaction.insert(key, codec.toRow(values)));
      });
    const customer = await insert('customers', { companyName: 'Alfreds' });
    expect(customer).toMatchObject({ id: '1', tier: 'gold', version: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(await insert('customers', { companyName: 'Alfreds' })).toMatchObject({ id: '2' });
    const order = await insert('orders', { shopCode: 'B~1', number: 7, customerId: '1', version: 1 });
    expect(order).toMatchObject({ id: 'B!~1~7', placed: expect.stringMatching(/^2020-/), version: 1 });
    expect(await insert('orders', { shopCode: 'B', customerId: '1', version: 1 })).toMatchObject({
      id: 'B~2',
      number: 2,
    });
    const line = await insert('orderLines', { orderId: 'B!~1~7', lineNo: 3, unitPrice: '1.50' });
    expect(line).toMatchObject({ id: 'B!~1~7~3', shopCode: 'B~1' });
    const codec = codecs.get('orderLines')!;
    const next = await store.transaction((transaction) =>
      transaction.update('orderLines', codec.toRow({ ...line, unitPrice: '2.50' }), ['unitPrice']),
    );
    expect(codec.toValues(next!)).toMatchObject({ id: line['id'], unitPrice: '2.50' });
    expect(codec.toValues(next!)['version']).not.toBe(line['version']);
    expect(await store.get('orderLines', 'B!~1~7~3')).toEqual(next);
    await remove();
  });

  it('refuses inputs whose properties disagree, as those tables would', async () => {
    await using service = await serve({ contract: await contractOf('trade') });
    const clerk = service.as({ sub: 'clerk', scope: 'trade:write' });
    await clerk.post('/customers', { id: 'ALFKI', companyName: 'Alfreds' });
    await clerk.post('/orders', { shopCode: 'B12', number: 7, customerId: 'ALFKI' });
    const line = { orderId: 'B12~7', lineNo: 3, unitPrice: '1.50' };
    const places = [{ pointer: '/orderId' }, { pointer: '/shopCode' }];
    expect(await clerk.post('/order-lines', { ...line, shopCode: 'B13' })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', errors: places },
    });
    const fields = 'input: { orderId: "B12~7", shopCode: "B13", lineNo: 3, unitPrice: "1.50" }';
    const { errors } = await clerk.graphql(`mutation { createOrderLine(${fields}) { id } }`);
    expect(errors).toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    expect(await clerk.post('/order-lines', { ...line, shopCode: 'B12' })).toMatchObject({
      status: 201,
      body: { id: 'B12~7~3' },
    });
  });

  it('keeps its rows when the contract changes', async () => {
    const { log } = pinoLines('warn');
    await withFolder({}, async (folder) => {
      for (const maxLength of [40, 20, 10]) {
        const contract = await readingTrade(({ components }) => {
          components.schemas.Customer.properties.companyName.maxLength = maxLength;
        });
        const store = await openDatabase(readConfig({ DATA_DIR: folder }), contract, log);
        expect(await store.count('customers', [])).toBe(maxLength === 40 ? 0 : 1);
        const codec = createRowCodec(contract.resources.find(({ key }) => key === 'customers')!.properties);
        if (maxLength === 40)
          await store.transaction((transaction) =>
            transaction.insert('customers', codec.toRow({ companyName: 'Alfreds of Berlin' })),
          );
        await store.close();
      }
    }).then(
      () => expect.fail('rows that the contract no longer allows are accepted'),
      (error) => expect(error.message).toContain('companyName must have at most 10 characters'),
    );
  });

  it('is served to tests', async () => {
    await using service = await serve({ contract: reading });
    const { status, body } = await service.anonymous.get('/orders');
    expect([status, body]).toEqual([200, { data: [], page: { nextCursor: null } }]);
  });
});
