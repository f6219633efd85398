import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { handlers } from '../../../src/handlers/index.ts';
import { readingFrom } from '../../../src/runtime/storage/reading-from.ts';
import type { Isolation, Transaction } from '../../../src/runtime/storage/store.ts';
import { StoreError } from '../../../src/runtime/storage/store-error.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { hasPostgres } from '../../support/postgres.ts';
import { type Service, startService } from '../../support/service.ts';
import { admin, type Json } from '../../support/storefront.ts';

const as = { sub: admin.subject, scope: admin.scope };

// SQLite has one writer: there, a transaction costs nothing that matters.
describe.runIf(hasPostgres)('a change that nothing but its row decides, on Postgres,', () => {
  const database = databases.find(({ name }) => name === 'Postgres')!;
  const isolations: Isolation[] = [];
  /** What others do between the reading and the writing of the row, each time it is read. */
  let meanwhile: () => Promise<void> = async () => {};
  let shop: Service;
  let path: string;
  const patch = (body: object, ifMatch?: string) =>
    shop.request('PATCH', path, { as, body, ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }) });

  beforeAll(async () => {
    shop = await startService('contracts', database, handlers as unknown as AnyHandlers);
    const { transaction } = shop.store;
    shop.store.transaction = (work, isolation, ...rest) => {
      isolations.push(isolation!);
      return transaction.call(shop.store, (own: Transaction) => work(interrupted(own)), isolation, ...rest) as never;
    };
    const delivery = { kind: 'PHYSICAL', weightGrams: 410 };
    const body = { sku: 'ALONE', name: 'Mug', price: 1, currency: 'EUR', delivery };
    path = `/v1/products/${(await shop.request('POST', '/v1/products', { as, body })).body.id}`;
  });
  afterAll(() => shop.close());

  const interrupted = (own: Transaction): Transaction =>
    new Proxy(own, {
      get(_own, name: keyof Transaction) {
        if (name === 'jobs') return own.jobs;
        if (name !== 'unlocked') return own[name].bind(own);
        return readingFrom(async (read, action) => {
          const found = await read(own.unlocked);
          if (action === 'get') await meanwhile();
          return found;
        });
      },
    });

  /** The next changes are interrupted so often, each time by another one, which is not. */
  function interrupting(times: number): void {
    let left = times;
    let isWithin = false;
    meanwhile = async () => {
      if (isWithin || left-- <= 0) return;
      isWithin = true;
      expect((await patch({ stock: 100 + left })).status).toBe(200);
      isWithin = false;
    };
  }

  it('takes neither a lock nor a transaction', async () => {
    isolations.length = 0;
    expect((await patch({ price: 2 })).body).toMatchObject({ price: 2, version: 2 });
    expect(isolations).toEqual(['single']);
  });

  it('is made anew of what others have made of the row meanwhile', async () => {
    interrupting(1);
    isolations.length = 0;
    expect((await patch({ price: 3 })).body).toMatchObject({ price: 3, stock: 100, version: 4 });
    expect(isolations).toEqual(['single', 'single', 'single']);
  });

  it('takes the lock of a row that others change all the time', async () => {
    interrupting(4);
    isolations.length = 0;
    expect((await patch({ price: 4 })).body).toMatchObject({ price: 4, stock: 101, version: 8 });
    expect(isolations.at(-1)).toBe('locking');
  });

  it('is refused where the version is another by then', async () => {
    const etag = (await shop.request('GET', path)).headers.etag as string;
    interrupting(1);
    expect((await patch({ price: 5 }, etag)).status).toBe(412);
  });

  it('is lost in no race', async () => {
    meanwhile = async () => {};
    const { version } = (await shop.request('GET', path)).body;
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => patch({ price: 100 + i })));
    const versions = answers.map(({ body }) => body.version as number).sort((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 20 }, (_, i) => version + 1 + i));
  });

  it('is missed by subscribers, and not in lists, when its answer is lost', async () => {
    const url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0 });
    const next = client.iterate<Json>({ query: 'subscription { productUpdated { price } }' }).next();
    await client.iterate({ query: '{ __typename }' }).next();
    const { transaction } = shop.store;
    shop.store.transaction = (work, ...rest) => {
      const losing = (own: Transaction): Transaction =>
        new Proxy(own, {
          get(_own, name: keyof Transaction) {
            if (name === 'unlocked' || name === 'jobs') return own[name];
            if (name !== 'update') return own[name].bind(own);
            return async (...args: Parameters<Transaction['update']>) => {
              await own.update(...args);
              throw new StoreError({ kind: 'unavailable' }, new Error('gone'));
            };
          },
        });
      return transaction.call(shop.store, (own: Transaction) => work(losing(own)), ...rest) as never;
    };
    expect((await patch({ price: 777 })).status).toBe(503);
    shop.store.transaction = transaction;
    expect((await next).value).toMatchObject({ data: null, errors: [{ extensions: { code: 'EVENTS_MISSED' } }] });
    expect((await shop.request('GET', path)).body.price).toBe(777);
    await client.dispose();
  });
});
