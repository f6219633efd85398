import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  createProductMutation,
  graphql,
  productsQuery,
  updateProductMutation,
} from '../../../generated/sdk/graphql.js';
import { type ClientOptions, ConnectionError, createClient, orders, products } from '../../../generated/sdk/index.js';

type Step = Response | Error;

const problem = (status: number, headers: Record<string, string> = {}): Response =>
  Response.json(
    { code: status === 404 ? 'NOT_FOUND' : 'SERVICE_UNAVAILABLE', status, title: 'No' },
    { status, headers },
  );
const lost = (): Error => new TypeError('fetch failed');
const found = (): Response => Response.json({ id: 'p', version: 1 });

/** A client whose server does these things one after the other; what was sent, and the waits in between. */
function scripted(steps: readonly Step[], options: ClientOptions = {}) {
  const requests: Request[] = [];
  const waits: number[] = [];
  const client = createClient({
    baseUrl: 'http://127.0.0.1/v1',
    random: () => 0,
    delay: async (ms) => void waits.push(ms),
    fetch: async (request) => {
      requests.push(request);
      const step = steps[requests.length - 1];
      if (step === undefined) throw new Error('too many requests');
      if (step instanceof Error) throw step;
      return step;
    },
    ...options,
  });
  return { client, requests, waits };
}

