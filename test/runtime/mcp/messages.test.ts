import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.ts';
import type { RequestOptions } from '../../support/service.ts';
import { admin, customer, Shop } from '../../support/storefront.ts';
import { callOf } from '../../support/tools.ts';

const MODERN = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

const ODD_TEXTS = [
  '2.0',
  'ping',
  'initialize',
  'tools/list',
  'tools/call',
  'server/discover',
  '',
  'notifications/initialized',
];
const ODD_NAMES = [
  'input',
  'productId',
  'fields',
  'limit',
  'sort',
  'price',
  'ifVersion',
  'idempotencyKey',
  '__proto__',
  'x',
];

let shop: Shop;
beforeAll(async () => {
  const mcp = { publicUrl: 'https://shop.example.com', issuers: ['https://id.example.com', 'an issuer without URL'] };
  shop = await Shop.open(databases[0]!, { mcp, corsOrigins: ['https://app.example.com'] });
});
afterAll(() => shop.close());

const send = (body: unknown, options: RequestOptions = {}) =>
  shop.service.request('POST', '/mcp', { body: body as object, ...options });
const ask = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  send({ jsonrpc: '2.0', id: 'a', method, params }, { headers });
/** A request that says its version itself. */
const modern = (method: string, params: { name?: string; arguments?: object } = {}, headers: object = {}) =>
  ask(
    method,
    { ...params, _meta: META },
    {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
      ...headers,
    },
  );
const names = (body: { result: { tools: { name: string }[] } }): readonly string[] =>
  body.result.tools.map(({ name }) => name);

const PUBLIC = ['listProducts', 'getProduct', 'getRatingSummary', 'listReviews', 'getReview'];

describe('the era that opens with `initialize`', () => {
  it.each([
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2023-01-01', '2025-11-25'],
    [MODERN, '2025-11-25'],
    [undefined, '2025-11-25'],
  ])('%s is opened as %s', async (protocolVersion, version) => {
    const { status, body } = await ask('initialize', { protocolVersion, capabilities: {} });
    expect(status).toBe(200);
    expect(body).toEqual({
      jsonrpc: '2.0',
      id: 'a',
      result: {
        protocolVersion: version,
        capabilities: { tools: {} },
        serverInfo: { name: 'Lockstep storefront', version: '1.0.0' },
      },
    });
  });

  it('lists tools, answers pings, and accepts notifications and answers', async () => {
    const { body } = await ask('tools/list', {}, { 'mcp-protocol-version': '2025-06-18' });
    expect(names(body)).toEqual(PUBLIC);
    expect(Object.keys(body.result)).toEqual(['tools']);
    expect((await ask('ping')).body.result).toEqual({});
    for (const message of [
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 1, result: {} },
    ])
      expect(await send(message)).toMatchObject({ status: 202, text: '' });
  });

  it('refuses a version in the header that it does not know', async () => {
    const { status, body } = await ask('tools/list', {}, { 'mcp-protocol-version': '2020-01-01' });
    expect([status, body.error.code]).toEqual([400, -32_600]);
  });
});

