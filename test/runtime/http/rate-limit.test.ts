import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { remoteKeys } from '../../../src/runtime/auth/keys.ts';
import { databases } from '../../support/databases.ts';
import { tokenOf } from '../../support/service.ts';
import { admin, type Caller, customer, Shop, stranger } from '../../support/storefront.ts';
import { callOf } from '../../support/tools.ts';
import { graphqlTransports } from '../../support/transports.ts';

const LIMIT = 5;
const MINUTE_MS = 60_000;
const [sqlite] = databases as [(typeof databases)[number]];

describe('the rate limit', () => {
  let shop: Shop;
  let now: number;

  beforeEach(async () => {
    now = Date.UTC(2026, 0, 15, 12, 0, 15);
    shop = await Shop.open(sqlite, { requestsPerMinute: LIMIT, clock: () => now });
  });
  afterEach(() => shop.close());

  const get = (headers: Record<string, string> = {}) => shop.request('GET', '/products', undefined, undefined, headers);

  it('answers how many requests are left, and then when to try again', async () => {
    for (let left = LIMIT - 1; left >= 0; left--) {
      const { status, headers } = await shop.get('/products');
      expect(status).toBe(200);
      expect(headers).toMatchObject({ ratelimit: `"caller";r=${left};t=45`, 'ratelimit-policy': '"caller";q=5;w=60' });
    }
    const refused = await shop.get('/products');
    expect(refused).toMatchObject({
      status: 429,
      headers: {
        'content-type': 'application/problem+json; charset=utf-8',
        'retry-after': '45',
        ratelimit: '"caller";r=0;t=45',
      },
      body: { code: 'TOO_MANY_REQUESTS', status: 429 },
    });
    now += 44_999;
    expect((await shop.get('/products')).status).toBe(429);
    now += 1;
    expect(await shop.get('/products')).toMatchObject({ status: 200, headers: { ratelimit: '"caller";r=4;t=60' } });
  });

  it('is one for all protocols', async () => {
    const port = await shop.listen();
    await shop.get('/orders', customer);
    for (const { send } of graphqlTransports.slice(0, 3))
      expect((await send(port, { query: '{ products { nodes { id } } }' }, customer)).errors).toBeUndefined();
    expect((await shop.get('/orders', customer)).headers['ratelimit']).toMatch(/r=0/);
    for (const { name, send } of graphqlTransports) {
      const { status, errors } = await send(port, { query: '{ products { nodes { id } } }' }, customer);
      expect(errors, name).toMatchObject([{ extensions: { code: 'TOO_MANY_REQUESTS', status: 429 } }]);
      if (status !== undefined) expect(status).toBe(429);
    }
    const refused = await shop.graphql('{ products { nodes { id } } }', {}, customer);
    expect(refused.headers).toMatchObject({ 'retry-after': '45', ratelimit: '"caller";r=0;t=45' });
    const as = { sub: customer.subject, scope: customer.scope };
    const tool = await shop.service.request('POST', '/mcp', { as, body: callOf('listProducts') });
    expect(tool).toMatchObject({ status: 429, headers: { 'retry-after': '45' }, body: { code: 'TOO_MANY_REQUESTS' } });
    expect((await shop.get('/orders', customer)).status).toBe(429);
    expect((await shop.get('/orders', stranger)).status).toBe(200);
  });

  it('counts anonymous callers by address, whatever X-Forwarded-For claims', async () => {
    for (let i = 0; i < LIMIT; i++) expect((await get({ 'x-forwarded-for': `10.0.0.${i}` })).status).toBe(200);
    expect((await get({ 'x-forwarded-for': '10.0.0.99', forwarded: 'for=10.0.0.99' })).status).toBe(429);
    expect((await shop.get('/orders', admin)).status).toBe(200);
  });

  it('counts what is then refused for want of a token', async () => {
    for (let i = 0; i < LIMIT; i++) expect((await shop.get('/orders')).status).toBe(401);
    expect((await shop.get('/orders')).status).toBe(429);
    expect((await shop.get('/products')).status).toBe(429);
  });

  it('counts guesses of tokens', async () => {
    const guess = (i: number) => get({ authorization: `Bearer ${i}` });
    const orders = (i: number) =>
      shop.request('GET', '/orders', undefined, undefined, { authorization: `Bearer guess${i}` });
    for (let i = 0; i < LIMIT; i++) expect((await orders(i)).status).toBe(401);
    expect((await orders(9)).status).toBe(429);
    expect((await guess(9)).status).toBe(429);
  });

  describe.each(['/v1', '/v0'])('of public operations below %s', (base) => {
    const read = (authorization?: string) =>
      shop.service.request('GET', `${base}/products`, {
        headers: authorization === undefined ? {} : { authorization },
      });
    const bearer = ({ subject: sub, scope }: Caller, seconds = 3600) => `Bearer ${tokenOf({ sub, scope }, seconds)}`;

    it('counts by the subject of a valid token', async () => {
      for (let i = 0; i < LIMIT; i++) expect((await read(bearer(customer))).status).toBe(200);
      expect((await read(bearer(customer))).status).toBe(429);
      expect((await read(bearer(stranger))).headers['ratelimit']).toMatch(/r=4/);
      expect((await read()).headers['ratelimit']).toMatch(/r=4/);
      expect((await shop.get('/orders', customer)).status).toBe(429);
    });

    it('counts by the address where the token is bad, and refuses nobody for it', async () => {
      for (const [i, token] of ['Bearer guess', 'Basic abc', bearer(customer, -60), 'x', ''].entries()) {
        const { status, headers } = await read(token);
        expect([status, headers['ratelimit']]).toEqual([200, `"caller";r=${LIMIT - 1 - i};t=45`]);
      }
      expect((await read('Bearer another')).status).toBe(429);
      expect((await read(bearer(customer))).status).toBe(200);
    });
  });

  it('counts paths and methods that there are not by the address, with a token or without, and no probes', async () => {
    const send = (method: string, path: string) => shop.service.request(method, path, {});
    const unknown = [
      ['GET', '/nothing'],
      ['GET', '/v1/nothing'],
      ['DELETE', '/v1/products'],
      ['PURGE', '/v1/products'],
    ] as const;
    const statuses: number[] = [];
    for (const [method, path] of unknown) statuses.push((await send(method, path)).status);
    statuses.push((await shop.request('GET', '/nothing', undefined, customer)).status);
    expect(statuses).toEqual([404, 404, 405, 405, 404]);
    for (let i = 0; i < LIMIT; i++) expect((await send('GET', '/livez')).status).toBe(200);
    for (const [method, path] of unknown)
      expect(await send(method, path)).toMatchObject({ status: 429, headers: { 'retry-after': '45' } });
    expect((await shop.get('/products')).status).toBe(429);
    expect((await shop.get('/orders', customer)).status).toBe(200);
  });

  it('begins a new window for all callers at the same time', async () => {
    for (let i = 0; i <= LIMIT; i++) await shop.get('/orders', customer);
    now += MINUTE_MS;
    expect((await shop.get('/orders', customer)).status).toBe(200);
  });
});

