import { createClient as createSseClient } from 'graphql-sse';
import { createClient } from 'graphql-ws';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { type Service, startService, tokenOf } from '../../support/service.ts';
import { admin, type Caller, customer, type Json, stranger } from '../../support/storefront.ts';

const NOW = Date.parse('2026-01-15T12:00:00.000Z');
const HOUR_MS = 3_600_000;
const CREATED = 'subscription { orderCreated { id user { id } } }';
/** Another of the staff. */
const colleague: Caller = { ...admin, subject: '01941f60-6a80-7b20-9d68-000000000002' };

/** Times that hand-written code was run for an event. */
let runs = 0;
const spied = {
  ...handlers,
  overrides: {
    ...handlers.overrides,
    orders: {
      ...handlers.overrides.orders,
      get: async (_: unknown, { caller }: Json, next: () => Promise<Json>) => ({
        ...(await next()),
        note: caller.principal.subject,
      }),
    },
  },
  operations: {
    getRatingSummary: {
      each: (...args: Parameters<typeof handlers.operations.getRatingSummary.each>) => {
        runs++;
        return handlers.operations.getRatingSummary.each(...args);
      },
    },
  },
} as unknown as AnyHandlers;

/** What one subscriber has received. */
interface Follower {
  readonly results: Json[];
  end(): unknown;
}

interface Stream {
  readonly name: string;
  follow(port: number, query: string, token: string | undefined, variables?: object): Promise<Follower>;
}

const collect = (results: Json[], source: AsyncIterable<unknown>): void => {
  void (async () => {
    for await (const result of source) results.push(result);
  })().catch(() => {});
};

const streams: readonly Stream[] = [
  {
    name: 'WebSocket',
    async follow(port, query, token, variables = {}) {
      const client = createClient({
        url: `ws://127.0.0.1:${port}/graphql`,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        ...(token !== undefined && { connectionParams: { authorization: `Bearer ${token}` } }),
      });
      const results: Json[] = [];
      collect(results, client.iterate({ query, variables: { ...variables } }));
      await client.iterate({ query: '{ __typename }' }).next();
      return { results, end: () => client.dispose() };
    },
  },
  {
    name: 'server-sent events',
    async follow(port, query, token, variables = {}) {
      const begun = Promise.withResolvers<void>();
      const client = createSseClient({
        url: `http://127.0.0.1:${port}/graphql`,
        retryAttempts: 0,
        headers: (): Record<string, string> => (token === undefined ? {} : { authorization: `Bearer ${token}` }),
        fetchFn: async (...args: Parameters<typeof fetch>) => {
          const response = await fetch(...args);
          begun.resolve();
          return response;
        },
      });
      const results: Json[] = [];
      collect(results, client.iterate({ query, variables: { ...variables } }));
      await begun.promise;
      return { results, end: () => client.dispose() };
    },
  },
];

