import { createClient } from 'graphql-ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { databases } from '../../support/databases.ts';
import { eventually } from '../../support/eventually.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Caller, customer, type Json, Shop } from '../../support/storefront.ts';

const database = databases[0]!;
/** Costs 1: a product. */
const CHEAP = 'subscription { productUpdated { id } }';
/** Costs 1 + 1 + 2 × 1: a product, a connection and its entries. */
const DEAR = 'subscription { productUpdated { reviews(first: 2) { nodes { id } } } }';

describe('the subscriptions that a caller has open', () => {
  let shop: Shop;
  let port = 0;
  let ends: (() => unknown)[] = [];
  let open: Response[] = [];
  beforeEach(async () => {
    shop = await Shop.open(database, { graphql: { subscriptionBudget: 10 } });
    port = await shop.listen();
    ends = [];
    open = [];
  });
  afterEach(async () => {
    for (const end of ends) end();
    await shop.close();
  });

  const bearer = (as?: Caller): Record<string, string> =>
    as ? { authorization: `Bearer ${tokenOf({ sub: as.subject, scope: as.scope })}` } : {};
  const socket = (as?: Caller) => {
    const url = `ws://127.0.0.1:${port}/graphql`;
    const client = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, connectionParams: bearer(as) });
    ends.push(() => client.dispose());
    return client;
  };
  /** Resolves once the server has taken or refused a subscription: to the code of the refusal. */
  const subscribe = async (client: ReturnType<typeof socket>, query: string): Promise<string | undefined> => {
    let code: string | undefined;
    const results = client.iterate({ query });
    void results.next().catch(([error]: Json) => {
      code = error.extensions.code;
    });
    await client.iterate({ query: '{ __typename }' }).next();
    return code;
  };
  const stream = async (query: string, as?: Caller) => {
    const abort = new AbortController();
    const response = await fetch(`http://127.0.0.1:${port}/graphql?query=${encodeURIComponent(query)}`, {
      headers: { accept: 'text/event-stream', ...bearer(as) },
      signal: abort.signal,
    });
    ends.push(() => abort.abort());
    // `fetch` cancels a response that nobody refers to any more.
    open.push(response);
    return { response, abort: () => abort.abort() };
  };

  it('cost up to a limit together, over any number of sockets and streams', async () => {
    expect(await subscribe(socket(), DEAR)).toBeUndefined();
    expect(await subscribe(socket(), DEAR)).toBeUndefined();
    expect((await stream(CHEAP)).response.status).toBe(200);
    expect(await subscribe(socket(), DEAR)).toBe('LIMIT_EXCEEDED');
    const { response } = await stream(DEAR);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [
        {
          message: "The cost of the caller's open subscriptions is 13; the limit is 10.",
          extensions: { code: 'LIMIT_EXCEEDED', status: 400 },
        },
      ],
    });
    expect(await subscribe(socket(), CHEAP)).toBeUndefined();
  });

  it('count for what is kept of them where they are long', async () => {
    // A thousand characters are free, and 160 count 10.
    const long = (length: number): string => `subscription { productUpdated { ${'id '.repeat(length / 3)} } }`;
    expect(await subscribe(socket(), long(900))).toBeUndefined();
    expect(await subscribe(socket(), long(1_170))).toBe('LIMIT_EXCEEDED');
  });

  it('are refused where their ids are long', async () => {
    const client = socket();
    const url = `ws://127.0.0.1:${port}/graphql`;
    await client.dispose();
    const named = createClient({ url, webSocketImpl: WebSocket, retryAttempts: 0, generateID: () => 'i'.repeat(257) });
    ends.push(() => named.dispose());
    await expect(named.iterate({ query: '{ __typename }' }).next()).rejects.toMatchObject([
      { message: 'The length of the id is 257; the limit is 256.' },
    ]);
  });

  it('count by subject where there is one', async () => {
    for (const as of [undefined, customer, admin]) {
      const client = socket(as);
      for (let i = 0; i < 10; i++) expect(await subscribe(client, CHEAP)).toBeUndefined();
      expect(await subscribe(socket(as), CHEAP)).toBe('LIMIT_EXCEEDED');
    }
  });

  it('cost nothing any more once they have ended, however they ended', async () => {
    const first = socket();
    for (let i = 0; i < 4; i++) await subscribe(first, CHEAP);
    const left = first.iterate({ query: CHEAP });
    void left.next();
    const { abort } = await stream(DEAR);
    // A subscription that cannot start costs nothing, either.
    for (let i = 0; i < 20; i++)
      await first.iterate({ query: 'subscription { productUpdated(id: "x") { id } }' }).next();
    expect(await subscribe(first, DEAR)).toBe('LIMIT_EXCEEDED');
    await left.return?.();
    abort();
    await first.dispose();
    const second = socket();
    await eventually(async () => expect(await subscribe(socket(), DEAR)).toBeUndefined());
    for (let i = 0; i < 6; i++) await eventually(async () => expect(await subscribe(second, CHEAP)).toBeUndefined());
    expect(await subscribe(second, CHEAP)).toBe('LIMIT_EXCEEDED');
  });
});
