import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CAT_ID } from './support/fake-engine.ts';
import { openZoo, READER, WRITER, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
beforeAll(async () => {
  zoo = await openZoo();
});
afterAll(() => zoo.app.close());

/** Everything is wrong with it: caller, media type, Accept, body and parameters. */
const wrong = { accept: 'text/html', 'content-type': 'text/html' };
const send = async (headers: Record<string, string>, payload = '{', url = '/v1/cats?x=1') =>
  (await zoo.app.inject({ method: 'POST', url, headers, payload })).json<{ code: string; errors?: unknown }>();

describe('a request with many faults gets the error of the first check that fails', () => {
  test('authentication', async () => {
    expect((await send(wrong)).code).toBe('UNAUTHENTICATED');
    expect((await send({ ...wrong, authorization: 'Bearer forged' })).code).toBe('UNAUTHENTICATED');
  });

  test('authorization', async () => {
    expect((await send({ ...wrong, ...READER })).code).toBe('FORBIDDEN');
  });

  test('media type of the body', async () => {
    expect((await send({ ...wrong, ...WRITER })).code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });

  test('media type of the answer', async () => {
    expect((await send({ ...wrong, ...WRITER, 'content-type': 'application/json' })).code).toBe('NOT_ACCEPTABLE');
  });

  test('size of the body', async () => {
    const large = ' '.repeat(1_048_577);
    const types = { ...WRITER, 'content-type': 'application/json' };
    expect((await send({ ...types, accept: 'text/html' }, large)).code).toBe('NOT_ACCEPTABLE');
    expect((await send(types, large)).code).toBe('CONTENT_TOO_LARGE');
  });

  test('syntax of the body', async () => {
    expect((await send({ ...WRITER, 'content-type': 'application/json' })).code).toBe('MALFORMED_REQUEST');
  });

  test('parameters and body, together', async () => {
    const url = '/v1/cats/zzz?x=1';
    const response = await zoo.app.inject({ method: 'PUT', url, headers: READER, payload: { name: 5, y: 1 } });
    expect(response.statusCode).toBe(400);
    expect(response.json().errors).toEqual([
      { parameter: 'catId', detail: 'must be a UUID' },
      { parameter: 'x', detail: 'is not a known parameter' },
      { pointer: '/colour', detail: 'is required' },
      { pointer: '/y', detail: 'is not a known property' },
      { pointer: '/name', detail: 'must be a string' },
    ]);
  });

  test('reads ask who calls before they look at parameters', async () => {
    expect((await zoo.app.inject('/v1/cats/zzz?x=1')).statusCode).toBe(401);
    expect((await zoo.app.inject({ url: '/v1/cats/zzz', headers: { accept: 'text/html' } })).statusCode).toBe(401);
  });
});

describe('callers', () => {
  test.each([
    ['known at once', READER, 'reader'],
    ['known after a while', WRITER, 'writer'],
  ])('are passed to the engine: %s', async (_, headers, subject) => {
    await zoo.app.inject({ url: `/v1/cats/${CAT_ID}`, headers });
    expect(zoo.seen.subject).toBe(subject);
  });

  test('of a public operation stay unknown: credentials are not read', async () => {
    const response = await zoo.app.inject({ url: '/v1/cats', headers: { authorization: 'Bearer forged' } });
    expect(response.statusCode).toBe(200);
    expect(zoo.seen.subject).toBeUndefined();
  });

  test('may be anonymous where the contract says so, but not forged', async () => {
    const name = async (headers: Record<string, string>) =>
      (await zoo.app.inject({ url: '/v1/cats/oldest', headers })).json().name;
    expect(await name({})).toBe('nobody');
    expect(await name(READER)).toBe('reader');
    const forged = await zoo.app.inject({ url: '/v1/cats/oldest', headers: { authorization: 'Bearer forged' } });
    expect(forged.statusCode).toBe(401);
  });

  test('may be known by another scheme', async () => {
    expect((await zoo.app.inject({ url: '/v1/keys', headers: { 'x-api-key': 'k' } })).statusCode).toBe(204);
    expect((await zoo.app.inject({ url: '/v1/keys', headers: { 'x-api-key': 'z' } })).statusCode).toBe(401);
    expect((await zoo.app.inject({ url: '/v1/keys', headers: READER })).statusCode).toBe(401);
  });

  test('get a challenge with 401', async () => {
    const anonymous = await zoo.app.inject(`/v1/cats/${CAT_ID}`);
    expect(anonymous.headers['www-authenticate']).toMatch(/^Bearer/);
    const forged = await zoo.app.inject({ url: `/v1/cats/${CAT_ID}`, headers: { authorization: 'Bearer forged' } });
    expect(forged.headers['www-authenticate']).toContain('error="invalid_token"');
  });
});
