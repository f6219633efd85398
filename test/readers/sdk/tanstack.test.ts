import { InfiniteQueryObserver, MutationObserver, QueryClient, QueryObserver } from '@tanstack/query-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  productCreatedSubscription,
  productDeletedSubscription,
  productUpdatedSubscription,
} from '../../../generated/sdk/graphql.js';
import {
  type Client,
  createClient,
  NotFoundError,
  orders,
  PreconditionFailedError,
  type Product,
  products,
} from '../../../generated/sdk/index.js';
import {
  changeOptions,
  createOptions,
  deleteOptions,
  getOptions,
  infiniteOptions,
  invalidateOn,
  listOptions,
  replaceOptions,
  resourceKey,
  updateOptions,
} from '../../../generated/sdk/tanstack.js';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, Shop } from '../../support/storefront.ts';
import { scriptedSocket } from './support.ts';

const delivery = { kind: 'PHYSICAL', weightGrams: 1 } as const;
let made = 0;
const input = (values: { readonly price?: number } = {}) => {
  made += 1;
  return { sku: `QUERY-${made}`, name: 'Mug', price: 1, currency: 'EUR', stock: 9, delivery, ...values } as const;
};

let cache: QueryClient;
beforeEach(() => {
  cache = new QueryClient();
});

/** Keeps a query in use until the test ends. */
function watch<T extends { subscribe(listener: () => void): () => void }>(observer: T): T {
  onTestFinished(observer.subscribe(() => {}));
  return observer;
}

