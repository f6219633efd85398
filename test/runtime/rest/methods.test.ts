import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CAT_ID } from './support/fake-engine.ts';
import { openZoo, READER, WRITER, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
beforeAll(async () => {
  zoo = await openZoo({ checkResponses: true });
});
afterAll(() => zoo.app.close());

const CAT = `/v1/cats/${CAT_ID}`;
const NO_CAT = '/v1/cats/0190d6a0-0000-7000-8000-00000000dead';
const tom = { name: 'Tom', colour: 'BLACK' };

describe('actions of a resource', () => {
  test.each([
    ['GET', '/v1/cats', undefined, 200],
    ['GET', CAT, undefined, 200],
    ['GET', NO_CAT, undefined, 404],
    ['POST', '/v1/cats', tom, 201],
    ['PUT', CAT, tom, 200],
    ['PUT', NO_CAT, tom, 404],
    ['PATCH', CAT, { name: 'Tim' }, 200],
    ['PATCH', NO_CAT, {}, 404],
    ['DELETE', CAT, undefined, 204],
    ['DELETE', NO_CAT, undefined, 404],
  ] as const)('%s %s answers as declared', async (method, url, payload, status) => {
    const response = await zoo.app.inject({ method, url, headers: WRITER, ...(payload && { payload }) });
    expect(response.statusCode).toBe(status);
  });

  test('list joins the entities and the page', async () => {
    const response = await zoo.app.inject('/v1/cats?count=true');
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual({
      data: [
        { id: CAT_ID, version: 3, name: 'Tom', colour: 'BLACK' },
        { id: CAT_ID, version: 4, name: 'Tom', colour: 'BLACK' },
      ],
      page: { nextCursor: 'abc"', totalCount: 2 },
    });
  });

  test('create answers the location and the version of the new resource', async () => {
    const response = await zoo.app.inject({ method: 'POST', url: '/v1/cats', headers: WRITER, payload: tom });
    expect(response.headers).toMatchObject({ location: CAT, etag: '"1.form"' });
    expect(response.json()).toMatchObject({ id: CAT_ID, version: 1 });
  });

  test('delete answers without a body', async () => {
    const response = await zoo.app.inject({ method: 'DELETE', url: CAT, headers: READER });
    expect(response.body).toBe('');
    expect(response.headers['content-type']).toBeUndefined();
  });
});

describe('HEAD', () => {
  test.each([CAT, '/v1/cats', '/v1/points/1,2', NO_CAT])('%s has the headers of GET and no body', async (url) => {
    const get = await zoo.app.inject({ url, headers: READER });
    const head = await zoo.app.inject({ method: 'HEAD', url, headers: READER });
    expect(head.statusCode).toBe(get.statusCode);
    expect(head.body).toBe('');
    for (const name of ['content-type', 'content-length', 'etag'])
      expect(head.headers[name], name).toBe(get.headers[name]);
  });
});

describe('OPTIONS', () => {
  test.each([
    ['/v1/cats', 'GET, HEAD, POST, OPTIONS'],
    [CAT, 'GET, HEAD, PUT, DELETE, PATCH, OPTIONS'],
    ['/v1/cats/oldest', 'GET, HEAD, OPTIONS'],
    ['/v1/odd/x:run', 'POST, OPTIONS'],
  ])('%s lists its methods without asking who calls', async (url, allow) => {
    const response = await zoo.app.inject({ method: 'OPTIONS', url });
    expect(response.statusCode).toBe(204);
    expect(response.headers.allow).toBe(allow);
    expect(response.body).toBe('');
  });
});

describe('methods that a path lacks', () => {
  const methods = ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'PURGE', 'LINK', 'QUERY', 'SEARCH'] as const;
  test.each(methods)('%s is 405 with Allow, before credentials and bodies are looked at', async (method) => {
    const response = await zoo.app.inject({
      method: method as 'POST',
      url: '/v1/cats/oldest',
      headers: { 'content-type': 'application/json' },
      ...(method !== 'TRACE' && { payload: '{ broken' }),
    });
    expect(response.statusCode).toBe(405);
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS');
    expect(response.json()).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED', instance: '/v1/cats/oldest' });
  });

  test.each(['PUT', 'PROPFIND'] as const)('%s is 405 on a path that is written otherwise', async (method) => {
    const response = await zoo.app.inject({ method: method as 'PUT', url: '/v1/%63ats?x=1' });
    expect([response.statusCode, response.headers.allow]).toEqual([405, 'GET, HEAD, POST, OPTIONS']);
  });

  test.each(['GET', 'POST', 'OPTIONS', 'PROPFIND'] as const)('%s is 414 if a parameter is too long', async (method) => {
    const response = await zoo.app.inject({ method: method as 'GET', url: `/v1/cats/${'x'.repeat(1_025)}` });
    expect(response.json()).toMatchObject({ status: 414, code: 'URI_TOO_LONG' });
  });

  test.each(['/', '/v1', '/v1/', '/v1/nothing', `${CAT}/more`, '/cats'])('%s is 404 for any method', async (url) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'PROPFIND'] as const) {
      const response = await zoo.app.inject({ method: method as 'GET', url });
      expect(response.json()).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });
});

describe('paths', () => {
  test('a static path comes before a template', async () => {
    expect((await zoo.app.inject('/v1/cats/oldest')).json()).toMatchObject({ name: 'nobody' });
  });

  test('templates may join parameters and text', async () => {
    expect((await zoo.app.inject('/v1/points/1,-2')).json()).toMatchObject({ params: { x: 1, y: -2 } });
    const odd = await zoo.app.inject({ method: 'POST', url: '/v1/odd/a%20b:run' });
    expect(odd.statusCode).toBe(202);
    expect(odd.headers['x-odd']).toBe('a b');
  });
});

describe('a deprecated operation', () => {
  test('says so and when it ends, failures included', async () => {
    const ok = await zoo.app.inject('/v1/cats/oldest');
    expect(ok.headers).toMatchObject({
      deprecation: `@${Date.UTC(2026, 10, 1) / 1_000}`,
      sunset: 'Thu, 31 Jan 2030 00:00:00 GMT',
      link: '<https://zoo.example/oldest?why=age>; rel="deprecation"',
    });
    const failed = await zoo.app.inject('/v1/cats/oldest?x=1');
    expect(failed.statusCode).toBe(400);
    expect(failed.headers).toMatchObject({ deprecation: ok.headers['deprecation'], link: ok.headers['link'] });
  });
});
