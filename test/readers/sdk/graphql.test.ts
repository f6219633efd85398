import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { buildSchema, parse, validate } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as sdk from '../../../generated/sdk/graphql.js';
import {
  createProductMutation,
  document,
  GraphqlErrors,
  graphql,
  orderCreatedSubscription,
  orderQuery,
  productCreatedSubscription,
  productQuery,
  productsQuery,
  subscribe,
} from '../../../generated/sdk/graphql.js';
import {
  type Client,
  ConnectionError,
  createClient,
  EventsMissedError,
  NotFoundError,
  PreconditionFailedError,
  products,
  UnauthenticatedError,
  ValidationFailedError,
} from '../../../generated/sdk/index.js';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, Shop } from '../../support/storefront.ts';
import { tcpProxy } from '../../support/tcp-proxy.ts';

const schema = buildSchema(readFileSync('generated/schema.graphql', 'utf8'));
const documents = Object.entries(sdk).filter(([name]) => /(?:Query|Mutation|Subscription)$/.test(name));
let made = 0;
const input = () => {
  made += 1;
  return { sku: `GQL-${made}`, name: 'Mug', price: 1, currency: 'EUR', delivery: { physical: { weightGrams: 410 } } };
};

import { all, scriptedSocket } from './support.ts';

describe('the documents', () => {
  it('are one for each field of the root types but totals and batches, and valid', () => {
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const fields = roots.flatMap((type) => Object.keys(type!.getFields()));
    // Their selection, or their items, are those of each caller.
    expect(fields).toEqual(expect.arrayContaining(['orderTotals', 'batchProducts']));
    expect(documents).toHaveLength(fields.length - 2);
    for (const [, text] of documents) expect(validate(schema, parse(String(text)))).toEqual([]);
  });
});