describe.each(databases)('options of TanStack Query, on $name,', (database) => {
  let shop: Shop;
  let client: Client;
  let other: Client;
  const sent: Request[] = [];

  beforeAll(async () => {
    shop = await Shop.open(database);
    const baseUrl = `http://127.0.0.1:${await shop.listen()}/v1`;
    const token = await tokenOf({ sub: admin.subject, scope: admin.scope });
    other = createClient({ baseUrl, token });
    client = createClient({
      baseUrl,
      token,
      fetch: (request) => {
        sent.push(request.clone());
        return fetch(request);
      },
    });
    await shop.user({ ...admin, scope: 'users:write' });
  });
  afterAll(() => shop.close());

  it('read lists and resources, with types', async () => {
    const { id } = await products.create(other, input());
    const page = await cache.fetchQuery(listOptions(client, products, { sort: ['-createdAt'], limit: 1 }));
    const first: Product | undefined = page.data[0];
    expect(first?.id).toBe(id);
    const observer = watch(new QueryObserver(cache, getOptions(client, products, id)));
    await eventually(() => expect(observer.getCurrentResult().data?.name).toBe('Mug'));
    const cached: number | undefined = cache.getQueryData(getOptions(client, products, id).queryKey)?.price;
    expect(cached).toBe(1);
    const review = await products.reviews.create(other, { productId: id }, { rating: 4, title: 'Fine' });
    const reviews = await cache.fetchQuery(listOptions(client, products.reviews, { productId: id }, { limit: 5 }));
    expect(reviews.data).toEqual([review]);
    expect(await cache.fetchQuery(getOptions(client, products.reviews, review))).toEqual(review);
    expect(cache.getQueriesData({ queryKey: resourceKey(products.reviews) })).toHaveLength(2);
  });

  it('read a list to its end', async () => {
    for (const price of [3, 4, 5]) await products.create(other, input({ price: 1000 + price }));
    const options = infiniteOptions(client, products, { price: { gte: 1003 }, sort: ['price'], limit: 2 });
    const observer = watch(new InfiniteQueryObserver(cache, options));
    await eventually(() => expect(observer.getCurrentResult().hasNextPage).toBe(true));
    const { data, hasNextPage } = await observer.fetchNextPage();
    const prices: number[] | undefined = data?.pages.flatMap((page) => page.data.map(({ price }) => price));
    expect([prices, hasNextPage]).toEqual([[1003, 1004, 1005], false]);
  });

  it('write with the version that was read, and keep the cache right', async () => {
    const list = listOptions(client, products, { sort: ['-createdAt'], limit: 1 });
    const listed = watch(new QueryObserver(cache, list));
    const shown = (values: object) =>
      eventually(() => expect(listed.getCurrentResult().data?.data[0]).toMatchObject(values));
    const create = new MutationObserver(cache, createOptions(client, products));
    const { id, sku } = await create.mutate(input());
    await shown({ id, version: 1 });
    const inCache = () => cache.getQueryData(getOptions(client, products, id).queryKey);
    expect(inCache()?.version).toBe(1);
    const update = new MutationObserver(cache, updateOptions(client, products));
    await update.mutate({ target: id, patch: { price: 2 } });
    expect(sent.findLast(({ method }) => method === 'PATCH')?.headers.get('If-Match')).toBe('"1"');
    await shown({ id, price: 2 });
    const replace = new MutationObserver(cache, replaceOptions(client, products));
    await replace.mutate({ target: id, input: { ...input({ price: 3 }), sku } });
    expect(sent.findLast(({ method }) => method === 'PUT')?.headers.get('If-Match')).toBe('"2"');
    const change = new MutationObserver(cache, changeOptions(client, products));
    await change.mutate({ target: id, patchOf: ({ price }) => ({ price: price + 1 }) });
    expect(inCache()).toMatchObject({ version: 4, price: 4 });
    const remove = new MutationObserver(cache, deleteOptions(client, products));
    await remove.mutate(id);
    expect(sent.findLast(({ method }) => method === 'DELETE')?.headers.get('If-Match')).toBe('"4"');
    expect(inCache()).toBeUndefined();
    await eventually(() => expect(listed.getCurrentResult().data?.data[0]?.id).not.toBe(id));
  });

  it('read again what somebody else has changed', async () => {
    const read = await products.create(other, input());
    const observer = watch(new QueryObserver(cache, getOptions(client, products, read.id)));
    await eventually(() => expect(observer.getCurrentResult().data?.version).toBe(1));
    await products.update(other, read, { price: 2 });
    const update = new MutationObserver(cache, updateOptions(client, products));
    const stale = update.mutate({ target: read, patch: { price: 3 } });
    await expect(stale).rejects.toBeInstanceOf(PreconditionFailedError);
    await eventually(() => expect(observer.getCurrentResult().data).toMatchObject({ version: 2, price: 2 }));
    const whatever = new MutationObserver(cache, updateOptions(client, products, { ifVersion: false }));
    expect(await whatever.mutate({ target: read, patch: { price: 3 } })).toMatchObject({ version: 3 });
  });

  it('read again what a changed resource belongs to', async () => {
    const product = await products.update(other, await products.create(other, input()), { status: 'ACTIVE' });
    const order = await orders.create(other, {});
    const observer = watch(new QueryObserver(cache, getOptions(client, orders, order.id)));
    await eventually(() => expect(observer.getCurrentResult().data?.total).toBe(0));
    const create = new MutationObserver(cache, createOptions(client, orders.items, { orderId: order.id }));
    const item = await create.mutate({ productId: product.id, quantity: 2 });
    expect(cache.getQueryData(getOptions(client, orders.items, item).queryKey)).toEqual(item);
    await eventually(() => expect(observer.getCurrentResult().data?.total).toBe(2));
  });

  it('follow events', async () => {
    const { id } = await products.create(other, input());
    const row = watch(new QueryObserver(cache, getOptions(client, products, id)));
    const list = watch(new QueryObserver(cache, listOptions(client, products, { sort: ['-createdAt'], limit: 1 })));
    const ended = new AbortController();
    const documents = [productCreatedSubscription, productUpdatedSubscription, productDeletedSubscription];
    const following = invalidateOn(cache, client, products, documents, { signal: ended.signal });
    let latest = 1;
    // A subscription begins at some time after it was asked for.
    await eventually(async () => {
      latest = (await products.change(other, id, ({ price }) => ({ price: price + 1 }))).version;
      expect(row.getCurrentResult().data?.version).toBeGreaterThan(1);
    });
    await eventually(() => expect(row.getCurrentResult().data?.version).toBe(latest));
    const created = await products.create(other, input());
    await eventually(() => expect(list.getCurrentResult().data?.data[0]?.id).toBe(created.id));
    await products.delete(other, id);
    await eventually(() => expect(row.getCurrentResult().error).toBeInstanceOf(NotFoundError));
    ended.abort();
    await following;
  });
});

