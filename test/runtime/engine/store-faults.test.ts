import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import { StoreError } from '../../../src/runtime/storage/store-error.ts';
import { databases } from '../../support/databases.ts';
import { authorInput, librarian, newAuthor } from '../../support/library.ts';
import { contractOf, type Service, startService } from '../../support/service.ts';
import { type Json, Shop } from '../../support/storefront.ts';

describe('faults of the database file', () => {
  let folder: string;
  let file: string;
  let service: Service;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    file = join(folder, 'test.db');
    service = await startService('library', {
      name: 'SQLite',
      open: async (resources) => {
        const store = openSqliteStore({ file, resources, busyTimeoutMs: 20 });
        return { store, close: async () => store.close() };
      },
    });
  });

  afterEach(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  it('answers 503 with Retry-After while another process holds the lock, and serves reads', async () => {
    const { id } = await newAuthor(service);
    const other = new DatabaseSync(file);
    other.exec('begin immediate');
    const reply = await service.request('POST', '/v1/authors', { as: librarian, body: authorInput() });
    expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(reply.headers['retry-after']).toBe('1');
    expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 });
    other.exec('rollback');
    other.close();
    await newAuthor(service);
  });

  it('answers 507 when the database is full, and keeps what it has', async () => {
    const { id } = await newAuthor(service);
    await service.close();
    const { resources } = await contractOf('library');
    const store = openSqliteStore({ file, resources, maxPages: 1 });
    service = await startService('library', {
      name: 'SQLite',
      open: async () => ({ store, close: async () => store.close() }),
    });
    const body = authorInput({ name: 'x'.repeat(100) });
    const statuses = new Set<number>();
    for (let n = 0; n < 200 && !statuses.has(507); n++) {
      statuses.add((await service.request('POST', '/v1/authors', { as: librarian, body })).status);
    }
    expect(statuses).toContain(507);
    expect(await service.request('GET', `/v1/authors/${id}`)).toMatchObject({ status: 200 });
  });

  /** Overwrites the page that the rows of a small table begin on. */
  async function damage(table: string): Promise<void> {
    const database = new DatabaseSync(file);
    const { rootpage } = database.prepare('select rootpage from sqlite_schema where name = ?').get(table)!;
    const { page_size: size } = database.prepare('pragma page_size').get()!;
    database.close();
    const at = (Number(rootpage) - 1) * Number(size);
    await writeFile(file, (await readFile(file)).fill(0xff, at, at + Number(size)));
  }

  it('answers 503 with Retry-After while its pages are damaged', async () => {
    const { id } = await newAuthor(service);
    await service.close();
    await damage('authors');
    const { resources } = await contractOf('library');
    const store = openSqliteStore({ file, resources });
    service = await startService('library', {
      name: 'SQLite',
      open: async () => ({ store, close: async () => store.close() }),
    });
    const detail = 'The database cannot be used at the moment.';
    for (const reply of [
      await service.request('GET', `/v1/authors/${id}`),
      await service.request('POST', '/v1/authors', { as: librarian, body: authorInput() }),
    ]) {
      expect(reply).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE', detail } });
      expect(reply.headers['retry-after']).toBe('1');
    }
    const { errors } = await service.graphql('query ($id: ID!) { author(id: $id) { name } }', { variables: { id } });
    expect(errors).toMatchObject([{ message: detail, extensions: { code: 'SERVICE_UNAVAILABLE' } }]);
  });

  it('is not ready when the store does not answer', async () => {
    expect(await service.request('GET', '/readyz')).toMatchObject({ status: 200 });
    service.store.ping = () => {
      throw new Error('gone');
    };
    expect(await service.request('GET', '/readyz')).toMatchObject({
      status: 503,
      body: { code: 'SERVICE_UNAVAILABLE' },
    });
    expect(await service.request('GET', '/livez')).toMatchObject({ status: 200 });
  });
});

describe.each(databases)('a commit on $name whose answer is lost', (database) => {
  it('is a 503, and missed events for subscribers; lists show it', async () => {
    const shop = await Shop.open(database);
    const client = createClient({
      url: `ws://127.0.0.1:${await shop.listen()}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
    });
    const next = client.iterate<Json>({ query: 'subscription { productCreated { name } }' }).next();
    await client.iterate({ query: '{ __typename }' }).next();
    expect((await shop.get('/products')).body.data).toEqual([]);
    const { transaction } = shop.store;
    shop.store.transaction = async (work, isolation, _listener, ...rest) => {
      await transaction.call(shop.store, work, isolation, undefined, ...rest);
      throw new StoreError({ kind: 'unavailable' }, new Error('gone'));
    };
    await expect(shop.product()).rejects.toThrow('503');
    shop.store.transaction = transaction;
    expect((await next).value).toMatchObject({ data: null, errors: [{ extensions: { code: 'EVENTS_MISSED' } }] });
    expect((await shop.get('/products')).body.data).toHaveLength(1);
    await client.dispose();
    await shop.close();
  });
});