describe.each(databases)('events for many subscribers on $name', (database) => {
  let shop: Service;
  let port = 0;
  let now = NOW;
  const followers: Follower[] = [];

  beforeAll(async () => {
    const clock = () => now;
    shop = await startService('contracts', database, spied, { clock });
    port = await shop.listen();
    for (const as of [customer, stranger, admin, colleague])
      await shop.request('POST', '/v1/users', {
        as: { sub: as.subject, scope: as.scope },
        body: { email: `${as.subject}@example.com`, name: 'Ada' },
      });
    return async () => {
      for (const { end } of followers) end();
      await shop.close();
    };
  });
  beforeEach(() => {
    runs = 0;
  });

  const token = (as: Caller | undefined, seconds?: number) =>
    as && tokenOf({ sub: as.subject, scope: as.scope }, seconds);
  const follow = async (stream: Stream, query: string, as?: Caller, seconds?: number, variables?: object) => {
    const follower = await stream.follow(port, query, token(as, seconds), variables);
    followers.push(follower);
    return follower.results;
  };
  const send = async (method: string, path: string, as: Caller, body: object): Promise<Json> => {
    const reply = await shop.request(method, `/v1${path}`, { as: { sub: as.subject, scope: as.scope }, body });
    if (reply.status >= 300) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  let made = 0;
  const product = (values: object = {}): Promise<Json> =>
    send('POST', '/products', admin, {
      sku: `FAN-${++made}`,
      name: 'Mug',
      price: 1,
      currency: 'EUR',
      delivery: { kind: 'PHYSICAL', weightGrams: 410 },
      ...values,
    });

  it('are executed once for all whom the contract treats alike, over every transport', async () => {
    const { id } = await product();
    const query = 'subscription($id: ID) { productUpdated(id: $id) { name ratingSummary { count } } }';
    const all: Json[][] = [];
    for (const stream of streams)
      for (const as of [undefined, undefined, customer, stranger, admin])
        all.push(await follow(stream, query, as, undefined, { id }));
    const other = await follow(streams[0]!, `${query} # another document`, undefined, undefined, { id });
    await send('PATCH', `/products/${id}`, admin, { name: 'Cup' });
    const event = { data: { productUpdated: { name: 'Cup', ratingSummary: { count: 0 } } } };
    await eventually(() => expect([...all, other]).toEqual(Array.from({ length: 11 }, () => [event])));
    expect(runs).toBe(2);
  });

  it('with other variables are others', async () => {
    const [one, two] = [await product(), await product()];
    const query = 'subscription($id: ID) { productUpdated(id: $id) { id } }';
    const ofOne = await follow(streams[0]!, query, undefined, undefined, { id: one.id });
    const ofTwo = await follow(streams[0]!, query, undefined, undefined, { id: two.id });
    await send('PATCH', `/products/${one.id}`, admin, { name: 'Cup' });
    await send('PATCH', `/products/${two.id}`, admin, { name: 'Cup' });
    await eventually(() => {
      expect(ofOne).toEqual([{ data: { productUpdated: { id: one.id } } }]);
      expect(ofTwo).toEqual([{ data: { productUpdated: { id: two.id } } }]);
    });
  });

  it.each(streams)('reach those alone who may see them, over $name', async (stream) => {
    const hers = [await follow(stream, CREATED, customer), await follow(stream, CREATED, customer)];
    const his = await follow(stream, CREATED, stranger);
    const staff = [await follow(stream, CREATED, admin), await follow(stream, CREATED, colleague)];
    const nobody = await follow(stream, CREATED);
    const scopeless = await follow(stream, CREATED, { ...customer, scope: 'users:read' });
    const [first, second] = [await send('POST', '/orders', customer, {}), await send('POST', '/orders', stranger, {})];
    const event = (order: Json, as: Caller) => ({ data: { orderCreated: { id: order.id, user: { id: as.subject } } } });
    const both = [event(first, customer), event(second, stranger)];
    await eventually(() => expect(staff).toEqual([both, both]));
    await eventually(() => expect([...hers, his]).toEqual([[both[0]], [both[0]], [both[1]]]));
    expect(nobody).toMatchObject([{ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }]);
    expect(scopeless).toMatchObject([{ errors: [{ extensions: { code: 'FORBIDDEN' } }] }]);
  });

  it('do not mix callers with the same document whose scopes differ within it', async () => {
    const query = 'subscription { orderCreated { id user { id } } }';
    // Without `users:read`, the user of an order is refused.
    const partial: Caller = { ...customer, scope: 'orders:read orders:write' };
    const whole = await follow(streams[0]!, query, customer);
    const part = await follow(streams[0]!, query, partial);
    const { id } = await send('POST', '/orders', customer, {});
    await eventually(() => expect(whole).toEqual([{ data: { orderCreated: { id, user: { id: customer.subject } } } }]));
    await eventually(() =>
      expect(part).toMatchObject([{ errors: [{ path: ['orderCreated', 'user'], extensions: { code: 'FORBIDDEN' } }] }]),
    );
  });

  it('are executed for each caller where hand-written code gets to know the caller', async () => {
    const { id } = await product({ stock: 9 });
    await send('PATCH', `/products/${id}`, admin, { status: 'ACTIVE' });
    const order = await send('POST', '/orders', customer, {});
    const query = 'subscription { orderItemCreated { order { note } } }';
    const seen = [await follow(streams[0]!, query, admin), await follow(streams[0]!, query, colleague)];
    await send('POST', `/orders/${order.id}/items`, customer, { productId: id, quantity: 1 });
    const noted = ({ subject }: Caller) => [{ data: { orderItemCreated: { order: { note: subject } } } }];
    await eventually(() => expect(seen).toEqual([noted(admin), noted(colleague)]));
  });

  it('end for a subscriber whose token has expired, and go on for the others', async () => {
    const [short, long] = [
      await follow(streams[0]!, CREATED, customer),
      await follow(streams[0]!, CREATED, customer, 7_200),
    ];
    now = NOW + HOUR_MS;
    try {
      const reply = await fetch(`http://127.0.0.1:${port}/v1/orders`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token(customer, 7_200)}`, 'content-type': 'application/json' },
        body: '{}',
      });
      const { id } = (await reply.json()) as Json;
      await eventually(() => expect(long).toMatchObject([{ data: { orderCreated: { id } } }]));
      await eventually(() => expect(short).toMatchObject([{ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }]));
    } finally {
      now = NOW;
    }
  });
});
