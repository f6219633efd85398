import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startService } from '../../support/service.ts';
import { admin, type Json } from '../../support/storefront.ts';

const as = { sub: admin.subject, scope: admin.scope };

// SQLite has one writer, whose commits are answered one after the other.
describe.runIf(hasPostgres)('events of a row, on Postgres,', () => {
  const database = databases.find(({ name }) => name === 'Postgres')!;
  /** Until when the answers to the next commits are held back. */
  const late: Promise<unknown>[] = [];
  const received: number[] = [];
  let shop: Service;
  let path: string;
  let end: () => unknown;

  beforeAll(async () => {
    shop = await startService('contracts', database, handlers as unknown as AnyHandlers);
    const { transaction } = shop.store;
    shop.store.transaction = async (work, isolation, listener, ...rest) => {
      const result = await transaction.call(shop.store, work, isolation, undefined, ...rest);
      await late.shift();
      listener?.onCommit();
      return result as never;
    };
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const body = { sku: 'ORDERED', name: 'Mug', price: 1, currency: 'EUR', delivery };
    const { id } = (await shop.request('POST', '/v1/products', { as, body })).body;
    path = `/v1/products/${id}`;
    const url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    end = () => client.dispose();
    const follow = async (): Promise<void> => {
      for await (const { data } of client.iterate<Json>({ query: 'subscription { productUpdated { version } }' }))
        received.push(data.productUpdated.version);
    };
    void follow();
    // What is asked after a subscription is answered after it began.
    await client.iterate({ query: '{ __typename }' }).next();
  });
  afterAll(async () => {
    await end();
    await shop.close();
  });

  const patch = (price: number) => shop.request('PATCH', path, { as, body: { price } });

  it('come in the order of its versions, and no answer waits for them', async () => {
    const answer = Promise.withResolvers<void>();
    late.push(answer.promise);
    const first = patch(2);
    await eventually(async () => expect((await shop.request('GET', path)).body.version).toBe(2));
    expect((await patch(3)).body.version).toBe(3);
    expect((await patch(4)).body.version).toBe(4);
    expect(received).toEqual([]);
    answer.resolve();
    expect((await first).body.version).toBe(2);
    await eventually(() => expect(received).toHaveLength(3));
    await patch(5);
    await eventually(() => expect(received).toEqual([2, 3, 4, 5]));
  });

  it('come although a write before them has failed', async () => {
    received.length = 0;
    const failure = Promise.withResolvers<void>();
    late.push(failure.promise);
    const failed = patch(6);
    await eventually(async () => expect((await shop.request('GET', path)).body.version).toBe(6));
    expect((await patch(7)).body.version).toBe(7);
    failure.reject(new Error('The answer is lost.'));
    expect((await failed).status).toBe(500);
    await eventually(() => expect(received).toEqual([7]));
  });

  it('come also where many change it at once', async () => {
    received.length = 0;
    const { version } = (await shop.request('GET', path)).body;
    await Promise.all(Array.from({ length: 20 }, (_, i) => patch(100 + i)));
    await eventually(() => expect(received).toEqual(Array.from({ length: 20 }, (_, i) => version + 1 + i)));
  });
});
