import { createClient } from 'graphql-ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { admin, customer } from '../../../contracts/samples/index.ts';
import { GRAPHQL_ERROR_CODES } from '../../../src/descriptor/standard-errors.ts';
import { handlers } from '../../../src/handlers/index.ts';
import type { PeerListener, Peers } from '../../../src/runtime/engine/events/peers.ts';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import { StoreError, type StoreFailure } from '../../../src/runtime/storage/store-error.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { type Reply, type RequestOptions, type Service, startService } from '../../support/service.ts';
import { exchangeRaw } from '../rest/support/raw-http.ts';

const own = handlers as unknown as AnyHandlers;
const as = ({ subject, scope }: typeof admin) => ({ sub: subject, scope });
const nobody = '019bc0de-7c00-7000-8000-0000000000ff';
const product = (values: object = {}) => ({
  sku: 'MUG-1',
  name: 'Mug',
  price: 100,
  currency: 'EUR',
  stock: 5,
  delivery: { kind: 'PHYSICAL', weightGrams: 410 },
  ...values,
});

describe.each(databases)('each code of the catalogue on $name', (database) => {
  let shop: Service;
  let port: number;
  let others: PeerListener | undefined;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    const peers: Peers = {
      isConnected: true,
      epochOf: () => 0,
      follow: () => ({ heard: undefined, release: () => {} }),
      publish: () => {},
      announceMissedEvents: () => {},
      listen: (listener) => {
        others = listener;
      },
    };
    const http = { requestTimeoutMs: 1_000, headersTimeoutMs: 1_000 };
    shop = await startService('contracts', database, own, { http, peers });
    port = await shop.listen();
    ids['user'] = await made('/users', { email: 'ada@example.com', name: 'Ada' }, customer);
    ids['draft'] = await made('/products', product());
    ids['mug'] = await active('MUG-2', { stock: 1 });
    ids['dollar'] = await active('MUG-3', { currency: 'USD' });
    ids['order'] = await made('/orders', {}, customer);
    ids['paid'] = await made('/orders', {}, customer);
    ids['item'] = await made(`/orders/${ids['order']}/items`, { productId: ids['mug'], quantity: 1 }, customer);
    await shop.request('PATCH', `/v1/orders/${ids['paid']}`, { as: as(customer), body: { status: 'PAID' } });
  });
  afterAll(() => shop.close());

  async function made(path: string, body: object, caller = admin): Promise<string> {
    const reply = await shop.request('POST', `/v1${path}`, { as: as(caller), body });
    if (reply.status !== 201) throw new Error(reply.text);
    return reply.body.id;
  }

  async function active(sku: string, values: object): Promise<string> {
    const id = await made('/products', product({ sku, ...values }));
    await shop.request('PATCH', `/v1/products/${id}`, { as: as(admin), body: { status: 'ACTIVE' } });
    return id;
  }

  const send = (method: string, path: string, options: RequestOptions = {}) =>
    shop.request(method, `/v1${path}`, options);
  const asAdmin = (method: string, path: string, body?: unknown, headers = {}) =>
    send(method, path, { as: as(admin), headers, ...(body !== undefined && { body }) });
  const order = (productId: string | undefined, id = ids['order'], quantity = 1) =>
    send('POST', `/orders/${id}/items`, { as: as(customer), body: { productId, quantity } });

  async function raw(bytes: string): Promise<Reply> {
    const response = await exchangeRaw(port, bytes);
    if (!response) throw new Error('The server closed the connection without an answer.');
    return { status: response.status, headers: response.headers, text: response.body, body: JSON.parse(response.body) };
  }

  /** The answer of a shop whose store fails. */
  async function failing(failure: StoreFailure | undefined): Promise<Reply> {
    const broken = await startService('contracts', database, own);
    broken.store.transaction = () => Promise.reject(failure ? new StoreError(failure, undefined) : new Error('secret'));
    try {
      return await broken.request('POST', '/v1/products', { as: as(admin), body: product() });
    } finally {
      await broken.close();
    }
  }

  async function thrownBy(code: 'TOO_MANY_REQUESTS' | 'CONFLICT'): Promise<Reply> {
    const create = () => Promise.reject(new ApiError(code));
    const throwing = await startService('contracts', database, { ...own, overrides: { products: { create } } });
    try {
      return await throwing.request('POST', '/v1/products', { as: as(admin), body: product() });
    } finally {
      await throwing.close();
    }
  }

  async function unimplemented(): Promise<Reply> {
    const bare = await startService('contracts', database, {}, { allowMissing: true });
    try {
      return await bare.request('GET', `/v1/products/${nobody}/rating-summary`);
    } finally {
      await bare.close();
    }
  }

  const head = 'GET /v1/products HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
  const provocations: Readonly<Record<string, () => Promise<Reply>>> = {
    MALFORMED_REQUEST: () => asAdmin('POST', '/products', '{"sku":'),
    VALIDATION_FAILED: () => asAdmin('POST', '/products', {}),
    INVALID_CURSOR: () => send('GET', '/products?cursor=made-up'),
    UNAUTHENTICATED: () => send('GET', '/orders'),
    FORBIDDEN: () => send('POST', '/products', { as: as(customer), body: product() }),
    NOT_FOUND: () => send('GET', `/products/${nobody}`),
    METHOD_NOT_ALLOWED: () => send('PUT', '/products'),
    NOT_ACCEPTABLE: () => send('GET', '/products', { headers: { accept: 'image/png' } }),
    REQUEST_TIMEOUT: () => raw('GET /v1/products HTTP/1.1\r\nHost: x\r\n'),
    ALREADY_EXISTS: () => asAdmin('POST', '/products', product()),
    ILLEGAL_TRANSITION: () => asAdmin('PATCH', `/orders/${ids['order']}`, { status: 'SHIPPED' }),
    STILL_REFERENCED: () => asAdmin('DELETE', `/products/${ids['mug']}`),
    CONFLICT: () => thrownBy('CONFLICT'),
    OUT_OF_STOCK: () => order(ids['mug']),
    PRODUCT_NOT_ACTIVE: () => order(ids['draft']),
    CURRENCY_MISMATCH: () => order(ids['dollar']),
    ORDER_NOT_PENDING: () => order(ids['mug'], ids['paid']),
    PRECONDITION_FAILED: () => asAdmin('DELETE', `/products/${ids['mug']}`, undefined, { 'if-match': '"9"' }),
    CONTENT_TOO_LARGE: () => asAdmin('POST', '/products', ' '.repeat(1_048_577)),
    URI_TOO_LONG: () => raw(`GET /${'x'.repeat(9000)} HTTP/1.1\r\nHost: x\r\n\r\n`),
    UNSUPPORTED_MEDIA_TYPE: () => asAdmin('POST', '/products', 'x', { 'content-type': 'text/plain' }),
    EXPECTATION_FAILED: () => raw(`${head}Expect: miracles\r\n\r\n`),
    REFERENCE_NOT_FOUND: () => order(nobody),
    IMMUTABLE_PROPERTY: () =>
      send('PUT', `/orders/${ids['order']}/items/${ids['item']}`, {
        as: as(customer),
        body: { productId: ids['dollar'], quantity: 1 },
      }),
    IDEMPOTENCY_KEY_REUSED: async () => {
      await asAdmin('POST', '/products', product({ sku: 'KEY-1' }), { 'idempotency-key': 'once' });
      return asAdmin('POST', '/products', product({ sku: 'KEY-2' }), { 'idempotency-key': 'once' });
    },
    TOO_MANY_REQUESTS: () => thrownBy('TOO_MANY_REQUESTS'),
    HEADERS_TOO_LARGE: () => raw(`${head}X: ${'x'.repeat(20_000)}\r\n\r\n`),
    INTERNAL_ERROR: () => failing(undefined),
    NOT_IMPLEMENTED: unimplemented,
    SERVICE_UNAVAILABLE: () => failing({ kind: 'unavailable' }),
    INSUFFICIENT_STORAGE: () => failing({ kind: 'full' }),
  };

  const requests = {
    LIMIT_EXCEEDED: { query: '{ products(first: 100) { nodes { reviews(first: 100) { nodes { id } } } } }' },
    PERSISTED_QUERY_NOT_FOUND: { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } },
  };

  it('has a provocation, and none is for a code that is not in it', () => {
    const ofGraphql = [...Object.keys(requests), 'EVENTS_MISSED'];
    const provoked = [...Object.keys(provocations), ...ofGraphql];
    expect(provoked.toSorted()).toEqual(Object.keys(shop.contract.errors).toSorted());
    expect(new Set(ofGraphql)).toEqual(GRAPHQL_ERROR_CODES);
  });

  it.each(Object.keys(requests))('%s is an error of GraphQL', async (code) => {
    const headers = { accept: 'application/graphql-response+json' };
    const reply = await shop.request('POST', '/graphql', { body: requests[code as keyof typeof requests], headers });
    const { status } = shop.contract.errors[code]!;
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ errors: [{ extensions: { code, status } }] });
    expect((await shop.request('GET', `/errors/${code}`)).text).toContain(shop.contract.errors[code]!.description);
  });

  it('EVENTS_MISSED is an error within a subscription, which continues', async () => {
    const client = createClient({ url: `ws://127.0.0.1:${port}/graphql`, webSocketImpl: WebSocket, retryAttempts: 0 });
    const events = client.iterate({ query: 'subscription { productCreated { name } }' });
    const first = events.next();
    await client.iterate({ query: '{ __typename }' }).next();
    others!.onMissedEvents();
    const { status } = shop.contract.errors['EVENTS_MISSED']!;
    expect((await first).value).toMatchObject({
      data: null,
      errors: [{ path: ['productCreated'], extensions: { code: 'EVENTS_MISSED', status } }],
    });
    await made('/products', product({ sku: 'MUG-9', name: 'After' }));
    expect((await events.next()).value).toEqual({ data: { productCreated: { name: 'After' } } });
    await client.dispose();
  });

  it.each(Object.keys(provocations))('%s is a problem of the catalogue', async (code) => {
    const reply = await provocations[code]!();
    const { status, title } = shop.contract.errors[code]!;
    expect(reply.status).toBe(status);
    expect(reply.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(reply.body).toMatchObject({ type: `/errors/${code}`, title, status, code });
    expect((await shop.request('GET', reply.body.type)).text).toContain(shop.contract.errors[code]!.description);
    expect(reply.body.instance).toMatch(/^\//);
    expect(reply.body.requestId).toMatch(/\S/);
    expect(reply.text).not.toMatch(/secret|SQL|node_modules|\.ts/);
    if (status === 401) expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
    if (status === 405) expect(reply.headers['allow']).toBe('GET, HEAD, POST, OPTIONS');
    if (status === 503 || status === 429) expect(reply.headers['retry-after']).toBe('1');
  });
});
