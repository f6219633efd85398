import { Readable } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { ApiError } from '../../../src/runtime/errors/api-error.ts';
import { openZoo, operations, type RouteCode, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
afterEach(() => zoo.app.close());

const open = async (handlers: Record<string, RouteCode>, more: object = {}) => {
  zoo = await openZoo({ operations: { ...operations, ...handlers }, ...more });
  return zoo.app;
};

describe('bodies of custom operations', () => {
  const send = async (type: string, payload: string | Buffer) =>
    (await open({})).inject({
      method: 'POST',
      url: '/v1/documents',
      headers: { 'content-type': type },
      payload,
    });

  test('are validated by their media type', async () => {
    const response = await send('application/json', '{"title":5,"x":1}');
    expect(response.json()).toMatchObject({
      status: 400,
      errors: [
        { pointer: '/x', detail: 'is not a known property' },
        { pointer: '/title', detail: 'must be a string' },
      ],
    });
  });

  test('of text are strings, validated, too', async () => {
    expect((await send('text/plain; charset=utf-8', 'grüße')).json()).toEqual({ title: 'grüße' });
    await zoo.app.close();
    expect((await send('text/plain', 'x'.repeat(11))).json()).toMatchObject({
      status: 400,
      errors: [{ pointer: '', detail: 'must have at most 10 characters' }],
    });
    await zoo.app.close();
    expect((await send('text/plain', Buffer.from([0xff]))).statusCode).toBe(400);
  });

  test('of other types are bytes', async () => {
    const bytes: unknown[] = [];
    const app = await open({
      addDocument: ({ body, contentType }) => {
        bytes.push(body, contentType);
        return { status: 201, body: {} };
      },
    });
    const payload = Buffer.from([0, 255, 1]);
    await app.inject({ method: 'POST', url: '/v1/documents', headers: { 'content-type': 'image/png' }, payload });
    expect(bytes).toEqual([payload, 'image/*']);
  });
});

describe('replies of custom operations', () => {
  const reply = async (result: Awaited<ReturnType<RouteCode>>) => {
    const app = await open({ addDocument: () => result });
    return app.inject({ method: 'POST', url: '/v1/documents', payload: { title: 'x' } });
  };

  test('hold declared properties only', async () => {
    const response = await reply({ status: 201, body: { title: 'a', secret: 'b', other: { deep: 1 } } });
    expect(response.json()).toEqual({ title: 'a' });
  });

  test('may have headers', async () => {
    const response = await reply({ status: 201, headers: { 'X-Count': 5, 'X-None': undefined }, body: {} });
    expect(response.headers['x-count']).toBe('5');
    expect(response.headers).not.toHaveProperty('x-none');
  });

  test.each(['a\r\nset-cookie: x=1', 'a\nb', 'a\u0000b', 'ž'])('cannot smuggle %j into a header', async (value) => {
    const response = await reply({ status: 201, headers: { 'x-a': value }, body: {} });
    expect(response.json()).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
    expect(response.headers).not.toHaveProperty('set-cookie');
    expect(response.headers).not.toHaveProperty('x-a');
  });

  test.each([
    { status: 418 },
    { status: 201, contentType: 'text/html', body: 'x' },
    { status: 201, contentType: 'text/csv', body: { not: 'text' } },
  ])('of an undeclared kind are failures of the server: %j', async (result) => {
    const response = await reply(result);
    expect(response.json()).toMatchObject({ status: 500, code: 'INTERNAL_ERROR' });
    expect(response.json()).not.toHaveProperty('detail');
    expect(zoo.logged).toHaveLength(1);
  });

  test('may be streams', async () => {
    const response = await reply({ status: 201, contentType: 'text/csv', body: Readable.from(['a\n', 'b\n']) });
    expect(response.body).toBe('a\nb\n');
  });
});

describe('failures of custom operations', () => {
  test('that the catalogue knows are answered as such', async () => {
    const app = await open({
      broken: () => {
        throw new ApiError('NOT_FOUND', { detail: 'No such thing.' });
      },
    });
    expect((await app.inject('/v1/broken')).json()).toMatchObject({ status: 404, detail: 'No such thing.' });
    expect(zoo.logged).toEqual([]);
  });

  test('that are unexpected are masked and logged once', async () => {
    const failure = new Error('password=hunter2 at /srv/app.ts');
    const app = await open({ broken: () => Promise.reject(failure) });
    const response = await app.inject('/v1/broken?');
    expect(response.json()).toEqual({
      type: '/errors/INTERNAL_ERROR',
      title: 'Internal server error',
      status: 500,
      instance: '/v1/broken',
      code: 'INTERNAL_ERROR',
      requestId: expect.any(String),
    });
    expect(zoo.logged).toEqual([{ err: failure }]);
  });

  test('without a handler are 501 when the boot allows it', async () => {
    zoo = await openZoo({ operations: {}, allowMissing: true });
    expect((await zoo.app.inject('/v1/broken')).json()).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' });
  });
});

describe('with checkResponses', () => {
  test('a body that is not as declared is a failure', async () => {
    const app = await open({}, { checkResponses: true });
    expect((await app.inject('/v1/broken')).statusCode).toBe(500);
    expect(zoo.logged).toEqual([
      { err: expect.objectContaining({ message: expect.stringContaining('broken deviates') }) },
    ]);
  });

  test('an error that the operation does not declare is a failure', async () => {
    const app = await open(
      {
        broken: () => {
          throw new ApiError('CONFLICT');
        },
      },
      { checkResponses: true },
    );
    expect((await app.inject('/v1/broken')).statusCode).toBe(500);
    expect(zoo.logged).toHaveLength(1);
  });

  test('declared errors pass', async () => {
    const app = await open({}, { checkResponses: true });
    expect((await app.inject('/v1/cats?limit=0')).statusCode).toBe(400);
    expect(zoo.logged).toEqual([]);
  });
});