describe('the era without sessions', () => {
  it('is discovered, and says that nothing of it is kept', async () => {
    const { body } = await modern('server/discover');
    expect(body.result).toEqual({
      supportedVersions: [MODERN],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'Lockstep storefront', version: '1.0.0' } },
      resultType: 'complete',
    });
    const list = (await modern('tools/list')).body;
    expect(names(list)).toEqual(PUBLIC);
    expect(list.result).toMatchObject({ resultType: 'complete', ttlMs: 0, cacheScope: 'private' });
    const called = (await modern('tools/call', { name: 'listProducts' })).body;
    expect(called.result).toMatchObject({ resultType: 'complete', content: [{ type: 'text' }] });
  });

  it('asks for header fields that say what the body says', async () => {
    const name = { name: 'listProducts' };
    for (const [field, value] of [
      ['mcp-protocol-version', '2025-11-25'],
      ['mcp-protocol-version', 'v999.0.0'],
      ['mcp-method', 'tools/list'],
      ['mcp-name', 'getProduct'],
      ['mcp-name', '=?base64?eA==?='],
    ] as const) {
      const { status, body } = await modern('tools/call', name, { [field]: value });
      expect([field, status, body.error.code]).toEqual([field, 400, -32_020]);
    }
    const encoded = { 'mcp-name': `=?base64?${Buffer.from('listProducts').toString('base64')}?=` };
    expect((await modern('tools/call', name, encoded)).body).toHaveProperty('result');
    const missing = await ask('tools/call', { ...name, _meta: META }, { 'mcp-protocol-version': MODERN });
    expect([missing.status, missing.body.error.code]).toEqual([400, -32_020]);
  });

  it('refuses other versions, and requests that do not say what they can', async () => {
    const _meta = { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' };
    const unknown = await ask('tools/list', { _meta }, { 'mcp-protocol-version': '2030-01-01' });
    expect(unknown.status).toBe(400);
    expect(unknown.body.error).toMatchObject({
      code: -32_022,
      data: { supported: [MODERN], requested: '2030-01-01' },
    });
    const { 'io.modelcontextprotocol/clientCapabilities': _, ...bare } = META;
    const fields = { 'mcp-protocol-version': MODERN };
    expect((await ask('tools/list', { _meta: bare }, fields)).body.error.code).toBe(-32_602);
    const silent = await ask('tools/list', {}, fields);
    expect([silent.status, silent.body.error.code]).toEqual([400, -32_602]);
  });
});

describe('messages that are refused', () => {
  it.each([
    ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }], 400, -32_600, null],
    ['another protocol', { id: 1, method: 'ping' }, 400, -32_600, null],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32_600, null],
    ['no method', { jsonrpc: '2.0', id: 1 }, 400, -32_600, 1],
    ['parameters by position', { jsonrpc: '2.0', id: 1, method: 'ping', params: [] }, 400, -32_602, 1],
    ['an unknown method', { jsonrpc: '2.0', id: 1, method: 'prompts/list' }, 200, -32_601, 1],
    ['an unknown tool', callOf('dropTables'), 200, -32_602, 1],
    ['a tool that is not offered', callOf('replaceProduct'), 200, -32_602, 1],
    ['a name that every object has', callOf('constructor'), 200, -32_602, 1],
    [
      'arguments that are a list',
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'getProduct', arguments: [] } },
      200,
      -32_602,
      1,
    ],
  ])('%s', async (_, message, status, code, id) => {
    const { status: found, body } = await send(message);
    expect([found, body.error.code, body.id]).toEqual([status, code, id]);
  });

  it.each(['prompts/list', 'ping', 'initialize'])('%s is not found in the era without sessions', async (method) => {
    const { status, body } = await modern(method);
    expect([status, body.error.code]).toEqual([404, -32_601]);
  });

  it('bodies that are not JSON, of another type, too large, or too deep', async () => {
    const raw = (payload: string, headers: Record<string, string> = {}) =>
      shop.service.request('POST', '/mcp', {
        body: payload,
        headers: { 'content-type': 'application/json', ...headers },
      });
    expect((await raw('{')).body.error.code).toBe(-32_700);
    expect((await raw('')).body.error.code).toBe(-32_700);
    expect((await raw('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await raw(`"${'x'.repeat(2 ** 21)}"`)).status).toBe(413);
    expect((await raw(`[${'1,'.repeat(20_000)}1]`)).status).toBe(413);
    expect((await raw('['.repeat(70) + ']'.repeat(70))).body.error.code).toBe(-32_700);
    expect((await raw('{"jsonrpc":"2.0","id":1,"method":"ping"}', { accept: 'text/html' })).status).toBe(406);
  });

  it.each(['GET', 'DELETE', 'PUT'])('%s', async (method) => {
    const { status, headers } = await shop.service.request(method, '/mcp');
    expect([status, headers['allow']]).toEqual([405, 'POST, OPTIONS']);
  });
});

/** Members of messages, right and wrong. */
const odd = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
  fc.record(
    {
      name: fc.constantFrom('listProducts', 'getProduct', 'createProduct', 'updateProduct', '__proto__', 'toString'),
      arguments: fc.dictionary(fc.constantFrom(...ODD_NAMES), fc.jsonValue({ maxDepth: 3 })),
      _meta: fc.oneof(fc.constant(META), fc.jsonValue()),
    },
    { requiredKeys: [] },
  ),
);
const message = fc.record(
  { jsonrpc: fc.constantFrom('2.0', 2, null), id: odd, method: odd, params: odd, result: odd },
  { requiredKeys: [] },
);

