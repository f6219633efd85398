import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { handlers } from '../../../src/handlers/index.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { contractOf, type Reply, type Service, startService } from '../../support/service.ts';

const SHOP = 'https://shop.example';
const EXPOSED =
  'ETag, Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id, Deprecation, Sunset, Link, Consistency-Token, WWW-Authenticate';

// What is decided here is decided before a database is asked.
const database = databases[0]!;

const corsOf = ({ headers }: Reply): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')));

const listOf = (text: unknown): readonly string[] => (text === undefined ? [] : String(text).split(', '));

describe('pages of other origins', () => {
  let service: Service;
  let port: number;
  beforeAll(async () => {
    service = await startService('contracts', database, {}, { corsOrigins: [SHOP], allowMissing: true });
    port = await service.listen();
  });
  afterAll(() => service.close());

  const send = (method: string, url: string, origin?: string, headers: Record<string, string> = {}) =>
    service.request(method, url, { headers: { ...headers, ...(origin && { origin }) } });
  const preflight = (url: string, method: string, origin = SHOP) =>
    send('OPTIONS', url, origin, { 'access-control-request-method': method });

  it('may read answers, their header fields and errors, if the origin is allowed', async () => {
    for (const url of [
      '/v1/products',
      '/v1/products/none',
      '/v1/users',
      '/nothing',
      '/v1/%zz',
      `/v1/${'x'.repeat(9_000)}`,
      '/v0/products',
    ]) {
      const reply = await send('GET', url, SHOP);
      expect([url, corsOf(reply)]).toEqual([
        url,
        { 'access-control-allow-origin': SHOP, 'access-control-expose-headers': EXPOSED },
      ]);
    }
  });

  it.each([
    'https://evil.example',
    'http://shop.example',
    'https://shop.example.evil.example',
    'null',
    'http://localhost:3000',
  ])('%s learns nothing', async (origin) => {
    for (const method of ['GET', 'POST', 'OPTIONS'])
      expect(corsOf(await send(method, '/v1/products', origin))).toEqual({});
    expect(corsOf(await preflight('/v1/products', 'POST', origin))).toEqual({});
    expect(corsOf(await preflight('/graphql', 'POST', origin))).toEqual({});
  });

  it('are told apart by caches, whoever asks, and of what has not changed', async () => {
    for (const origin of [SHOP, 'https://evil.example', undefined]) {
      const reply = await send('GET', '/v1/products', origin);
      expect(listOf(reply.headers['vary'])).toContain('Origin');
      const cached = await send('GET', '/v1/products', origin, { 'if-none-match': reply.headers['etag'] as string });
      expect(cached.status).toBe(304);
      expect(listOf(cached.headers['vary'])).toContain('Origin');
      expect(corsOf(cached)['access-control-allow-origin']).toBe(origin === SHOP ? SHOP : undefined);
    }
    const own = await send('GET', '/v1/users', SHOP);
    expect(listOf(own.headers['vary'])).toEqual(['authorization', 'Origin']);
  });

  it('are told apart once by answers of old versions, too', async () => {
    const shop = await startService('contracts', database, handlers as unknown as AnyHandlers, { corsOrigins: [SHOP] });
    for (const url of ['/v0/products', '/v0/orders', '/v1/products']) {
      const { headers } = await shop.request('GET', url, { headers: { origin: SHOP } });
      expect([url, listOf(headers['vary']).filter((field) => field === 'Origin')]).toEqual([url, ['Origin']]);
    }
    await shop.close();
  });

  it('may send exactly what each operation takes, by the methods of its path', async () => {
    const { document } = await contractOf('contracts');
    for (const [path, item] of Object.entries(document.paths)) {
      const url = `/v1${path.replaceAll(/\{[^}]+\}/g, 'x')}`;
      const methods = Object.keys(item).filter((key) => key !== 'parameters');
      const served = methods.flatMap((one) => (one === 'get' ? ['GET', 'HEAD'] : [one.toUpperCase()])).sort();
      for (const method of served) {
        const reply = await preflight(url, method);
        expect(reply.status).toBe(204);
        expect(listOf(reply.headers['access-control-allow-methods']).toSorted()).toEqual(served);
        expect(reply.headers['access-control-max-age']).toBe('7200');
        expect(reply.headers['access-control-allow-credentials']).toBeUndefined();
        const fields = listOf(reply.headers['access-control-allow-headers']);
        const takes = (name: string) => expect([url, method, fields.includes(name)]).toEqual([url, method, true]);
        takes('Authorization');
        takes('Consistency-Token');
        if (method === 'GET' && path !== '/products/{productId}/rating-summary') takes('If-None-Match');
        if (method === 'PATCH' || method === 'PUT') ['If-Match', 'Content-Type'].forEach(takes);
        if (method === 'POST') ['Idempotency-Key', 'Content-Type'].forEach(takes);
        const known = [
          'Authorization',
          'Content-Type',
          'If-Match',
          'If-None-Match',
          'Idempotency-Key',
          'Consistency-Token',
        ];
        expect(fields.filter((name) => !known.includes(name))).toEqual([]);
      }
    }
    expect(listOf((await preflight('/v1/products', 'GET')).headers['access-control-allow-headers'])).toEqual([
      'Authorization',
      'Consistency-Token',
      'If-None-Match',
    ]);
    const unserved = await preflight('/v1/products', 'DELETE');
    expect(unserved.headers['access-control-allow-methods']).toBe('GET, HEAD, POST');
    expect(unserved.headers['access-control-allow-headers']).toBeUndefined();
  });

  it('may send If-None-Match with a PUT that creates, what CORS_HEADERS lists, and trace context where traces go on', async () => {
    const options = { corsOrigins: [SHOP], corsHeaders: ['X-Tenant', 'authorization'] };
    const telemetry = { continuesTraces: true, watch: () => {}, observer: undefined } as never;
    const open = (traced: boolean) =>
      startService('atlas', database, {}, { ...options, ...(traced && { telemetry }), allowMissing: true });
    for (const traced of [false, true]) {
      const atlas = await open(traced);
      const asked = async (url: string, method: string) => {
        const headers = { origin: SHOP, 'access-control-request-method': method };
        return listOf((await atlas.request('OPTIONS', url, { headers })).headers['access-control-allow-headers']);
      };
      const shared = [...(traced ? ['traceparent', 'tracestate'] : []), 'X-Tenant'];
      const put = ['Authorization', 'Consistency-Token', 'Content-Type', 'If-Match', 'If-None-Match', ...shared];
      expect((await asked('/v1/countries/NO', 'PUT')).toSorted()).toEqual(put.toSorted());
      expect(await asked('/v1/countries', 'GET')).toEqual([
        'Authorization',
        'Consistency-Token',
        'If-None-Match',
        ...shared,
      ]);
      expect((await asked('/graphql', 'POST')).slice(-shared.length)).toEqual(shared);
      expect(await asked('/v1/countries', 'TRACE')).toEqual([]);
      await atlas.close();
    }
  });

  it('use GraphQL by the same rule, over POST, GET and events', async () => {
    const asked = await preflight('/graphql', 'POST');
    expect([
      asked.status,
      asked.headers['access-control-allow-methods'],
      asked.headers['access-control-allow-headers'],
    ]).toEqual([204, 'GET, HEAD, POST', 'Authorization, Consistency-Token, Content-Type, Idempotency-Key']);
    const query = encodeURIComponent('{ __typename }');
    for (const accept of ['application/json', 'text/event-stream'])
      for (const origin of [SHOP, 'https://evil.example']) {
        const got = await fetch(`http://127.0.0.1:${port}/graphql?query=${query}`, { headers: { origin, accept } });
        await got.text();
        expect(got.headers.get('access-control-allow-origin')).toBe(origin === SHOP ? SHOP : null);
      }
    const posted = await service.graphql('{ __typename }', { headers: { origin: SHOP } });
    expect(corsOf(posted)['access-control-allow-origin']).toBe(SHOP);
    expect(posted.headers['vary']).toBe('accept, Origin');
  });

  const opened = (origin?: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(
        `ws://127.0.0.1:${port}/graphql`,
        'graphql-transport-ws',
        origin === undefined ? {} : { origin },
      );
      socket.on('open', () => {
        socket.close();
        resolve(101);
      });
      socket.on('unexpected-response', (_request, response) => {
        expect(response.headers['content-type']).toBe('application/problem+json');
        response.resume();
        resolve(response.statusCode!);
      });
      socket.on('error', reject);
    });

  it('open a WebSocket by the same rule; programs and pages of the host itself do, too', async () => {
    expect(await opened(SHOP)).toBe(101);
    expect(await opened()).toBe(101);
    expect(await opened(`http://127.0.0.1:${port}`)).toBe(101);
    expect(await opened('https://evil.example')).toBe(403);
    expect(await opened('null')).toBe(403);
  });
});

