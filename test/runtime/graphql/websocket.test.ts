import { once } from 'node:events';
import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Caller, customer, type Json, Shop, stranger } from '../../support/storefront.ts';

const UPDATED = 'subscription($id: ID) { productUpdated(id: $id) { id name version } }';

describe.each(databases)('GraphQL over WebSocket on $name', (database) => {
  let shop: Shop;
  let url = '';

  beforeAll(async () => {
    shop = await Shop.open(database, { graphql: { initTimeoutMs: 1_000 } });
    for (const caller of [customer, stranger]) await shop.user(caller);
    url = `ws://127.0.0.1:${await shop.listen()}/graphql`;
  });
  afterAll(() => shop.close());

  const authorization = async ({ subject: sub, scope }: Caller) => `Bearer ${await tokenOf({ sub, scope })}`;
  const client = async (as?: Caller) =>
    createClient({
      url,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      ...(as && { connectionParams: { authorization: await authorization(as) } }),
    });
  type Client = Awaited<ReturnType<typeof client>>;

  /** Starts a subscription, waits until the server has taken it, and gives its results one by one. */
  const subscribe = async (to: Client, query: string, variables: object = {}) => {
    const results = to.iterate({ query, variables: { ...variables } });
    const first = results.next();
    // Messages of one socket are answered in order.
    await to.iterate({ query: '{ __typename }' }).next();
    let started = true;
    return {
      next: async (): Promise<Json> => {
        const result = started ? await first : await results.next();
        started = false;
        return result.value;
      },
      stop: () => results.return?.(),
    };
  };

  it('gives each mutation a token, which the next operation may send', async () => {
    const to = await client(admin);
    const { id } = await shop.product();
    const update = 'mutation ($id: ID!, $name: String!) { updateProduct(id: $id, input: { name: $name }) { name } }';
    const changed = await to.iterate({ query: update, variables: { id, name: 'Red mug' } }).next();
    const { extensions } = changed.value as Json;
    expect(extensions).toEqual({ consistencyToken: expect.stringMatching(/^[\w-]+$/) });
    const query = `{ product(id: "${id}") { name } }`;
    const read = await to.iterate({ query, extensions }).next();
    expect(read.value).toEqual({ data: { product: { name: 'Red mug' } } });
    const bad = to.iterate({ query, extensions: { consistencyToken: '?' } }).next();
    await expect(bad).rejects.toMatchObject([{ extensions: { code: 'VALIDATION_FAILED' } }]);
    await to.dispose();
  });

  it('closes a socket that sends a message of too many values', async () => {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { values: Array(10_001).fill(1) } }));
    expect((await once(socket, 'close'))[0]).toBe(1009);
  });

  it('serves others between the frames of a socket that come at once, and answers them in their order', async () => {
    const socket = new WebSocket(url, 'graphql-transport-ws');
    const ids: string[] = [];
    const acknowledged = Promise.withResolvers<void>();
    socket.on('message', (data) => {
      const { type, id } = JSON.parse(String(data));
      if (type === 'connection_ack') acknowledged.resolve();
      if (type === 'error') ids.push(id);
    });
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: { authorization: await authorization(customer) } }));
    await acknowledged.promise;
    const count = 300;
    for (let i = 0; i < count; i++)
      socket.send(JSON.stringify({ type: 'subscribe', id: `${i}`, payload: { query: `{ unknown${i} }` } }));
    const origin = url.replace('ws', 'http').replace('/graphql', '');
    const reads = Array.from({ length: 3 }, () => fetch(`${origin}/v1/products`));
    for (const read of reads) expect((await read).status).toBe(200);
    expect(ids.length).toBeLessThan(count);
    await eventually(() => expect(ids).toHaveLength(count));
    expect(ids).toEqual(Array.from({ length: count }, (_, i) => `${i}`));
    socket.close();
  });

  it.each(['?', '', 1, {}])(
    'closes a socket that is opened with %j for a token of an answer',
    async (consistencyToken) => {
      const to = createClient({
        url,
        webSocketImpl: WebSocket,
        retryAttempts: 0,
        connectionParams: { consistencyToken },
      });
      const reason = 'consistencyToken must be the token of an answer.';
      await expect(to.iterate({ query: '{ __typename }' }).next()).rejects.toMatchObject({ code: 4400, reason });
      await to.dispose();
    },
  );

  it.each([undefined, null, 's0', 'p0'])('takes %j when it is opened', async (consistencyToken) => {
    const to = createClient({
      url,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { consistencyToken },
    });
    const { value } = await to.iterate({ query: '{ __typename }' }).next();
    expect(value).toEqual({ data: { __typename: 'Query' } });
    await to.dispose();
  });

  it('answers queries and mutations', async () => {
    const to = await client(admin);
    const input = { sku: 'WS-1', name: 'Mug', price: 1, currency: 'EUR', delivery: { physical: { weightGrams: 1 } } };
    const query = 'mutation($input: ProductInput!) { createProduct(input: $input) { name } }';
    const { value } = await to.iterate({ query, variables: { input } }).next();
    expect(value).toMatchObject({ data: { createProduct: { name: 'Mug' } } });
    const refused = await to.iterate({ query, variables: { input: { ...input, price: -1 } } }).next();
    expect((refused.value as Json).errors[0].extensions).toMatchObject({
      code: 'VALIDATION_FAILED',
      errors: [{ argument: 'input.price' }],
    });
    await to.dispose();
  });

  it('publishes changes made over REST and over GraphQL, with nested fields', async () => {
    const product = await shop.product();
    const to = await client();
    const events = await subscribe(
      to,
      'subscription($id: ID) { productUpdated(id: $id) { name ratingSummary { count } } }',
      {
        id: product.id.toUpperCase(),
      },
    );
    const other = await shop.product();
    await shop.patch(`/products/${other.id}`, admin, { name: 'Other' });
    await shop.patch(`/products/${product.id}`, admin, { name: 'Over REST' });
    expect(await events.next()).toEqual({
      data: { productUpdated: { name: 'Over REST', ratingSummary: { count: 0 } } },
    });
    await shop.graphql(
      'mutation($id: ID!) { updateProduct(id: $id, input: { name: "Over GraphQL" }) { id } }',
      { id: product.id },
      admin,
    );
    expect(await events.next()).toMatchObject({ data: { productUpdated: { name: 'Over GraphQL' } } });
    await to.dispose();
  });

  it('publishes nothing for what is refused, rolled back or not a change', async () => {
    const product = await shop.product({ name: 'Same' });
    const to = await client();
    const events = await subscribe(to, UPDATED, { id: product.id });
    await shop.patch(`/products/${product.id}`, admin, { name: 'Same' });
    await shop.patch(`/products/${product.id}`, admin, { status: 'DRAFT' });
    await shop.patch(`/products/${product.id}`, admin, { name: 'Other' });
    expect(await events.next()).toMatchObject({ data: { productUpdated: { name: 'Other' } } });
    await to.dispose();
  });

  it('publishes an order to its owner and staff only, and so its items, even when they are deleted with it', async () => {
    const product = await shop.product();
    const [own, theirs, staff] = await Promise.all([client(customer), client(stranger), client(admin)]);
    const clients = [own!, theirs!, staff!];
    const orders = await Promise.all(clients.map((to) => subscribe(to, 'subscription { orderCreated { id } }')));
    const items = await Promise.all(clients.map((to) => subscribe(to, 'subscription { orderItemDeleted }')));
    const order = await shop.order(customer);
    expect(await orders[0]!.next()).toEqual({ data: { orderCreated: { id: order.id } } });
    expect(await orders[2]!.next()).toEqual({ data: { orderCreated: { id: order.id } } });
    const item = await shop.item(order.id, product.id, 1);
    await shop.delete(`/orders/${order.id}`, customer);
    expect(await items[0]!.next()).toEqual({ data: { orderItemDeleted: item.id } });
    expect(await items[2]!.next()).toEqual({ data: { orderItemDeleted: item.id } });
    const their = await shop.order(stranger);
    expect(await orders[1]!.next()).toEqual({ data: { orderCreated: { id: their.id } } });
    for (const to of clients) await to.dispose();
  });

  it('publishes what a deletion changes elsewhere', async () => {
    const product = await shop.product();
    await shop.patch(`/users/${customer.subject}`, customer, { favouriteProductId: product.id });
    const to = await client(customer);
    const events = await subscribe(to, 'subscription { userUpdated { favouriteProductId } }');
    await shop.delete(`/products/${product.id}`, admin);
    expect(await events.next()).toEqual({ data: { userUpdated: { favouriteProductId: null } } });
    await to.dispose();
  });

  it('publishes what an override changes besides', async () => {
    const product = await shop.product({ stock: 5 });
    const order = await shop.order();
    const to = await client();
    const events = await subscribe(to, 'subscription($id: ID) { productUpdated(id: $id) { stock } }', {
      id: product.id,
    });
    await shop.item(order.id, product.id, 2);
    expect(await events.next()).toEqual({ data: { productUpdated: { stock: 3 } } });
    await to.dispose();
  });

  it.each([
    ['without a token', undefined, 'UNAUTHENTICATED'],
    ['without the scope', { ...customer, scope: 'users:read' }, 'FORBIDDEN'],
  ])('refuses a subscription %s', async (_, as, code) => {
    const to = await client(as);
    const { value } = await to.iterate({ query: 'subscription { orderCreated { id } }' }).next();
    expect((value as Json).errors).toMatchObject([{ extensions: { code } }]);
    await to.dispose();
  });

  it.each([
    ['an unknown field', { query: 'subscription { productUpdated { zzz } }' }, 'VALIDATION_FAILED'],
    ['two fields', { query: 'subscription { productUpdated { id } productCreated { id } }' }, 'VALIDATION_FAILED'],
    ['no document', { query: '' }, 'MALFORMED_REQUEST'],
    [
      'too deep a document',
      { query: `{ ${'product(id: 1) { reviews { nodes { '.repeat(4)} id ${'}'.repeat(13)}` },
      'LIMIT_EXCEEDED',
    ],
    [
      'an argument that is not an id',
      { query: 'subscription { productUpdated(id: "x") { id } }' },
      'VALIDATION_FAILED',
    ],
  ])('refuses %s', async (_, payload, code) => {
    const to = await client();
    const first = (await to
      .iterate(payload)
      .next()
      .catch((errors: unknown) => ({ value: { errors } }))) as Json;
    expect(first.value.errors[0].extensions.code).toBe(code);
    await to.dispose();
  });

  it('runs a limited number of operations at a time', async () => {
    const to = await client();
    for (let i = 0; i < 100; i++) void to.iterate({ query: UPDATED }).next();
    const refused = to.iterate({ query: UPDATED }).next();
    await expect(refused).rejects.toMatchObject([
      {
        message: 'The number of operations of the socket is 101; the limit is 100.',
        extensions: { code: 'LIMIT_EXCEEDED' },
      },
    ]);
    await to.dispose();
  });

  describe('closes a socket', () => {
    /** Sends messages one by one, each behind the answer to the one before, until the server closes. */
    const closing = (messages: readonly unknown[], protocol = 'graphql-transport-ws', headers = {}): Promise<number> =>
      new Promise((resolve) => {
        const socket = new WebSocket(url, protocol === '' ? [] : protocol, { headers });
        const rest = [...messages];
        const send = (): void => {
          const message = rest.shift();
          if (message !== undefined) socket.send(typeof message === 'string' ? message : JSON.stringify(message));
        };
        socket.on('open', send);
        socket.on('message', send);
        socket.on('close', resolve);
        socket.on('error', () => resolve(-1));
      });
    const init = { type: 'connection_init' };
    const operation = { type: 'subscribe', id: '1', payload: { query: UPDATED } };

    it.each<[number, string, unknown[], string?]>([
      [4400, 'an unknown type', [init, { type: 'zzz' }]],
      [4400, 'no JSON', ['{']],
      [4401, 'an operation before the greeting', [operation]],
      [4403, 'a token that is not a JWT', [{ ...init, payload: { authorization: 'Bearer x' } }]],
      [4406, 'no protocol that both know', [init], ''],
      [4408, 'no greeting in time', []],
      [4409, 'an operation id that is taken', [init, `${JSON.stringify(operation)}`, operation]],
      [4429, 'a second greeting', [init, init]],
    ])('with %i for %s', async (code, _, messages, protocol) => {
      if (code === 4409) return expect(await twice()).toBe(code);
      expect(await closing(messages, protocol)).toBe(code);
    });

    /** A running subscription has no answer to wait for. */
    const twice = (): Promise<number> =>
      new Promise((resolve) => {
        const socket = new WebSocket(url, 'graphql-transport-ws');
        socket.on('open', () => socket.send(JSON.stringify(init)));
        socket.on('message', () => {
          socket.send(JSON.stringify(operation));
          socket.send(JSON.stringify(operation));
        });
        socket.on('close', resolve);
      });

    it('for a refused token in the header of the upgrade', async () => {
      expect(await closing([init], 'graphql-transport-ws', { authorization: 'Bearer x' })).toBe(4403);
    });

    it('of another path before it opens', async () => {
      const socket = new WebSocket(url.replace('/graphql', '/elsewhere'), 'graphql-transport-ws');
      const error = await new Promise<Error>((resolve) => socket.on('error', resolve));
      expect(error.message).toContain('404');
    });
  });

  it('answers running operations before it closes, and accepts no new ones', async () => {
    const mayFinish = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const closing = await Shop.open(database);
    const { transaction } = closing.store;
    closing.store.transaction = async (...args) => {
      begun.resolve();
      await mayFinish.promise;
      return transaction.apply(closing.store, args) as never;
    };
    const codes: number[] = [];
    const to = createClient({
      url: `ws://127.0.0.1:${await closing.listen()}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      connectionParams: { authorization: await authorization(admin) },
      on: { closed: (event) => codes.push((event as { code: number }).code) },
    });
    const next = to.iterate({ query: 'subscription { productCreated { name } }' }).next();
    const query =
      'mutation { createProduct(input: { sku: "LAST", name: "Mug", price: 1, currency: "EUR", delivery: { physical: { weightGrams: 1 } } }) { name } }';
    const answer = to.iterate({ query }).next();
    await begun.promise;
    const closed = closing.close();
    await eventually(() =>
      expect(to.iterate({ query: '{ __typename }' }).next()).rejects.toMatchObject([
        { extensions: { code: 'SERVICE_UNAVAILABLE' } },
      ]),
    );
    mayFinish.resolve();
    expect((await answer).value).toMatchObject({ data: { createProduct: { name: 'Mug' } } });
    expect((await next).value).toEqual({ data: { productCreated: { name: 'Mug' } } });
    await closed;
    expect(codes).toEqual([1001]);
  });
});
