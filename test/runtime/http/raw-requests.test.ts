import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { CAT_ID } from '../rest/support/fake-engine.ts';
import { exchangeRaw } from '../rest/support/raw-http.ts';
import { openZoo, WRITER, type Zoo } from '../rest/support/zoo.ts';

let zoo: Zoo;
let port: number;
beforeAll(async () => {
  zoo = await openZoo();
  await zoo.app.listen({ port: 0, host: '127.0.0.1' });
  port = (zoo.app.server.address() as AddressInfo).port;
});
afterAll(() => zoo.app.close());

const post = (headers: string, body: string) =>
  `POST /v1/documents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

const malformed: Record<string, string | Buffer> = {
  'no HTTP at all': 'hello\r\n\r\n',
  'binary noise': Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x0d, 0x0a, 0x0d, 0x0a]),
  'an unknown method': 'BREW /v1/cats HTTP/1.1\r\nHost: x\r\n\r\n',
  'a method in lower case': 'get /v1/cats HTTP/1.1\r\nHost: x\r\n\r\n',
  'no target': 'GET HTTP/1.1\r\nHost: x\r\n\r\n',
  'a space in the target': 'GET /v1/cats and dogs HTTP/1.1\r\nHost: x\r\n\r\n',
  'an unknown version': 'GET /v1/cats HTTP/9.9\r\nHost: x\r\n\r\n',
  'HTTP/0.9': 'GET /v1/cats\r\n\r\n',
  'HTTP/0.9 by name': 'GET /v1/cats HTTP/0.9\r\n\r\n',
  'HTTP/2.0 as text': 'GET /v1/cats HTTP/2.0\r\nHost: x\r\n\r\n',
  'HTTP/2 without agreement': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'no Host': 'GET /v1/cats HTTP/1.1\r\n\r\n',
  'two Hosts': 'GET /v1/cats HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'an impossible Host': 'GET /v1/cats HTTP/1.1\r\nHost: x y/z\r\n\r\n',
  'a space before the colon': 'GET /v1/cats HTTP/1.1\r\nHost: x\r\nX-A : 1\r\n\r\n',
  'a field without a name': 'GET /v1/cats HTTP/1.1\r\nHost: x\r\n: 1\r\n\r\n',
  'a folded field': 'GET /v1/cats HTTP/1.1\r\nHost: x\r\nX-A: 1\r\n 2\r\nno colon\r\n\r\n',
  'NUL in a field': 'GET /v1/cats HTTP/1.1\r\nHost: x\r\nX-A: a\u0000b\r\n\r\n',
  'a lone CR in a field': 'GET /v1/cats HTTP/1.1\r\nHost: x\r\nX-A: a\rb\r\n\r\n',
  'NUL in the target': 'GET /v1/cats\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
  'a fragment in the target': 'GET /v1/cats#top HTTP/1.1\r\nHost: x\r\n\r\n',
  'a broken percent-encoding': 'GET /v1/cats/%zz HTTP/1.1\r\nHost: x\r\n\r\n',
  'headers without end': `GET /v1/cats HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}`,
  'an overlong target': `GET /v1/cats?q=${'a'.repeat(9_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'two lengths': post('Content-Length: 2\r\nContent-Length: 3\r\n', '{}'),
  'a negative length': post('Content-Length: -1\r\n', '{}'),
  'a length in words': post('Content-Length: two\r\n', '{}'),
  'a length and chunks': post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
  'a broken chunk size': post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n'),
  'an unknown transfer coding': post('Transfer-Encoding: chunked, gzip\r\n', '{}'),
  'an unknown expectation': post('Content-Length: 2\r\nExpect: a miracle\r\n', '{}'),
  'a tunnel': 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
};

describe('a malformed request', () => {
  test.each(Object.entries(malformed))('with %s gets a problem, and the server lives', async (_, bytes) => {
    const response = await exchangeRaw(port, bytes);
    expect(response?.status).toBeGreaterThanOrEqual(400);
    expect(response?.status).toBeLessThan(500);
    expect(response?.headers['content-type']).toContain('application/problem+json');
    expect(response?.headers['content-length']).toBe(String(response?.body.length));
    expect(JSON.parse(response!.body)).toEqual(
      expect.objectContaining({
        type: expect.stringMatching(/^\/errors\/[A-Z_]+$/),
        title: expect.any(String),
        status: response!.status,
        code: expect.any(String),
        instance: expect.any(String),
        requestId: expect.any(String),
      }),
    );
    const alive = await exchangeRaw(port, 'GET /v1/cats HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(alive?.status).toBe(200);
  });
});

describe('an unusual but legal request', () => {
  test.each([
    ['HTTP/1.0 without Host', 'GET /v1/cats HTTP/1.0\r\n\r\n', 200],
    ['an absolute target', 'GET http://zoo.example/v1/cats?limit=1 HTTP/1.1\r\nHost: zoo.example\r\n\r\n', 200],
    ['an empty Host', 'GET /v1/cats HTTP/1.1\r\nHost:\r\n\r\n', 200],
    ['an IPv6 Host', 'GET /v1/cats HTTP/1.1\r\nHost: [::1]:80\r\n\r\n', 200],
    ['a server-wide OPTIONS', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 404],
    ['chunks', post('Transfer-Encoding: chunked\r\n', 'd\r\n{"title":"x"}\r\n0\r\n\r\n'), 201],
    ['100-continue', post('Content-Length: 13\r\nExpect: 100-continue\r\n', '{"title":"x"}'), 201],
    ['TRACE', 'TRACE /v1/cats HTTP/1.1\r\nHost: x\r\n\r\n', 405],
    ['PROPFIND', 'PROPFIND /v1/cats HTTP/1.1\r\nHost: x\r\n\r\n', 405],
  ])('with %s is served', async (_, bytes, status) => {
    const response = await exchangeRaw(port, bytes);
    expect(response?.status).toBe(status);
  });

  test('that disconnects within its body does no harm', async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    await new Promise((resolve) => socket.write(post('Content-Length: 100\r\n', '{"title"'), resolve));
    socket.destroy();
    expect((await exchangeRaw(port, 'GET /v1/cats HTTP/1.1\r\nHost: x\r\n\r\n'))?.status).toBe(200);
    expect(zoo.logged).toEqual([]);
  });
});

describe('a request whose client waits for 100', () => {
  const EXPECTING = 'Expect: 100-continue\r\n';
  const json = (length: number): string => `Content-Type: application/json\r\nContent-Length: ${length}\r\n`;
  const head = (target: string, fields: string): string => `${target} HTTP/1.1\r\nHost: x\r\n${EXPECTING}${fields}\r\n`;
  const CAT = '{"name":"Tom","colour":"BLACK"}';

  test.each([
    ['has no token', 401, head('POST /v1/cats', json(31))],
    ['sends too much', 413, head('POST /v1/documents', json(2_000_000))],
    ['sends another type', 415, head('POST /v1/documents', 'Content-Type: text/nonsense\r\nContent-Length: 2\r\n')],
    ['accepts another type', 406, head('POST /v1/documents', `Accept: image/png\r\n${json(2)}`)],
    ['asks by another method', 405, head('PROPFIND /v1/cats', json(2))],
    ['replaces where nothing can be', 405, head('PUT /v1/cats', json(2))],
    ['names an unknown path', 404, head('POST /v1/nothing', json(2))],
    ['names an unknown path of no version', 404, head('PATCH /nothing', 'Content-Length: 2\r\n')],
    [
      'names an unknown path, and sends chunks',
      404,
      head('POST /nothing', 'Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n'),
    ],
  ])('and that %s is answered %i at once', async (_, status, request) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.write(request);
    const text = (await socket.toArray()).join('');
    expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(text).toMatch(/connection: close/i);
    expect(text).not.toContain('100 Continue');
  });

  test.each([
    ['of a known length', json(CAT.length), CAT],
    [
      'in chunks',
      'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n',
      `${CAT.length.toString(16)}\r\n${CAT}\r\n0\r\n\r\n`,
    ],
  ])('is told to go on with a body %s, once', async (_, fields, body) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.write(head('POST /v1/cats', `Authorization: ${WRITER.authorization}\r\nConnection: close\r\n${fields}`));
    await eventually(() => expect(text).toBe('HTTP/1.1 100 Continue\r\n\r\n'));
    socket.write(body);
    await once(socket, 'close');
    expect(
      text
        .split('HTTP/1.1 ')
        .slice(1)
        .map((one) => one.slice(0, 3)),
    ).toEqual(['100', '201']);
  });
});