describe('a request that failed', () => {
  it('is sent again with waits that double, when it is safe', async () => {
    const { client, waits } = scripted([lost(), problem(503), problem(502), found()]);
    expect(await products.get(client, 'p')).toMatchObject({ id: 'p' });
    expect(waits).toEqual([125, 250, 500]);
  });

  it('has a time limit for each attempt, and says so', async () => {
    const never = (request: Request): Promise<Response> =>
      new Promise((_resolve, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    const { client } = scripted([], { timeoutMs: 5, retry: { maxRetries: 1 }, fetch: never });
    const failure = await products.get(client, 'p').catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect((failure as Error).message).toBe('GET http://127.0.0.1/v1/products/p got no answer within 5 ms');
  });

  it('is sent as its call says, instead of as its client does', async () => {
    const { client, requests, waits } = scripted([lost(), lost(), found()], { retry: { maxRetries: 0 } });
    await products.get(client, 'p', { retry: { maxRetries: 2, baseDelayMs: 20 } });
    expect([requests.length, waits]).toEqual([3, [10, 20]]);
    const unset = scripted([lost(), found()], { retry: { baseDelayMs: 20 } });
    await products.get(unset.client, 'p', { retry: { maxRetries: undefined, baseDelayMs: undefined } as object });
    expect([unset.requests.length, unset.waits]).toEqual([2, [10]]);
    const other = scripted([lost(), Response.json({ data: { products: null } }), lost()], { retry: { maxRetries: 0 } });
    await graphql(other.client, productsQuery, {}, { retry: { maxRetries: 1 } });
    await expect(products.get(other.client, 'p')).rejects.toBeInstanceOf(ConnectionError);
    const never = (request: Request): Promise<Response> =>
      new Promise((_resolve, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
    const { client: slow } = scripted([], { timeoutMs: 0, retry: { maxRetries: 0 }, fetch: never });
    await expect(products.list(slow, {}, { timeoutMs: 5 }).page()).rejects.toThrow('got no answer within 5 ms');
  });

  it('names its faults in the message', async () => {
    const errors = [
      { pointer: '/price', detail: 'must be at least 0' },
      { pointer: '/delivery/weightGrams', detail: 'is required' },
      { parameter: 'price[gte]', detail: 'must be an integer' },
      { header: 'If-Match', detail: 'is required' },
    ];
    const refused = Response.json({ code: 'VALIDATION_FAILED', status: 400, title: 'No', errors }, { status: 400 });
    const { client } = scripted([refused]);
    await expect(products.get(client, 'p')).rejects.toThrow(
      'price: must be at least 0; delivery.weightGrams: is required; price[gte]: must be an integer; and 1 more',
    );
  });

  it('waits as long as the server asks for', async () => {
    const { client, waits } = scripted([problem(503, { 'Retry-After': '7' }), found()]);
    await products.get(client, 'p');
    expect(waits).toEqual([7000]);
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-01-15T12:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    const dated = scripted([problem(429, { 'Retry-After': 'Thu, 15 Jan 2026 12:00:05 GMT' }), found()]);
    await products.get(dated.client, 'p');
    expect(dated.waits).toEqual([5_000]);
  });

  it('is given up when the server asks for too long, and after the last attempt', async () => {
    const { client, waits } = scripted([problem(503, { 'Retry-After': '3600' })]);
    await expect(products.get(client, 'p')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryable: true });
    expect(waits).toEqual([]);
    const { client: stubborn, requests } = scripted([lost(), lost(), lost(), lost()]);
    await expect(products.get(stubborn, 'p')).rejects.toBeInstanceOf(ConnectionError);
    expect(requests).toHaveLength(4);
    const { client: hasty, requests: once } = scripted([lost()], { retry: { maxRetries: 0 } });
    await expect(products.get(hasty, 'p')).rejects.toBeInstanceOf(ConnectionError);
    expect(once).toHaveLength(1);
  });

  it('keeps its Idempotency-Key and its body', async () => {
    const { client, requests } = scripted([lost(), problem(503), found()]);
    await orders.create(client, { note: 'Gift' });
    expect(new Set(requests.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
    expect(await Promise.all(requests.map((request) => request.text()))).toEqual(Array(3).fill('{"note":"Gift"}'));
  });

  it('is not sent again where that could have its effect twice, or hide it', async () => {
    for (const call of [
      (client: never) => products.update(client, 'p', { price: 1 }),
      (client: never) => products.update(client, { id: 'p', version: 3 }, { price: 1 }),
      (client: never) => products.delete(client, { id: 'p', version: 3 }),
      (client: never) => graphql(client, updateProductMutation, { id: 'p', input: { price: 1 } }),
    ]) {
      for (const step of [lost(), problem(503)]) {
        const { client, requests } = scripted([step]);
        await expect(call(client as never)).rejects.toThrow();
        expect(requests).toHaveLength(1);
      }
    }
  });

  it('is sent again whatever it is, when the server took no notice of it', async () => {
    const { client, requests } = scripted([problem(429), problem(408), found()]);
    await products.update(client, { id: 'p', version: 3 }, { price: 1 });
    expect(requests).toHaveLength(3);
  });

  it('is done when what it deletes is gone already', async () => {
    const { client } = scripted([lost(), problem(404)]);
    await products.delete(client, 'p');
    await expect(products.delete(scripted([problem(404)]).client, 'p')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is sent again over GraphQL, too', async () => {
    const page = () => Response.json({ data: { products: { nodes: [] } } });
    const reading = scripted([lost(), page()]);
    await graphql(reading.client, productsQuery, { first: 1 });
    const creating = scripted([lost(), problem(503), Response.json({ data: { createProduct: { id: 'p' } } })]);
    await graphql(creating.client, createProductMutation, { input: {} as never });
    expect(new Set(creating.requests.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
  });

  it('ends with the signal of its caller while it waits', async () => {
    const controller = new AbortController();
    const { client } = scripted([problem(503)], {
      delay: async (_ms, signal) => {
        controller.abort(new Error('enough'));
        signal.throwIfAborted();
      },
    });
    await expect(products.get(client, 'p', { signal: controller.signal })).rejects.toThrow('enough');
  });
});

describe('a client', () => {
  it('says what it sends, and nothing that it carries', async () => {
    const said: [string, object][] = [];
    const hook = (name: string) => (about: object) => void said.push([name, about]);
    const { client } = scripted([lost(), problem(503, { 'Retry-After': '7' }), found()], {
      token: 'a-secret',
      onRequest: hook('request'),
      onResponse: hook('response'),
      onRetry: hook('retry'),
    });
    await orders.create(client, { note: 'for nobody else' });
    const sent = { method: 'POST', url: 'http://127.0.0.1/v1/orders' };
    const [headers, durationMs] = [expect.any(Headers), expect.any(Number)];
    expect(said).toEqual([
      ['request', { ...sent, attempt: 1 }],
      ['retry', { ...sent, attempt: 1, waitMs: 125, error: expect.any(ConnectionError) }],
      ['request', { ...sent, attempt: 2 }],
      ['response', { ...sent, attempt: 2, status: 503, headers, durationMs }],
      ['retry', { ...sent, attempt: 2, waitMs: 7000, status: 503 }],
      ['request', { ...sent, attempt: 3 }],
      ['response', { ...sent, attempt: 3, status: 200, headers, durationMs }],
    ]);
    expect(JSON.stringify(said)).not.toMatch(/a-secret|nobody else/);
  });

  it('sends the token of what it wrote last with each request after it, over both protocols', async () => {
    const wrote = (token: string): Response =>
      Response.json({ id: 'p', version: 1 }, { status: 201, headers: { 'Consistency-Token': token } });
    const { client, requests } = scripted([
      found(),
      wrote('p1'),
      found(),
      wrote('p2'),
      Response.json({ data: { products: null } }),
    ]);
    await products.get(client, 'p');
    await orders.create(client, {});
    await products.get(client, 'p');
    await orders.create(client, {});
    await graphql(client, productsQuery, { first: 1 });
    expect(requests.map(({ headers }) => headers.get('Consistency-Token'))).toEqual([null, null, 'p1', 'p1', 'p2']);
  });
});