describe('rows in the cache', () => {
  const createdAt = '2026-01-15T12:00:00.000Z';
  const state = (version: number, values: object = {}) => ({ id: 'p', version, createdAt, ...values });

  it('are not replaced by older versions, whichever answer comes last', async () => {
    const answers: ((response: Response) => void)[] = [];
    const client = createClient({
      baseUrl: 'http://127.0.0.1/v1',
      fetch: () => new Promise((resolve) => answers.push(resolve)),
    });
    const reading = cache.fetchQuery(getOptions(client, products, 'p'));
    const update = new MutationObserver(cache, updateOptions(client, products));
    const writing = update.mutate({ target: 'p', patch: { price: 2 } });
    await eventually(() => expect(answers).toHaveLength(2));
    answers[1]!(Response.json(state(2)));
    await writing;
    answers[0]!(Response.json(state(1)));
    expect(await reading).toMatchObject({ version: 2 });
    const again = cache.fetchQuery(getOptions(client, products, 'p'));
    await eventually(() => expect(answers).toHaveLength(3));
    // Deleted, and created again with the same id.
    answers[2]!(Response.json(state(1, { createdAt: '2026-02-01T00:00:00.000Z' })));
    expect(await again).toMatchObject({ version: 1 });
  });

  /** What is asked for when these events come, given a row of version 3 in the cache, and lists beside it. */
  async function askedOn(events: readonly unknown[], isFirst = false): Promise<string[]> {
    const asked: string[] = [];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const payloads = events.map((event) =>
      event === 'missed'
        ? { errors: [{ message: 'Missed', extensions: { code: 'EVENTS_MISSED', status: 503 } }] }
        : { data: { productUpdated: event } },
    );
    const client = createClient({
      baseUrl: 'http://127.0.0.1/v1',
      webSocket: scriptedSocket({ productUpdated: payloads }),
      fetch: async ({ url }) => {
        const path = new URL(url).pathname.slice('/v1'.length);
        asked.push(path);
        if (isFirst || asked.length > 3) await ended;
        return Response.json(path.endsWith('/p') ? state(3) : { data: [], page: { nextCursor: null } });
      },
    });
    watch(new QueryObserver(cache, getOptions(client, products, 'p')));
    watch(new QueryObserver(cache, listOptions(client, products)));
    watch(new QueryObserver(cache, listOptions(client, orders)));
    await eventually(() => expect([asked.length, cache.isFetching()]).toEqual([3, isFirst ? 3 : 0]));
    await invalidateOn(cache, client, products, [productUpdatedSubscription]);
    end();
    await eventually(() => expect(cache.isFetching()).toBe(0));
    await new Promise((resolve) => setImmediate(resolve));
    await eventually(() => expect(cache.isFetching()).toBe(0));
    return asked.slice(3).sort();
  }

  it.each([
    ['the same version', state(3)],
    ['an older version', state(2)],
    ['another row', { ...state(9), id: 'other' }],
  ])('are not read again for %s', async (_name, event) => {
    expect(await askedOn([event])).toEqual(['/products']);
  });

  it.each([
    ['a newer version', state(4)],
    ['a deletion', 'p'],
    ['what was missed', 'missed'],
    ['another row of the same id', state(1, { createdAt: '2026-02-01T00:00:00.000Z' })],
  ])('are read again for %s', async (_name, event) => {
    expect(await askedOn([event])).toEqual(['/products', '/products/p']);
  });

  it('are read once for all events that come while they are read', async () => {
    const many = Array.from({ length: 50 }, (_, at) => state(4 + at));
    expect(await askedOn(many)).toEqual(['/products', '/products', '/products/p', '/products/p']);
  });

  it('are read again when events come before the first answer', async () => {
    expect(await askedOn([state(4)], true)).toEqual(['/products', '/products/p']);
  });

  /** A client whose answers a test gives. */
  function answering() {
    const answers: ((body: object) => void)[] = [];
    const client = createClient({
      baseUrl: 'http://127.0.0.1/v1',
      webSocket: scriptedSocket({ productUpdated: [{ data: { productUpdated: state(4) } }] }),
      fetch: () => new Promise((resolve) => answers.push((body) => resolve(Response.json(body)))),
    });
    return { answers, client };
  }

  it('are marked when events come while they are prefetched', async () => {
    const { answers, client } = answering();
    const original = cache.invalidateQueries.bind(cache);
    const invalidate = vi.spyOn(cache, 'invalidateQueries').mockImplementation((...given) => {
      if (invalidate.mock.calls.length > 9) throw new Error('Invalidated without an end.');
      return original(...given);
    });
    const options = getOptions(client, products, 'p');
    const prefetching = cache.prefetchQuery(options);
    await eventually(() => expect(answers).toHaveLength(1));
    await invalidateOn(cache, client, products, [productUpdatedSubscription]);
    answers[0]!(state(3));
    await prefetching;
    await eventually(() => expect(cache.getQueryState(options.queryKey)?.isInvalidated).toBe(true));
    expect(invalidate).toHaveBeenCalledTimes(2);
  });

  it('are replaced by an answer of the same version, whose other values may be new', async () => {
    const { answers, client } = answering();
    const options = getOptions(client, products, 'p');
    cache.setQueryData(options.queryKey, state(1, { rating: 3 }) as never);
    const reading = cache.fetchQuery(options);
    await eventually(() => expect(answers).toHaveLength(1));
    answers[0]!(state(1, { rating: 4 }));
    expect(await reading).toMatchObject({ rating: 4 });
  });

  it('are in lists that are read again when they are written before the first answer', async () => {
    const { answers, client } = answering();
    const list = watch(new QueryObserver(cache, listOptions(client, products)));
    const writing = new MutationObserver(cache, createOptions(client, products)).mutate(input());
    await eventually(() => expect(answers).toHaveLength(2));
    answers[1]!(state(1));
    await writing;
    answers[0]!({ data: [], page: { nextCursor: null } });
    await eventually(() => expect(answers).toHaveLength(3));
    answers[2]!({ data: [state(1)], page: { nextCursor: null } });
    await eventually(() => expect(list.getCurrentResult().data?.data).toHaveLength(1));
  });
});

/** For the type checker. A wrapper may have another copy of the package, whose class is another type with the same members. */
export async function copied(client: Client, copy: Pick<QueryClient, keyof QueryClient>): Promise<void> {
  await invalidateOn(copy, client, products, [productUpdatedSubscription]);
  const row = await updateOptions(client, products).mutationFn({ target: 'x', patch: { price: 1 } }, { client: copy });
  copy.setQueryData(getOptions(client, products, row).queryKey, row);
}

/** For the type checker. */
export function wrong(client: Client): void {
  // @ts-expect-error no such filter
  listOptions(client, products, { colour: 'red' });
  // @ts-expect-error the product whose reviews they are is missing
  listOptions(client, products.reviews);
  // @ts-expect-error an item is found by its order, too
  getOptions(client, orders.items, 'x');
  // @ts-expect-error the order that it belongs to is missing
  createOptions(client, orders.items);
  // @ts-expect-error a product belongs to nothing
  createOptions(client, products, { productId: 'x' });
  // @ts-expect-error no such value
  void new MutationObserver(cache, updateOptions(client, products)).mutate({ target: 'x', patch: { status: 'GONE' } });
  // @ts-expect-error custom operations are not resources
  getOptions(client, wrong, 'x');
}