describe('a transfer coding that the server does not read', () => {
  test.each(['gzip, chunked', 'GZIP,chunked', 'deflate, gzip, chunked', 'x, chunked'])(
    '%s gets 501',
    async (coding) => {
      const response = await exchangeRaw(port, post(`Transfer-Encoding: ${coding}\r\n`, '2\r\n{}\r\n0\r\n\r\n'));
      expect(JSON.parse(response!.body)).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
    },
  );

  test('Chunked is chunked', async () => {
    const response = await exchangeRaw(port, post('Transfer-Encoding: Chunked\r\n', 'd\r\n{"title":"x"}\r\n0\r\n\r\n'));
    expect(response?.status).toBe(201);
  });
});

describe('a request that does not end', () => {
  test.each([
    ['in its headers', 'GET /v1/cats HTTP/1.1\r\nHost: x\r\n'],
    ['in its body', post('Content-Length: 100\r\n', '{"title"')],
  ])('%s is timed out', async (_, bytes) => {
    const slow = await openZoo({}, { requestTimeoutMs: 200, headersTimeoutMs: 100 });
    await slow.app.listen({ port: 0, host: '127.0.0.1' });
    const response = await exchangeRaw((slow.app.server.address() as AddressInfo).port, bytes);
    expect(JSON.parse(response!.body)).toMatchObject({ status: 408, code: 'REQUEST_TIMEOUT' });
    await slow.app.close();
  });
});

