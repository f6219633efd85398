import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CAT_ID } from './support/fake-engine.ts';
import { openZoo, READER, WRITER, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
beforeAll(async () => {
  zoo = await openZoo();
});
afterAll(() => zoo.app.close());

const tom = { name: 'Tom', colour: 'BLACK' };
const post = (payload: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) => {
  delete zoo.seen.action;
  return zoo.app.inject({ method: 'POST', url: '/v1/cats', headers: { ...WRITER, ...headers }, payload });
};

describe('Content-Type', () => {
  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=utf-8',
    'application/json; charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8 ',
    'application/json;profile="a;b"',
    'application/json;',
  ])('%s is taken', async (type) => {
    expect((await post(JSON.stringify(tom), { 'content-type': type })).statusCode).toBe(201);
    expect(zoo.seen.input).toEqual(tom);
  });

  test.each([
    'text/plain',
    'text/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    'application/json5',
    'application/vnd.cat+json',
    'application/merge-patch+json',
    'application/problem+json',
    'application/*',
    '*/*',
    'json',
    'application',
    'application/',
    '/json',
    'application/json, text/plain',
    'application/json text/plain',
    'application json',
    'application/json;charset',
    'application/json;charset=latin1',
    'application/json;charset=utf-16',
    'application/json; charset=utf-8; charset=latin1',
    ';',
    ' ',
  ])('%s is refused and nothing is done', async (type) => {
    const response = await post(JSON.stringify(tom), { 'content-type': type });
    expect(response.json()).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect(zoo.seen.action).toBeUndefined();
  });

  test('a body without one is refused', async () => {
    const response = await post(JSON.stringify(tom), {});
    expect(response.json()).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect(response.headers.accept).toBe('application/json');
  });

  test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'nonsense'])(
    'Content-Encoding %s is refused',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      expect((await post(JSON.stringify(tom), headers)).json()).toMatchObject({ status: 415 });
    },
  );

  test.each(['application/merge-patch+json', 'application/json'])('PATCH takes %s', async (type) => {
    const response = await zoo.app.inject({
      method: 'PATCH',
      url: `/v1/cats/${CAT_ID}`,
      headers: { ...READER, 'content-type': type },
      payload: '{"name":"Tim"}',
    });
    expect(response.statusCode).toBe(200);
    expect(zoo.seen.input).toEqual({ name: 'Tim' });
  });
});