/** The status of a request whose body never comes. */
async function statusOfHead(port: number, path: string, fields: Readonly<Record<string, string>>): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': '1000', ...fields };
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  sent.on('error', () => {}).destroy();
  return response.statusCode!;
}

describe.each(['/v1/products', '/graphql', '/mcp'])('the rate limit of requests with a body to %s', (path) => {
  const open = (options: object = {}) => Shop.open(sqlite, { requestsPerMinute: LIMIT, ...options });

  it('takes the head alone', async () => {
    const shop = await open();
    const port = await shop.listen();
    const authorization = `Bearer ${tokenOf({ sub: admin.subject, scope: admin.scope })}`;
    for (let i = 0; i < LIMIT; i++) await shop.get('/orders', admin);
    expect(await statusOfHead(port, path, { authorization })).toBe(429);
    await shop.close();
  });

  it('counts what is wrong with their heads', async () => {
    const shop = await open();
    const send = (headers: Readonly<Record<string, string>>) =>
      shop.service.request('POST', path, {
        as: { sub: admin.subject, scope: admin.scope },
        headers,
        body: { query: '{' },
      });
    const statuses: number[] = [];
    for (const fields of [{ accept: 'image/png' }, { 'idempotency-key': '' }, { 'content-type': 'text/x' }]) {
      const { status, headers } = await send(fields as Record<string, string>);
      statuses.push(status);
      expect(headers['ratelimit']).toEqual(expect.stringContaining(`r=${LIMIT - statuses.length};`));
    }
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
    await shop.close();
  });

  it('counts by the address what cannot be identified for the moment', async () => {
    const shop = await open({ authentication: { keys: remoteKeys(new URL('http://127.0.0.1:1/keys')) } });
    const parts = [
      { alg: 'ES256', kid: 'one' },
      { sub: admin.subject, exp: 9_999_999_999 },
    ];
    const token = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    const headers = { authorization: `Bearer ${token}.${'A'.repeat(86)}` };
    const send = () =>
      shop.service.request('POST', path, { headers, body: { query: '{ products { nodes { id } } }' } });
    for (let i = 1; i <= LIMIT; i++)
      expect(await send()).toMatchObject({
        status: 503,
        headers: { ratelimit: expect.stringContaining(`r=${LIMIT - i}`) },
      });
    expect((await send()).status).toBe(429);
    await shop.close();
  });
});