describe('other settings', () => {
  const started = (corsOrigins: 'any' | 'this-machine' | readonly string[] | undefined) =>
    startService('library', database, {}, { corsOrigins });
  const read = (service: Service, origin?: string) =>
    service.request('GET', '/v1/books', { headers: { ...(origin && { origin }) } });

  it('in development any origin of this machine is allowed, and no other', async () => {
    const service = await started('this-machine');
    for (const origin of ['http://localhost:5173', 'http://127.0.0.1', 'https://[::1]:8443'])
      expect(corsOf(await read(service, origin))['access-control-allow-origin']).toBe(origin);
    for (const origin of ['http://localhost.evil.example', 'http://evil.example:3000', 'http://127.0.0.1.evil.example'])
      expect(corsOf(await read(service, origin))).toEqual({});
    await service.close();
  });

  it('any origin is allowed without telling them apart, and never with credentials', async () => {
    const service = await started('any');
    const reply = await read(service, 'https://anyone.example');
    expect(corsOf(reply)).toEqual({ 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED });
    expect(listOf(reply.headers['vary'])).not.toContain('Origin');
    expect(corsOf(await read(service))['access-control-allow-origin']).toBe('*');
    await service.close();
  });

  it('nothing is said without any', async () => {
    const service = await started(undefined);
    const reply = await read(service, SHOP);
    expect(corsOf(reply)).toEqual({});
    expect(listOf(reply.headers['vary'])).not.toContain('Origin');
    await service.close();
  });
});
