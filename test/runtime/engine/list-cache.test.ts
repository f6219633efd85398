import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ListCache } from '../../../src/runtime/engine/lists/list-cache.ts';
import { openSqliteStore } from '../../../src/runtime/storage/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/runtime/storage/store.ts';
import { type DatabaseKind, databases } from '../../support/databases.ts';
import { onList } from '../../support/reads.ts';
import { admin, customer, type Json, Shop, stranger } from '../../support/storefront.ts';

/** A database that counts the lists that are read. */
function counted(kind: DatabaseKind) {
  const counts = { lists: 0 };
  const database: DatabaseKind = {
    name: kind.name,
    async open(resources) {
      const opened = await kind.open(resources);
      onList(opened.store, () => counts.lists++);
      // As if every other server published its writes.
      opened.store.changesElsewhere = () => 0;
      return opened;
    },
  };
  return { counts, database };
}

describe.each(databases)('lists that are asked for again on $name', (kind) => {
  let shop: Shop;
  let counts: { lists: number };

  beforeEach(async () => {
    const made = counted(kind);
    counts = made.counts;
    shop = await Shop.open(made.database);
  });
  afterEach(() => shop.close());

  const names = async (): Promise<string[]> =>
    (await shop.get('/products?sort=name')).body.data.map((one: Json) => one.name);
  const connection = async (): Promise<string[]> => {
    const { data } = await shop.graphql('{ products(sort: [NAME_ASC]) { nodes { name } } }');
    return data.products.nodes.map((one: Json) => one.name);
  };

  it('are read once, by whichever protocol', async () => {
    await shop.product();
    const before = counts.lists;
    const first = await shop.get('/products?limit=5');
    expect(await shop.get('/products?limit=5')).toMatchObject({ status: 200, text: first.text });
    expect(counts.lists).toBe(before + 1);
    const query = '{ products(first: 5) { nodes { id } } }';
    await shop.graphql(query);
    await shop.graphql(query);
    expect(counts.lists).toBe(before + 2);
    await Promise.all(Array.from({ length: 10 }, () => shop.get('/products?limit=6')));
    expect(counts.lists).toBe(before + 3);
  });

  it('show each write at once', async () => {
    const mug = await shop.product({ name: 'Mug' });
    expect([await names(), await connection()]).toEqual([['Mug'], ['Mug']]);
    await shop.patch(`/products/${mug.id}`, admin, { name: 'Cup' });
    expect([await names(), await connection()]).toEqual([['Cup'], ['Cup']]);
    await shop.product({ name: 'Tray' });
    expect([await names(), await connection()]).toEqual([
      ['Cup', 'Tray'],
      ['Cup', 'Tray'],
    ]);
    await shop.graphql('mutation ($id: ID!) { deleteProduct(id: $id) }', { id: mug.id }, admin);
    expect([await names(), await connection()]).toEqual([['Tray'], ['Tray']]);
  });

  it('show what goes with a row that is deleted', async () => {
    await shop.user(customer);
    const product = await shop.product();
    await shop.review(product.id, customer);
    const other = await shop.product();
    const reviews = (id: string) => shop.get(`/products/${id}/reviews`);
    expect((await reviews(product.id)).body.data).toHaveLength(1);
    expect((await reviews(other.id)).body.data).toHaveLength(0);
    expect((await shop.delete(`/products/${product.id}`, admin)).status).toBe(204);
    expect((await reviews(product.id)).status).toBe(404);
    expect((await reviews(other.id)).body.data).toHaveLength(0);
  });

  it('are kept apart by whose rows a caller sees', async () => {
    for (const one of [customer, stranger]) await shop.user(one);
    const order = await shop.order(customer);
    const seen = async (as: typeof customer) => (await shop.get('/orders', as)).body.data.map((one: Json) => one.id);
    for (let i = 0; i < 2; i++) {
      expect(await seen(customer)).toEqual([order.id]);
      expect(await seen(stranger)).toEqual([]);
      expect(await seen(admin)).toEqual([order.id]);
      expect((await shop.get('/orders')).status).toBe(401);
      expect((await shop.get(`/orders/${order.id}/items`, customer)).status).toBe(200);
      expect((await shop.get(`/orders/${order.id}/items`, stranger)).status).toBe(404);
    }
  });

  it('never outlive a write that happens while they are read', async () => {
    await shop.product({ name: 'Mug' });
    const reading = names();
    const writing = shop.product({ name: 'Cup' });
    await Promise.all([reading, writing]);
    expect(await names()).toEqual(['Cup', 'Mug']);
  });

  it('have an entity tag, and are 304 for callers that have the current page', async () => {
    await shop.product({ name: 'Mug' });
    const { headers } = await shop.get('/products?sort=name');
    const etag = headers['etag'] as string;
    expect(headers).toMatchObject({ 'cache-control': 'no-cache' });
    const again = (tag: string, method = 'GET') =>
      shop.request(method, '/products?sort=name', undefined, undefined, { 'if-none-match': tag });
    for (const tag of [etag, `W/${etag}`, `"x", ${etag}`, '*'])
      expect(await again(tag)).toMatchObject({ status: 304, text: '', headers: { etag } });
    expect(await again(etag, 'HEAD')).toMatchObject({ status: 304 });
    expect(await again('"x"')).toMatchObject({ status: 200 });
    await shop.product({ name: 'Cup' });
    const changed = await again(etag);
    expect(changed.status).toBe(200);
    expect(changed.headers['etag']).not.toBe(etag);
  });

  it('have headers that say for whom caches may store them', async () => {
    await shop.user(customer);
    const { headers } = await shop.get('/orders', customer);
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'authorization' });
    const overGraphql = await shop.graphql('{ orders { nodes { id } } }', {}, customer);
    expect(overGraphql.headers).toMatchObject({ 'cache-control': 'no-store' });
    const refused = await shop.get('/orders');
    expect(refused.headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'authorization' });
  });
});