describe('the rate limit behind a trusted proxy', () => {
  it('counts by the address that the proxy saw', async () => {
    const shop = await Shop.open(sqlite, { requestsPerMinute: 1, http: { trustProxy: 1 } });
    const get = (seen: string) =>
      shop.request('GET', '/products', undefined, undefined, { 'x-forwarded-for': `1.2.3.4, ${seen}` });
    expect((await get('10.0.0.1')).status).toBe(200);
    expect((await get('10.0.0.1')).status).toBe(429);
    expect((await get('10.0.0.2')).status).toBe(200);
    expect((await get('2001:db8:1:2::1')).status).toBe(200);
    expect((await get('2001:db8:1:2:ffff::1')).status).toBe(429);
    expect((await get('2001:db8:1:3::1')).status).toBe(200);
    expect((await get('::ffff:10.0.0.1')).status).toBe(429);
    await shop.close();
  });

  it('counts an address as one, however the proxy writes it', async () => {
    const shop = await Shop.open(sqlite, { requestsPerMinute: 1, http: { trustProxy: 1 } });
    const get = (seen: string) =>
      shop.request('GET', '/products', undefined, undefined, { 'x-forwarded-for': `1.2.3.4, ${seen}` });
    for (const [first, ...others] of [
      [
        '203.0.113.2:5000',
        '203.0.113.2:5001',
        '203.0.113.2',
        '[::ffff:203.0.113.2]:1',
        '::FFFF:cb00:7102',
        '"203.0.113.2:9"',
      ],
      [
        '[2001:db8:1:2::1]:443',
        '2001:db8:1:2::1',
        '[2001:DB8:1:2:0::9]',
        '2001:0db8:0001:0002::1%eth0',
        '[2001:db8:1:2::1%1]:2',
      ],
      ['fe80::1%eth0', 'fe80::1%eth1', '[fe80::2]'],
      ['unknown', 'unknown'],
    ] as const) {
      expect([first, (await get(first)).status]).toEqual([first, 200]);
      for (const other of others) expect([other, (await get(other)).status]).toEqual([other, 429]);
    }
    expect((await get('203.0.113.3:5000')).status).toBe(200);
    await shop.close();
  });

  it('trusts a proxy by its address, however the next one writes it', async () => {
    for (const inner of ['10.1.2.3:999', '[::ffff:10.1.2.3]:1', '::ffff:a01:203', '10.1.2.3']) {
      const trustProxy = ['127.0.0.1', '::1', '10.0.0.0/8'];
      const shop = await Shop.open(sqlite, { requestsPerMinute: 1, http: { trustProxy } });
      const get = (seen: string) =>
        shop.request('GET', '/products', undefined, undefined, { 'x-forwarded-for': `${seen}, ${inner}` });
      expect((await get('203.0.113.2:1')).status).toBe(200);
      expect((await get('203.0.113.2:2')).status).toBe(429);
      expect((await get('203.0.113.3:2')).status).toBe(200);
      await shop.close();
    }
  });
});

/** A refusal that nobody waits for would end the process. */
it('refuses callers where counting takes time, and leaves no rejection behind', async () => {
  const unheard: unknown[] = [];
  const note = (reason: unknown): void => void unheard.push(reason);
  process.on('unhandledRejection', note);
  const shop = await Shop.open(sqlite, { requestsPerMinute: 100, counter: { add: async () => 1 } });
  for (const url of ['/orders', '/users']) expect((await shop.get(url)).status).toBe(401);
  expect((await shop.get('/users', customer)).status).toBe(200);
  await new Promise(setImmediate);
  expect(unheard).toEqual([]);
  process.off('unhandledRejection', note);
  await shop.close();
});
