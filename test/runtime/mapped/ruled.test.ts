import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { administer } from '../../../src/tools/postgres-database.ts';
import { withFolder } from '../../support/folder.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { tradeDatabase } from '../../support/trade.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests edit any part of it
type Json = any;
type RowEvent = { readonly row: Json };

async function tradeWith(change: (document: Json) => void): Promise<CompiledContract> {
  const document = parse(await readFile('test/fixtures/trade/openapi.yaml', 'utf8'));
  change(document);
  return withFolder({ 'openapi.yaml': stringify(document) }, async (path) => {
    const { model, findings } = await modelContract(path);
    if (!model) throw new Error(findings.map(({ message }) => message).join('\n'));
    return model;
  });
}

const ROWS = `
  truncate shop.customers cascade;
  insert into shop.customers (code, "Company Name") values ('ALFKI', 'Alfreds');
  insert into shop.orders (shop_code, number, customer, freight) values ('B12', 7, 'ALFKI', 0), ('C3', 7, 'ALFKI', 0);
  insert into shop."Order Lines" (shop_code, number, "Line No", "Unit Price") values ('B12', 7, 1, 1), ('C3', 7, 1, 1)`;

describe.skipIf(!hasPostgres)('rules of access hold for tables of others', () => {
  const database = tradeDatabase();
  let service: Service;
  beforeAll(async () => {
    const contract = await tradeWith(({ components: { schemas } }) => {
      const own = [{ scope: 'trade:all' }, { where: { shopCode: 'B12' } }];
      schemas.Order['x-access'] = { read: own, create: own, update: own, delete: own };
      schemas.OrderLine['x-access'] = { read: [{ scope: 'trade:all' }, { where: { orderId: 'B12~7' } }] };
    });
    service = await startCompiled(contract, database);
  });
  afterAll(() => service.close());
  beforeEach(() => administer(database.url, ROWS));

  const send = (method: string, url: string, body?: object, scope = 'trade:write') =>
    service.request(method, `/v1${url}`, { as: { sub: 'clerk', scope }, ...(body && { body }) });

  it('for reads and writes of rows', async () => {
    expect((await send('GET', '/orders')).body.data.map(({ id }: { id: string }) => id)).toEqual(['B12~7']);
    expect((await send('PATCH', '/orders/B12~7', { freight: '2' })).status).toBe(200);
    expect((await send('PATCH', '/orders/C3~7', { freight: '2' })).status).toBe(404);
    expect((await send('DELETE', '/orders/C3~7')).status).toBe(404);
    expect((await send('PATCH', '/orders/C3~7', { freight: '2' }, 'trade:write trade:all')).status).toBe(200);
  });

  it('for new rows, also where their key is taken', async () => {
    const order = { number: 8, customerId: 'ALFKI' };
    expect((await send('POST', '/orders', { ...order, shopCode: 'B12' })).status).toBe(201);
    expect((await send('POST', '/orders', { ...order, shopCode: 'C3' })).status).toBe(403);
    expect((await send('POST', '/orders', { ...order, shopCode: 'C3', number: 7 })).status).toBe(403);
    expect((await send('POST', '/orders', { ...order, shopCode: 'B12' })).status).toBe(409);
  });

  it('for references to rows that the caller does not read', async () => {
    const line = { lineNo: 2, unitPrice: '1' };
    expect((await send('POST', '/order-lines', { ...line, orderId: 'C3~7' })).status).toBe(422);
    expect((await send('POST', '/order-lines', { ...line, orderId: 'B12~7' })).status).toBe(201);
  });
});

describe.skipIf(!hasPostgres)('tables of others may have rows of tenants', () => {
  const database = tradeDatabase();
  let service: Service;
  let runner: JobRunner;
  const heard: unknown[] = [];
  const hears = async ({ row }: RowEvent, { store }: { store: Json }) =>
    heard.push([row.text, (await store.orders.list()).map(({ id }: { id: string }) => id)]);
  beforeAll(async () => {
    const contract = await tradeWith((document) => {
      document['x-tenant'] = { property: 'shopCode', claim: 'shop' };
      const { schemas } = document.components;
      for (const name of ['OrderInput', 'OrderLineInput']) {
        delete schemas[name].properties.shopCode;
        schemas[name].required = schemas[name].required.filter((one: string) => one !== 'shopCode');
      }
      schemas.OrderLine.required.push('shopCode');
      delete document.paths['/recent-orders'];
      for (const path of Object.values<Record<string, { security?: unknown }>>(document.paths))
        for (const operation of Object.values(path)) if (operation.security) operation.security = [{ bearer: [] }];
    });
    service = await startCompiled(contract, database, { on: { 'orders.notes': { created: hears } } } as AnyHandlers, {
      onJobs: (made) => {
        runner = made;
      },
    });
  });
  afterAll(() => service.close());
  beforeEach(() => administer(database.url, ROWS));

  const send = (method: string, url: string, body?: object, shop = 'B12', headers = {}) =>
    service.request(method, `/v1${url}`, {
      as: { sub: 'clerk', scope: '', claims: { shop } },
      headers,
      ...(body && { body }),
    });

  it('whose callers reach no others', async () => {
    expect((await send('GET', '/orders')).body.data.map(({ id }: { id: string }) => id)).toEqual(['B12~7']);
    expect((await send('PATCH', '/orders/C3~7', { freight: '2' })).status).toBe(404);
    expect((await send('PATCH', '/orders/B12~7', { freight: '2' })).status).toBe(200);
    expect((await send('DELETE', '/orders/C3~7')).status).toBe(404);
    const made = await send('POST', '/orders', { number: 8, customerId: 'ALFKI' });
    expect(made).toMatchObject({ status: 201, body: { id: 'B12~8', shopCode: 'B12' } });
    const line = { lineNo: 2, unitPrice: '1' };
    expect((await send('POST', '/order-lines', { ...line, orderId: 'C3~7' })).status).toBe(422);
    expect((await send('POST', '/order-lines', { ...line, orderId: 'B12~7' })).status).toBe(201);
  });

  it('by the row above them, to which code that hears of them keeps', async () => {
    expect((await send('POST', '/orders/C3~7/notes', { text: 'foreign' })).status).toBe(404);
    for (const shop of ['B12', 'C3'])
      expect((await send('POST', `/orders/${shop}~7/notes`, { text: `of ${shop}` }, shop)).status).toBe(201);
    expect(await runner.runDue()).toMatchObject({ failed: [] });
    expect(heard.toSorted()).toEqual([
      ['of B12', ['B12~7']],
      ['of C3', ['C3~7']],
    ]);
  });

  it('by the row above them, once for each key of a tenant', async () => {
    const headers = { 'idempotency-key': 'a-note-asked-for-once' };
    const note = { text: 'once' };
    const made = await send('POST', '/orders/B12~7/notes', note, 'B12', headers);
    const again = await send('POST', '/orders/B12~7/notes', note, 'B12', headers);
    expect([made.status, again.status, again.body]).toEqual([201, 201, made.body]);
    const other = await send('POST', '/orders/C3~7/notes', note, 'C3', headers);
    expect(other.status).toBe(201);
    expect(other.body.id).not.toBe(made.body.id);
    expect(await administer(database.url, "select from shop.notes where text = 'once'")).toHaveLength(2);
  });
});
