import { createClient } from 'graphql-sse';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Caller, customer, type Json, Shop } from '../../support/storefront.ts';

describe.each(databases)('GraphQL over server-sent events on $name', (database) => {
  let shop: Shop;
  let url = '';

  beforeAll(async () => {
    shop = await Shop.open(database);
    await shop.user(customer);
    url = `http://127.0.0.1:${await shop.listen()}/graphql`;
  });
  afterAll(() => shop.close());

  const headersOf = async (as?: Caller): Promise<Record<string, string>> =>
    as ? { authorization: `Bearer ${await tokenOf({ sub: as.subject, scope: as.scope })}` } : {};

  /** Opens a stream; each call gives the next block of it. */
  const open = async (query: string, as?: Caller, method: 'GET' | 'POST' = 'POST') => {
    const abort = new AbortController();
    const headers = {
      accept: 'text/event-stream; charset=utf-8',
      'content-type': 'application/json',
      ...(await headersOf(as)),
    };
    const response =
      method === 'POST'
        ? await fetch(url, { method, headers, body: JSON.stringify({ query }), signal: abort.signal })
        : await fetch(`${url}?query=${encodeURIComponent(query)}`, { headers, signal: abort.signal });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    return { response, next: async () => (await reader.read()).value, stop: () => abort.abort() };
  };

  it('streams a subscription to a client of the protocol', async () => {
    const client = createClient({ url, headers: () => headersOf(admin), retryAttempts: 0 });
    const results = client.iterate({ query: 'subscription { orderCreated { id note user { name } } }' });
    const first = results.next();
    // The stream is open once its response has begun: one more is answered behind it.
    await client.iterate({ query: '{ __typename }' }).next();
    const order = await shop.order(customer);
    expect((await first).value).toEqual({
      data: { orderCreated: { id: order.id, note: null, user: { name: 'Ada Lovelace' } } },
    });
    await results.return?.();
    client.dispose();
  });

  it.each(['GET', 'POST'] as const)('answers over %s', async (method) => {
    const { response, next, stop } = await open('subscription { productCreated { name } }', undefined, method);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await shop.product({ name: 'New' });
    expect(await next()).toBe('event: next\ndata: {"data":{"productCreated":{"name":"New"}}}\n\n');
    stop();
  });

  it('answers a query as a stream of one', async () => {
    const { next } = await open('{ __typename }');
    const text = `${await next()}${await next()}`;
    expect(text).toContain('event: next\ndata: {"data":{"__typename":"Query"}}\n\n');
    expect(text).toContain('event: complete\ndata:\n\n');
  });

  it('reports why it cannot start', async () => {
    const { response, next } = await open('subscription { orderCreated { id } }');
    expect(response.status).toBe(200);
    expect(await next()).toContain('"code":"UNAUTHENTICATED"');
    const invalid = await open('subscription { zzz }');
    expect(invalid.response.headers.get('content-type')).toContain('application/json');
    expect(await invalid.next()).toContain('VALIDATION_FAILED');
  });

  it('refuses a mutation by GET', async () => {
    const mutation = `mutation { deleteProduct(id: "${customer.subject}") }`;
    const { response } = await open(mutation, admin, 'GET');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  });

  it('needs a client that takes a stream', async () => {
    const { status, errors } = (await shop.graphql('subscription { productCreated { id } }')) as Json;
    expect(status).toBe(406);
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_ACCEPTABLE' } }]);
  });
});