describe('a chunked body that grows too large', () => {
  test('is refused as soon as it is', async () => {
    const chunk = `40000\r\n${'x'.repeat(0x40000)}\r\n`;
    const response = await exchangeRaw(port, post('Transfer-Encoding: chunked\r\n', chunk.repeat(5)));
    expect(response?.status).toBe(413);
    expect(JSON.parse(response!.body)).toMatchObject({ code: 'CONTENT_TOO_LARGE' });
  });
});

describe('line breaks and NUL', () => {
  const hostile = ['%0d%0aX-Injected:%201', '%0aX-Injected: 1', '%00', '%E5%98%8D%E5%98%8AX-Injected:1'];
  test.each(hostile)('%s in paths and queries reach no header', async (text) => {
    const encoded = text.replaceAll(' ', '%20');
    for (const target of [
      `/v1/cats/${encoded}`,
      `/v1/cats?${encoded}=${encoded}`,
      `/v1/echo/${encoded}`,
      `/${encoded}`,
    ]) {
      const response = await exchangeRaw(port, `GET ${target} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${encoded}\r\n\r\n`);
      expect(response?.status).toBeLessThan(500);
      expect(response?.headers).not.toHaveProperty('x-injected');
    }
  });
});

describe('the request id', () => {
  const idOf = async (given: string) => {
    const request = `GET /v1/cats/${CAT_ID} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${given}\r\n\r\n`;
    return JSON.parse((await exchangeRaw(port, request))!.body).requestId as string;
  };

  test('is the caller`s when it is harmless', async () => {
    expect(await idOf('trace-0123456789.a:b')).toBe('trace-0123456789.a:b');
  });

  test.each(['short', 'a'.repeat(65), 'with spaces in it', '"quoted-quoted"', '<script>alert', 'ünïcödé-id'])(
    'is our own instead of %j',
    async (given) => {
      expect(await idOf(given)).toMatch(/^[\da-f]{32}$/);
    },
  );

  test('is different for each request', async () => {
    const ids = await Promise.all(Array.from({ length: 1_000 }, () => idOf('short')));
    expect(new Set(ids).size).toBe(1_000);
  });
});
