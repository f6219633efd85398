import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createNegotiation } from '../../../src/runtime/http/negotiation.ts';
import { openZoo, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
beforeAll(async () => {
  zoo = await openZoo();
});
afterAll(() => zoo.app.close());

describe('Accept', () => {
  test.each([
    '',
    ' ',
    ',',
    '*/*',
    'application/json',
    'application/*',
    'APPLICATION/JSON',
    'text/html, application/json;q=0.1',
    'text/html,*/*;q=0.8',
    'application/problem+json, application/json',
    'application/json; charset=utf-8',
    'Application/JSON;Charset="UTF-8"; Q=0.5',
    'text/html;level=1, application/json;profile="a,b;c=\\"d\\""',
    '*/*;version=2',
    'application/*;charset=latin1;q=0.1',
    'application/json;q=0;charset=utf-8, application/json;q=0.5',
  ])('%j gets JSON', async (accept) => {
    expect((await zoo.app.inject({ url: '/v1/cats', headers: { accept } })).statusCode).toBe(200);
  });

  test.each([
    'text/html',
    'application/xml',
    'application/json;q=0',
    'text/*',
    'application/problem+json',
    '*/*;q=0',
    'application/json; charset=utf-8; q=0',
    'text/html, application/json;q=0, */*;q=0.5',
  ])('%s gets 406', async (accept) => {
    const response = await zoo.app.inject({ url: '/v1/cats', headers: { accept } });
    expect(response.json()).toMatchObject({
      status: 406,
      code: 'NOT_ACCEPTABLE',
      detail: 'Available media types: application/json.',
    });
    expect(response.headers['content-type']).toContain('application/problem+json');
  });

  test('chooses among the types of a response', async () => {
    const add = (accept: string) =>
      zoo.app.inject({ method: 'POST', url: '/v1/documents', headers: { accept }, payload: { title: 'x' } });
    const csv = await add('text/csv, application/json;q=0.5');
    expect(csv.headers).toMatchObject({ 'content-type': 'text/csv', vary: 'accept' });
    expect(csv.body).toBe('title\nx');
    expect((await add('*/*')).headers['content-type']).toBe('application/json; charset=utf-8');
    expect((await add('text/csv; header=present, application/json; charset=utf-8')).body).toBe('title\nx');
  });

  const TYPES = [
    'application/vnd.a+json;version=1',
    'application/vnd.a+json;version=2;charset=utf-8',
    'text/csv;header=present',
  ];
  test.each([
    ['application/vnd.a+json', TYPES[0]],
    ['application/vnd.a+json;version=2', TYPES[1]],
    ['application/vnd.a+json;version="2";other=x', TYPES[1]],
    ['APPLICATION/vnd.A+json;VERSION=2', TYPES[1]],
    ['application/*;version=2', TYPES[1]],
    ['application/vnd.a+json;q=0.5, application/vnd.a+json;version=2;q=0.4', TYPES[0]],
    ['application/vnd.a+json;q=0.4, application/vnd.a+json;version=2;q=0.5', TYPES[1]],
    ['application/vnd.a+json, application/vnd.a+json;version=1;q=0', TYPES[1]],
    ['application/vnd.a+json;version=9, text/csv;header=absent;q=0.1', TYPES[2]],
    ['*/*;version=9', TYPES[2]],
    ['text/csv;q=0.9, application/vnd.a+json;q=0.8', TYPES[2]],
  ])('chooses by parameters in which declared types differ: %s', (accept, type) => {
    expect(createNegotiation(TYPES)(accept)).toBe(type);
  });

  test.each(['application/vnd.a+json;version=9', 'application/vnd.a+json;q=0;version=1, */*;q=0'])(
    'refuses %s, which is none of those that differ',
    (accept) => expect(() => createNegotiation(TYPES)(accept)).toThrow('NOT_ACCEPTABLE'),
  );
});