describe('a list', () => {
  it('shows what another process has written to the same file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    const file = join(folder, 'test.db');
    const database: DatabaseKind = {
      name: 'SQLite',
      open: async (resources) => {
        const store: Store = openSqliteStore({ file, resources });
        return { store, close: async () => store.close() };
      },
    };
    const [one, other] = [await Shop.open(database), await Shop.open(database)];
    const count = async (shop: Shop) => (await shop.get('/products')).body.data.length;
    expect([await count(one), await count(other)]).toEqual([0, 0]);
    await one.product();
    expect([await count(one), await count(other)]).toEqual([1, 1]);
    await other.product();
    expect([await count(one), await count(other)]).toEqual([2, 2]);
    await one.close();
    await other.close();
    await rm(folder, { recursive: true });
  });
});

describe('the list cache', () => {
  const things = { resource: 'things', rows: undefined };
  const page = (text: string) => ({ items: [{ row: [text] }], nextCursor: null }) as Json;
  const make = (options: object = {}) =>
    new ListCache({ maxBytes: 10_000, maxAgeMs: 100, changesElsewhere: () => 0, ...options });
  const reads = async (cache: ListCache, key: string, text = 'x', position = 0n, tokens?: string): Promise<boolean> => {
    let isRead = false;
    await cache.read(things, key, { position, tokens }, async () => {
      isRead = true;
      return page(text);
    });
    return isRead;
  };

  it('forgets the least used when it is full', async () => {
    const cache = make();
    const big = 'x'.repeat(1_000);
    expect([await reads(cache, 'a', big), await reads(cache, 'b', big)]).toEqual([true, true]);
    expect(await reads(cache, 'a', big)).toBe(false);
    expect(await reads(cache, 'c', big)).toBe(true);
    expect([await reads(cache, 'a', big), await reads(cache, 'b', big)]).toEqual([false, true]);
  });

  it('keeps no page for longer than its time', async () => {
    let now = 0;
    const cache = make({ clock: () => now });
    expect([await reads(cache, 'a'), await reads(cache, 'a')]).toEqual([true, false]);
    now = 100;
    expect(await reads(cache, 'a')).toBe(true);
  });

  it('reads a page anew for who asks for a later position than it was read at', async () => {
    const cache = make();
    expect([await reads(cache, 'a', 'x', 5n, 't'), await reads(cache, 'a', 'x', 5n, 't')]).toEqual([true, false]);
    expect([await reads(cache, 'a', 'x', 4n), await reads(cache, 'a')]).toEqual([false, false]);
    expect([await reads(cache, 'a', 'x', 6n, 't'), await reads(cache, 'a', 'x', 6n, 't')]).toEqual([true, false]);
  });

  it('reads a page anew for who asks for another moment at the same position, whose commit was perhaps not to be seen yet', async () => {
    const cache = make();
    expect(await reads(cache, 'a', 'x', 5n, 't')).toBe(true);
    expect([await reads(cache, 'a', 'x', 5n, 'u'), await reads(cache, 'a', 'x', 5n, 'u')]).toEqual([true, false]);
    expect([await reads(cache, 'a', 'x', 5n), await reads(cache, 'a', 'x', 5n)]).toEqual([true, true]);
  });

  it('keeps none while it cannot know what others write, nor what failed', async () => {
    const unknown = make({ changesElsewhere: () => undefined });
    expect([await reads(unknown, 'a'), await reads(unknown, 'a')]).toEqual([true, true]);
    const cache = make();
    const fail = () => Promise.reject(new Error('gone'));
    await expect(cache.read(things, 'a', { position: 0n, tokens: '' }, fail)).rejects.toThrow('gone');
    expect(await reads(cache, 'a')).toBe(true);
  });
});
