import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { handlers } from '../../../src/handlers/index.ts';
import type { JobRunner } from '../../../src/runtime/jobs/job-runner.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService } from '../../support/service.ts';
import { admin, type Json } from '../../support/storefront.ts';

const as = { sub: admin.subject, scope: admin.scope };
const DELIVERY = { kind: 'PHYSICAL', weightGrams: 410 };
const product = (sku: string) => ({ sku, name: 'Mug', price: 1, currency: 'EUR' });
const CREATE = 'mutation($input: ProductInput!) { createProduct(input: $input) { id version } }';

/** Code that undoes, in the same transaction, some of what it did. */
const overrides = {
  products: {
    async create(input: Json, { store }: Json, next: (input: Json) => Promise<Json>) {
      const draft = await store.products.create({ ...input, sku: `${input.sku}-DRAFT` });
      await store.products.delete(draft.id);
      const { id } = await next(input);
      return store.products.update(id, { stock: 7 });
    },
  },
};

describe.each(databases)('what a transaction does to one row, on $name,', (database) => {
  let shop: Service;
  const received: string[] = [];
  let end: () => unknown;

  beforeAll(async () => {
    shop = await startService('contracts', database, { ...handlers, overrides } as unknown as AnyHandlers);
    const url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    end = () => client.dispose();
    const follow = async (field: string, selection: string) => {
      for await (const { data } of client.iterate<Json>({ query: `subscription { ${field} ${selection} }` }))
        received.push(`${field} ${JSON.stringify(data[field])}`);
    };
    void follow('productCreated', '{ sku stock }');
    void follow('productUpdated', '{ sku stock }');
    void follow('productDeleted', '');
    // What is asked after a subscription is answered after it began.
    await client.iterate({ query: '{ __typename }' }).next();
  });
  afterAll(async () => {
    await end();
    await shop.close();
  });

  it.each(['REST', 'GraphQL'])('is one event, and none where it is created and deleted, over %s', async (protocol) => {
    received.length = 0;
    const sku = `ONCE-${protocol.toUpperCase()}`;
    if (protocol === 'REST') {
      const body = { ...product(sku), delivery: DELIVERY };
      expect(await shop.request('POST', '/v1/products', { as, body })).toMatchObject({ status: 201 });
    } else {
      const input = { ...product(sku), delivery: { physical: { weightGrams: 410 } } };
      expect((await shop.graphql(CREATE, { as, variables: { input } })).errors).toBeUndefined();
    }
    const { data } = (await shop.request('GET', `/v1/products?sku=${sku}`, { as })).body;
    // The last event says that there is nothing more to come.
    await shop.request('DELETE', `/v1/products/${data[0].id}`, { as });
    await eventually(() => expect(received).toContain(`productDeleted "${data[0].id}"`));
    expect(received).toEqual([`productCreated {"sku":"${sku}","stock":7}`, `productDeleted "${data[0].id}"`]);
  });
});

const clinician = { sub: 'ada', scope: 'clinics:write' };

describe.each(databases)('a deletion that the database refuses, on $name,', (database) => {
  it('takes nothing along: no event of it, and no subscription, and a created row stays one', async () => {
    let runner!: JobRunner;
    let ward!: Json;
    const handled: string[] = [];
    const received: string[] = [];
    const hears =
      (kind: string) =>
      ({ row }: Json) =>
        handled.push(`${kind} ${row.name}`);
    const on = { patients: { created: hears('created'), deleted: hears('deleted') } };
    const patients = {
      async create(input: Json, { store }: Json, next: (input: Json) => Promise<Json>) {
        const patient = await next(input);
        if (patient.name === 'Ward') ward = patient;
        else if (patient.name === 'Bo') return patient;
        await store.appointments.create({ patientId: patient.id, doctorId: 'd', at: '2026-01-01T00:00:00Z' });
        for (const { id } of [patient, ward]) await expect(store.patients.delete(id)).rejects.toThrow();
        return patient;
      },
    };
    const onJobs = (made: JobRunner) => {
      runner = made;
    };
    const handlers = { on, overrides: { patients } } as unknown as AnyHandlers;
    const service = await startService('practice', database, handlers, { onJobs });
    const url = `ws://127.0.0.1:${await service.listen()}/graphql`;
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    try {
      const follow = async (field: string, selection: string) => {
        for await (const { data } of client.iterate<Json>({ query: `subscription { ${field} ${selection} }` }))
          received.push(`${field} ${data[field].name ?? data[field]}`);
      };
      void follow('patientCreated', '{ name }');
      void follow('patientDeleted', '');
      await client.iterate({ query: '{ __typename }' }).next();
      const make = async (path: string, body: object): Promise<string> => {
        const reply = await service.request('POST', `/v1/${path}`, { as: clinician, body });
        expect(reply.status).toBe(201);
        return reply.body.id;
      };
      const clinicId = await make('clinics', { name: 'X', country: 'DE' });
      await make(`clinics/${clinicId}/members`, { userId: 'ada', role: 'EDITOR' });
      for (const name of ['Ward', 'Ann', 'Bo']) await make('patients', { name, published: true, clinicId });
      expect((await runner.runDue()).failed).toEqual([]);
      expect(handled).toEqual(['created Ward', 'created Ann', 'created Bo']);
      await eventually(() => expect(received).toContain('patientCreated Bo'));
      expect(received).toEqual(['patientCreated Ward', 'patientCreated Ann', 'patientCreated Bo']);
    } finally {
      await client.dispose();
      await service.close();
    }
  });
});