describe('messages of any kind', () => {
  it('are answered by a message or a problem, and never by a fault of the server', async () => {
    await fc.assert(
      fc.asyncProperty(message, fc.boolean(), async (body, isNew) => {
        const headers = isNew ? { 'mcp-protocol-version': MODERN } : {};
        const { status, body: answer } = await send(body, { headers });
        if (status === 202) return;
        expect(status).toBeLessThan(500);
        if (answer.jsonrpc === undefined) expect(answer).toMatchObject({ status, code: expect.any(String) });
        else expect(Object.keys(answer)).toEqual(expect.arrayContaining(['jsonrpc', 'id']));
        const refusal = answer.result?.isError && JSON.parse(answer.result.content[0].text);
        if (refusal) expect(refusal.status).toBeLessThan(500);
      }),
      { numRuns: 400 },
    );
  });
});

describe('access', () => {
  const METADATA = 'resource_metadata="https://shop.example.com/.well-known/oauth-protected-resource/mcp"';
  const as = ({ subject: sub, scope }: typeof admin) => ({ as: { sub, scope } });
  const list = async (caller: typeof admin) =>
    names((await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, as(caller))).body);

  it('lists the tools that the scopes of the caller admit', async () => {
    expect(await list(customer)).toEqual(expect.arrayContaining([...PUBLIC, 'createOrder']));
    expect(await list(customer)).not.toContain('createProduct');
    expect(await list(admin)).toEqual(expect.arrayContaining(['createProduct', 'updateProduct']));
    expect(await list(admin)).not.toContain('replaceProduct');
  });

  it('asks for a token, or for another one, by the status and where to get it', async () => {
    const without = await send(callOf('createProduct', { input: {} }));
    expect(without).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect(without.headers['www-authenticate']).toContain(METADATA);
    const lacking = await send(callOf('createProduct', { input: {} }), as(customer));
    expect(lacking).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    expect(lacking.headers['www-authenticate']).toMatch(/error="insufficient_scope", scope="products:write"/);
    expect(lacking.headers['www-authenticate']).toContain(METADATA);
  });

  it('refuses tokens that are not valid where a host can renew them', async () => {
    const headers = { authorization: 'Bearer nonsense' };
    const { status, headers: fields } = await ask('tools/list', {}, headers);
    expect(status).toBe(401);
    expect(fields['www-authenticate']).toMatch(/error="invalid_token"/);
    expect((await send(callOf('listProducts'), { headers })).status).toBe(200);
  });

  it('says who issues tokens', async () => {
    for (const path of ['', '/mcp']) {
      const { body } = await shop.service.request('GET', `/.well-known/oauth-protected-resource${path}`);
      expect(body).toEqual({
        resource: 'https://shop.example.com/mcp',
        authorization_servers: ['https://id.example.com'],
        scopes_supported: expect.arrayContaining(['orders:write', 'products:write']),
        bearer_methods_supported: ['header'],
      });
    }
  });

  it.each([
    ['https://shop.example.com', 200],
    ['https://app.example.com', 200],
    ['https://evil.example.com', 403],
    ['http://shop.example.com', 403],
    ['https://shop.example.com:444', 403],
    ['https://shop.example.com.evil.example', 403],
    ['https://user@shop.example.com', 403],
    ['https://shop.example.com/', 403],
    ['https://shop.example.com\\@evil.example', 403],
    ['shop.example.com', 403],
    ['null', 403],
    ['', 403],
  ])('pages of %s are answered %i', async (origin, status) => {
    const { status: found } = await ask('ping', {}, { origin, host: 'evil.example.com' });
    expect(found).toBe(status);
  });

  it('pages of an allowed origin may read the challenge', async () => {
    const { headers } = await send(callOf('createProduct'), { headers: { origin: 'https://app.example.com' } });
    expect(headers['access-control-expose-headers']).toMatch(/WWW-Authenticate/);
  });
});