describe.each(databases)('the client over GraphQL, on $name,', (database) => {
  let shop: Shop;
  let baseUrl = '';
  let staff: Client;
  let nobody: Client;

  beforeAll(async () => {
    shop = await Shop.open(database);
    baseUrl = `http://127.0.0.1:${await shop.listen()}/v1`;
    const token = await tokenOf({ sub: admin.subject, scope: admin.scope });
    staff = createClient({ baseUrl, token });
    nobody = createClient({ baseUrl });
  });
  afterAll(() => shop.close());

  it('answers with types', async () => {
    const { createProduct } = await graphql(staff, createProductMutation, { input: input() });
    const { product } = await graphql(nobody, productQuery, { id: createProduct.id });
    expect(product).toEqual(createProduct);
    const price: number = product!.price;
    expect(price).toBe(1);
    const page = await graphql(nobody, productsQuery);
    expect(page.products.nodes.map(({ id }) => id)).toContain(createProduct.id);
  });

  it('runs a document of one’s own', async () => {
    const names = document<{ products: { nodes: { name: string }[] } }, { first: number }>(
      'query ($first: Int) { products(first: $first) { nodes { name } } }',
    );
    const answer = await graphql(nobody, names, { first: 1 });
    expect(answer.products.nodes).toEqual([{ name: 'Mug' }]);
  });

  it('throws what REST throws', async () => {
    const id = '01941f29-7c00-7a10-8c57-00000000ffff';
    await expect(graphql(staff, orderQuery, { id })).rejects.toBeInstanceOf(NotFoundError);
    await expect(graphql(nobody, orderQuery, { id })).rejects.toBeInstanceOf(UnauthenticatedError);
    await expect(graphql(nobody, document('{ nothing }'))).rejects.toBeInstanceOf(ValidationFailedError);
    const { createProduct } = await graphql(staff, createProductMutation, { input: input() });
    const stale = graphql(staff, sdk.updateProductMutation, {
      id: createProduct.id,
      input: { price: 2 },
      ifVersion: 9,
    });
    await expect(stale).rejects.toBeInstanceOf(PreconditionFailedError);
  });

  it('throws all errors of a document, with what was answered beside them', async () => {
    const both = document<unknown>(
      '{ products { nodes { id } } a: product(id: "01941f29-7c00-7a10-8c57-00000000ffff") { id } }',
    );
    const failure = await graphql(nobody, both).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(GraphqlErrors);
    const { errors, data } = failure as GraphqlErrors;
    expect(errors).toEqual([expect.any(NotFoundError)]);
    expect(data).toMatchObject({ a: null, products: { nodes: expect.any(Array) } });
  });

  /** Creates until the subscriber has an event: a subscription begins at some time after it was asked for. */
  const untilSeen = async <T>(next: Promise<T>): Promise<T> => {
    let isSeen = false;
    void next.finally(() => {
      isSeen = true;
    });
    while (!isSeen) {
      await products.create(staff, { ...input(), delivery: { kind: 'PHYSICAL', weightGrams: 1 } });
      await delay(20);
    }
    return next;
  };

  it('tells events of either protocol, until the loop is left', async () => {
    const events = subscribe(nobody, productCreatedSubscription);
    const { value } = await untilSeen(events.next());
    expect(value?.productCreated).toMatchObject({ name: 'Mug', version: 1 });
    expect(await events.return()).toMatchObject({ done: true });
  });

  it('ends with the signal', async () => {
    const controller = new AbortController();
    const events = subscribe(nobody, productCreatedSubscription, {}, { signal: controller.signal });
    await untilSeen(events.next());
    controller.abort();
    const rest = await all(events);
    expect(Array.isArray(rest)).toBe(true);
    expect(await subscribe(nobody, productCreatedSubscription, {}, { signal: controller.signal }).next()).toMatchObject(
      { done: true },
    );
  });

  it('throws what refuses a subscription', async () => {
    await expect(subscribe(nobody, orderCreatedSubscription).next()).rejects.toBeInstanceOf(UnauthenticatedError);
    await expect(subscribe(nobody, document('subscription { nothing }')).next()).rejects.toBeInstanceOf(
      ValidationFailedError,
    );
  });

  /** Sockets that the test can cut. */
  class Cuttable extends WebSocket {
    static readonly open = new Set<Cuttable>();

    constructor(url: string | URL, protocols?: string | string[]) {
      super(url, protocols);
      Cuttable.open.add(this);
    }

    static cut(): void {
      for (const socket of Cuttable.open)
        socket.dispatchEvent(Object.assign(new Event('close'), { code: 1006, reason: 'cut' }));
      Cuttable.open.clear();
    }
  }

  it('connects again when the connection is lost, and says so', async () => {
    const client = createClient({ baseUrl, webSocket: Cuttable });
    const told = { connected: 0, missed: 0 };
    const events = subscribe(
      client,
      productCreatedSubscription,
      {},
      {
        onConnected: () => {
          told.connected += 1;
        },
        onMissed: () => {
          told.missed += 1;
        },
      },
    );
    await untilSeen(events.next());
    Cuttable.cut();
    await untilSeen(events.next());
    expect(told).toEqual({ connected: 2, missed: 1 });
    await events.return();
  });

  it('connects again when the network drops what is sent, without a word', async () => {
    let opened = 0;
    class Counted extends WebSocket {
      constructor(url: string | URL, protocols?: string | string[]) {
        super(url, protocols);
        opened += 1;
      }
    }
    const proxy = await tcpProxy(baseUrl);
    const client = createClient({ baseUrl: proxy.url, webSocket: Counted });
    let missed = 0;
    const onMissed = (): void => {
      missed += 1;
    };
    const events = subscribe(client, productCreatedSubscription, {}, { idleMs: 100, onMissed });
    await untilSeen(events.next());
    const next = events.next();
    proxy.freeze();
    await eventually(() => expect(opened).toBeGreaterThan(1));
    proxy.thaw();
    await untilSeen(next);
    await eventually(() => expect(missed).toBeGreaterThan(0));
    await events.return();
    await proxy.close();
  });

  it('ends rather than miss events in silence', async () => {
    const client = createClient({ baseUrl, webSocket: Cuttable });
    const events = subscribe(client, productCreatedSubscription);
    await untilSeen(events.next());
    const next = all(events);
    Cuttable.cut();
    await expect(next).rejects.toBeInstanceOf(ConnectionError);
  });
});

describe('a subscription that missed events', () => {
  const missed = { message: 'Missed', extensions: { code: 'EVENTS_MISSED', status: 503 } };

  const webSocket = scriptedSocket({
    productCreated: [{ errors: [missed] }, { data: { productCreated: { id: 'p' } } }],
  });
  const client = createClient({ baseUrl: 'http://127.0.0.1/v1', webSocket });

  it('goes on when somebody is told', async () => {
    let count = 0;
    const events = subscribe(
      client,
      productCreatedSubscription,
      {},
      {
        onMissed: () => {
          count += 1;
        },
      },
    );
    expect(await all(events)).toEqual([{ productCreated: { id: 'p' } }]);
    expect(count).toBe(1);
  });

  it('else ends with an error', async () => {
    await expect(all(subscribe(client, productCreatedSubscription))).rejects.toBeInstanceOf(EventsMissedError);
  });
});