describe('malformed JSON', () => {
  test.each([
    ['{', 'a property name in double quotes or } expected at line 1, column 2 (position 1)'],
    ['{"a":}', 'a value expected at line 1, column 6 (position 5)'],
    ['{"a":1,}', 'a property name in double quotes expected at line 1, column 8 (position 7)'],
    ['{"a" 1}', ': expected at line 1, column 6 (position 5)'],
    ['{\n"a": 1\n"b": 2}', ', or } expected at line 3, column 1 (position 9)'],
    ['[1,]', 'a value expected at line 1, column 4 (position 3)'],
    ['[1 2]', ', or ] expected at line 1, column 4 (position 3)'],
    ['[', 'a value or ] expected at line 1, column 2 (position 1)'],
    ['{"a":1} x', 'the end expected at line 1, column 9 (position 8)'],
    ["{'a':1}", 'a property name in double quotes or } expected at line 1, column 2 (position 1)'],
    ['{"a":01}', ', or } expected at line 1, column 7 (position 6)'],
    ['{"a":"\t"}', 'a value expected at line 1, column 6 (position 5)'],
    ['{"a":"\\x"}', 'a value expected at line 1, column 6 (position 5)'],
    ['{"a":undefined}', 'a value expected at line 1, column 6 (position 5)'],
    ['NaN', 'a value expected at line 1, column 1 (position 0)'],
    ['\ufeff{}', 'a value expected at line 1, column 1 (position 0)'],
    [' ', 'a value expected at line 1, column 2 (position 1)'],
  ])('%j is refused with the position of its fault', async (payload, place) => {
    expect((await post(payload)).json()).toMatchObject({
      status: 400,
      code: 'MALFORMED_REQUEST',
      detail: `The body is not valid JSON: ${place}.`,
    });
  });

  test('bytes that are not UTF-8 are refused', async () => {
    const response = await post(Buffer.from([0x22, 0xc3, 0x28, 0x22]));
    expect(response.json()).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST', detail: 'The body is not UTF-8.' });
  });

  test.each([
    '{"__proto__":{"polluted":1}}',
    '{"\\u005f_proto__":{"polluted":1}}',
    '{"name":{"__proto__":null}}',
    '[{"constructor":{"prototype":{"polluted":1}}}]',
    `{"pad":"${'x'.repeat(200)}","__proto__":1}`,
  ])('%s cannot poison prototypes', async (payload) => {
    expect((await post(payload)).json()).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST' });
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test('the place of a fault is shortened', async () => {
    const deep = `{"${'a'.repeat(10_000)}":`.repeat(66) + 1 + '}'.repeat(66);
    expect((await post(deep)).body.length).toBeLessThan(500);
    const poisoned = `{"${'a'.repeat(10_000)}":{"__proto__":1}}`;
    expect((await post(poisoned)).body.length).toBeLessThan(500);
  });

  test('nesting is bounded', async () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect((await post(nested(64))).json()).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect((await post(nested(65))).json()).toMatchObject({ code: 'MALFORMED_REQUEST' });
    expect((await post(nested(900))).json()).toMatchObject({ code: 'MALFORMED_REQUEST' });
    expect((await post(nested(100_000))).json()).toMatchObject({ code: 'CONTENT_TOO_LARGE' });
    expect((await post(`${'{"a":'.repeat(65)}1${'}'.repeat(65)}`)).json()).toMatchObject({ code: 'MALFORMED_REQUEST' });
  });
});

describe('size', () => {
  const ofBytes = (bytes: number) => {
    const frame = '{"name":"","colour":"BLACK"}';
    return `{"name":"${'x'.repeat(bytes - frame.length)}","colour":"BLACK"}`;
  };

  test('1 MiB is read, one byte more is not', async () => {
    expect((await post(ofBytes(1_048_576))).json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect((await post(ofBytes(1_048_577))).json()).toMatchObject({ status: 413, code: 'CONTENT_TOO_LARGE' });
  });

  test('more than 1,000 values are refused before they are parsed, where the schema holds few', async () => {
    const detail = 'The body has more than 1,000 values. Bounds such as `maxItems` in the schema set this limit.';
    const manyValues = (count: number) => `{"x":[${Array(count).fill('1')}]}`.padEnd(16_384);
    expect((await post(manyValues(998))).json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
    expect((await post(manyValues(999))).json()).toMatchObject({ status: 413, code: 'CONTENT_TOO_LARGE', detail });
    expect((await post(`${manyValues(999)}]`)).json()).toMatchObject({ status: 413 });
    expect((await post(manyValues(999).trimEnd())).json()).toMatchObject({ status: 400 });
  });

  test('an empty body is a fault if a body is required', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }] as Record<string, string>[])
      expect((await post('', headers)).json()).toMatchObject({
        status: 400,
        errors: [{ pointer: '', detail: 'is required' }],
      });
  });
});

describe('coercion', () => {
  test.each([
    { name: 5, colour: 'BLACK' },
    { name: true, colour: 'BLACK' },
    { name: null, colour: 'BLACK' },
    { name: ['Tom'], colour: 'BLACK' },
    { name: { toString: 'Tom' }, colour: 'BLACK' },
    { name: 'Tom', colour: 'black' },
    { name: 'Tom', colour: ['BLACK'] },
    { name: 'Tom', colour: 0 },
    { name: 'Tom', colour: 'BLACK', extra: null },
    { name: 'Tom', colour: 'BLACK', id: CAT_ID },
    [{ name: 'Tom', colour: 'BLACK' }],
    'Tom',
    null,
    5,
  ])('%j is refused as it stands', async (payload) => {
    expect((await post(JSON.stringify(payload))).json()).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  });
});

describe('a body that the operation does not accept', () => {
  test('is refused', async () => {
    const response = await zoo.app.inject({
      method: 'DELETE',
      url: `/v1/cats/${CAT_ID}`,
      headers: { ...READER, 'content-type': 'application/json' },
      payload: '{}',
    });
    expect(response.json()).toMatchObject({ status: 415, detail: 'This operation does not accept a body.' });
  });

  test('is none when it is empty', async () => {
    const response = await zoo.app.inject({
      method: 'DELETE',
      url: `/v1/cats/${CAT_ID}`,
      headers: { ...READER, 'content-type': 'application/json', 'content-length': '0' },
    });
    expect(response.statusCode).toBe(204);
  });
});
