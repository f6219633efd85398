import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CAT_ID } from './support/fake-engine.ts';
import { openZoo, READER, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
beforeAll(async () => {
  zoo = await openZoo();
});
afterAll(() => zoo.app.close());

const CAT = `/v1/cats/${CAT_ID}`;
const send = (method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'DELETE', headers: Record<string, string>) =>
  zoo.app.inject({
    method,
    url: CAT,
    headers: { ...READER, ...headers },
    ...(method.startsWith('P') && { payload: { name: 'Tom', colour: 'BLACK' } }),
  });

describe('If-None-Match on reads', () => {
  test.each(['"3.form"', 'W/"3.form"', '*', '"1", "3.form"', '"1",W/"3.form"', ' , "3.form" ,', '"a,b", "3.form"'])(
    '%s is not modified',
    async (tag) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const response = await send(method, { 'if-none-match': tag });
        expect(response.statusCode).toBe(304);
        expect(response.headers.etag).toBe('"3.form"');
        expect(response.body).toBe('');
        expect(response.headers['content-type']).toBeUndefined();
      }
    },
  );

  test.each(['"3"', '"3.other"', '"3-form"', '"2"', '"33"', '"03"', '"abc"', 'W/"2", "4"', '""'])(
    '%s is modified',
    async (tag) => {
      expect((await send('GET', { 'if-none-match': tag })).statusCode).toBe(200);
    },
  );
});

describe('If-Match on reads', () => {
  test.each([
    ['"3"', 200],
    ['"3.form"', 200],
    ['"3.other"', 200],
    ['"3-form"', 412],
    ['"3."', 412],
    ['*', 200],
    ['"2"', 412],
    ['W/"3"', 412],
    ['W/"3.form"', 412],
  ])('%s is %i', async (tag, status) => {
    expect((await send('GET', { 'if-match': tag })).statusCode).toBe(status);
  });
});

describe('preconditions of writes', () => {
  test.each([
    [{}, undefined],
    [{ 'if-match': '"3"' }, { ifMatch: [3] }],
    [{ 'if-match': '"2", "3"' }, { ifMatch: [2, 3] }],
    [{ 'if-match': '"2.old", "3.form", "3-view.form"' }, { ifMatch: [2, 3, '3-view'] }],
    [{ 'if-match': 'W/"2", "3"' }, { ifMatch: [3], hasWeak: true }],
    [{ 'if-match': '*' }, { ifMatch: 'any' }],
    [{ 'if-none-match': '"2"' }, { ifNoneMatch: [2] }],
    [{ 'if-none-match': 'W/"2"' }, { ifNoneMatch: [2] }],
    [
      { 'if-match': '"3"', 'if-none-match': '"9"' },
      { ifMatch: [3], ifNoneMatch: [9] },
    ],
  ])('%j reach the engine', async (headers, expected) => {
    for (const method of ['PUT', 'PATCH', 'DELETE'] as const) {
      const response = await send(method, headers as Record<string, string>);
      expect(response.statusCode).toBeLessThan(300);
      expect(zoo.seen.expect).toEqual(expected);
    }
  });

  test.each([
    { 'if-match': '"2"' },
    { 'if-match': 'W/"3"' },
    { 'if-match': '"abc"' },
    { 'if-none-match': '*' },
    { 'if-none-match': '"3"' },
    { 'if-none-match': 'W/"3"' },
  ] as Record<string, string>[])('%j fails', async (headers) => {
    expect((await send('PUT', headers)).json()).toMatchObject({ status: 412, code: 'PRECONDITION_FAILED' });
  });
});

describe('malformed entity tags', () => {
  test.each(['3', '"3', "'3'", 'w/"3"', '"3" "4"', '*, "3"', '', ',', 'W/3', '"a"b"'])(
    '%j are refused',
    async (tag) => {
      for (const header of ['If-Match', 'If-None-Match'])
        expect((await send('PUT', { [header.toLowerCase()]: tag })).json()).toMatchObject({
          status: 400,
          code: 'VALIDATION_FAILED',
          errors: [{ header }],
        });
    },
  );
});
