import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openZoo, type Zoo } from './support/zoo.ts';

let zoo: Zoo;
beforeAll(async () => {
  zoo = await openZoo();
});
afterAll(() => zoo.app.close());

const echo = async (query: string, headers: Record<string, string> = {}) =>
  zoo.app.inject({ url: `/v1/echo/word?${query}`, headers });

describe('query parameters', () => {
  test.each([
    ['integer=5', { integer: 5 }],
    ['integer=-5', { integer: -5 }],
    ['integer=0', { integer: 0 }],
    ['integer=9007199254740991', { integer: 9007199254740991 }],
    ['number=1.50', { number: 1.5 }],
    ['number=-2e3', { number: -2000 }],
    ['boolean=true', { boolean: true }],
    ['boolean=false', { boolean: false }],
    ['nullable=null', { nullable: null }],
    ['nullable=7', { nullable: 7 }],
    ['q=5', { q: '5' }],
    ['q=', { q: '' }],
    ['q', { q: '' }],
    ['q=a+b%2Bc', { q: 'a b+c' }],
    ['q=%C3%A9%F0%9F%98%80', { q: 'é😀' }],
    ['q=a=b', { q: 'a=b' }],
    ['&q=a&', { q: 'a' }],
    ['%71=a', { q: 'a' }],
    ['many=1', { many: [1] }],
    ['many=1&many=2', { many: [1, 2] }],
    ['many=1,2', { many: [1, 2] }],
    ['many=1%2C2&many=3', { many: [1, 2, 3] }],
    ['free=a&free=b', { free: ['a', 'b'] }],
    ['free=a,b&free=c%2Cd', { free: ['a', 'b', 'c,d'] }],
    ['pipes=a|b&pipes=c', { pipes: ['a', 'b', 'c'] }],
    ['free=a', { free: ['a'] }],
    ['free=a,b', { free: ['a', 'b'] }],
    ['free=a%2Cb,c', { free: ['a,b', 'c'] }],
    ['pipes=a|b', { pipes: ['a', 'b'] }],
    ['pipes=a%7Cb', { pipes: ['a', 'b'] }],
    ['spaces=a%20b', { spaces: ['a', 'b'] }],
    ['where[a]=1', { where: { a: 1 } }],
    ['where%5Ba%5D=1', { where: { a: 1 } }],
    ['x=1&y=2', { pair: { x: 1, y: 2 } }],
    ['y=2', { pair: { y: 2 } }],
    ['x=1&order=a,b&order=c', { pair: { x: 1, order: ['a,b', 'c'] } }],
    ['where[in]=1&where[in]=2&where[a]=3', { where: { a: 3, in: [1, 2] } }],
    ['flat=r,5', { flat: { r: 5 } }],
    ['filter=%7B%22a%22%3A1%7D', { filter: { a: 1 } }],
  ])('%s is decoded as the contract says', async (query, expected) => {
    const response = await echo(query);
    expect(response.json()).toMatchObject({ query: expected });
    expect(response.json().query).toEqual(expected);
  });

  test.each([
    ['integer=05', 'integer', 'must be an integer'],
    ['integer=%2B5', 'integer', 'must be an integer'],
    ['integer=+5', 'integer', 'must be an integer'],
    ['integer=5+', 'integer', 'must be an integer'],
    ['integer=1e2', 'integer', 'must be an integer'],
    ['integer=1.0', 'integer', 'must be an integer'],
    ['integer=0x5', 'integer', 'must be an integer'],
    ['integer=-0', 'integer', 'must be an integer'],
    ['integer=', 'integer', 'must be an integer'],
    ['integer=true', 'integer', 'must be an integer'],
    ['integer=9007199254740992', 'integer', 'must be at most 9007199254740991'],
    ['integer=-9007199254740993', 'integer', 'must be at least -9007199254740991'],
    ['integer=5&integer=6', 'integer', 'must be given once'],
    ['number=1.', 'number', 'must be a number'],
    ['number=.5', 'number', 'must be a number'],
    ['number=NaN', 'number', 'must be a number'],
    ['number=Infinity', 'number', 'must be a number'],
    ['number=1e999', 'number', 'must be a number'],
    ['boolean=1', 'boolean', 'must be true or false'],
    ['boolean=TRUE', 'boolean', 'must be true or false'],
    ['boolean=', 'boolean', 'must be true or false'],
    ['nullable=', 'nullable', 'must be an integer or null'],
    ['q=a&q=b', 'q', 'must be given once'],
    ['many=1,x', 'many', 'must be an integer'],
    ['many=1,,2', 'many', 'must be an integer'],
    ['many=1&many=x', 'many', 'must be an integer'],
    ['where[a]=x', 'where[a]', 'must be an integer'],
    ['where[a]=1&where[a]=2', 'where[a]', 'must be given once'],
    ['where[b]=1', 'where[b]', 'is not a known property'],
    ['where[]=1', 'where[]', 'is not a known property'],
    ['where[__proto__]=1', 'where[__proto__]', 'is not a known property'],
    ['where=1', 'where', 'is not a known parameter'],
    ['where[a][b]=1', 'where[a][b]', 'is not a known parameter'],
    ['pair=1', 'pair', 'is not a known parameter'],
    ['x=z', 'x', 'must be an integer'],
    ['filter=%7B', 'filter', expect.stringContaining('must be valid JSON')],
    ['filter=%7B%22b%22%3A1%7D', 'filter/b', 'is not a known property'],
    ['Q=a', 'Q', 'is not a known parameter'],
    ['bogus=1', 'bogus', 'is not a known parameter'],
    ['__proto__=1', '__proto__', 'is not a known parameter'],
    ['constructor=1', 'constructor', 'is not a known parameter'],
    ['q=%00', 'q', 'must not contain U+0000 or an unpaired surrogate'],
  ])('%s is refused by name', async (query, parameter, detail) => {
    const response = await echo(query);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ parameter, detail }] });
  });

  test.each(['q=%', 'q=%zz', 'q=%ff', '%ff=1'])('%s is malformed', async (query) => {
    expect((await echo(query)).json()).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST' });
  });

  test('all faults are reported together', async () => {
    const response = await echo('integer=x&boolean=x&where[a]=x&where[b]=1&bogus=1&q=a&q=b');
    const names = response.json().errors.map(({ parameter }: { parameter: string }) => parameter);
    expect(names.sort()).toEqual(['bogus', 'boolean', 'integer', 'q', 'where[a]', 'where[b]']);
  });

  test('have their defaults when they are absent', async () => {
    await zoo.app.inject('/v1/cats');
    expect(zoo.seen.query).toEqual({ limit: 20, count: false });
    await zoo.app.inject('/v1/cats?limit=5');
    expect(zoo.seen.query).toEqual({ limit: 5, count: false });
  });

  test('an encoded comma is a delimiter if no item can contain a comma', async () => {
    await zoo.app.inject('/v1/cats?colour=BLACK%2CGINGER&sort=-name,name');
    expect(zoo.seen.query).toMatchObject({ colour: ['BLACK', 'GINGER'], sort: ['-name', 'name'] });
  });

  test('are validated by their schemas', async () => {
    const response = await zoo.app.inject('/v1/cats?limit=101&colour=BLACK,RED');
    expect(response.json().errors).toEqual([
      { parameter: 'limit', detail: 'must be at most 100' },
      { parameter: 'colour', detail: 'must be one of BLACK, GINGER' },
    ]);
  });

  test('do not pollute prototypes', async () => {
    await echo('where[__proto__][polluted]=1&__proto__[polluted]=1&constructor[prototype][polluted]=1');
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('path parameters', () => {
  test.each([
    ['a%2Fb', 'a/b'],
    ['%C3%A9', 'é'],
    ['a+b', 'a+b'],
    ['5', '5'],
  ])('%s is decoded', async (segment, word) => {
    expect((await zoo.app.inject(`/v1/echo/${segment}`)).json().params).toEqual({ word });
  });

  test('a broken encoding is malformed', async () => {
    const response = await zoo.app.inject('/v1/echo/%ff');
    expect(response.json()).toMatchObject({ status: 400, code: 'MALFORMED_REQUEST', instance: '/v1/echo/%ff' });
  });

  test('an overlong one is too long', async () => {
    const response = await zoo.app.inject(`/v1/echo/${'a'.repeat(1_100)}`);
    expect(response.json()).toMatchObject({ status: 414, code: 'URI_TOO_LONG' });
  });

  test('are decoded by their types', async () => {
    expect((await zoo.app.inject('/v1/points/01,x')).json().errors).toEqual([
      { parameter: 'x', detail: 'must be an integer' },
      { parameter: 'y', detail: 'must be an integer' },
    ]);
  });
});

describe('headers and cookies', () => {
  test('are decoded by the contract, in any case', async () => {
    const response = await echo('', { 'X-TAG': '1,2', cookie: 'other=x; session="7"; session=8' });
    expect(response.json()).toMatchObject({ headers: { 'x-tag': [1, 2] }, cookies: { session: 7 } });
  });

  test('are refused by name', async () => {
    const response = await echo('', { 'x-tag': '1,x', cookie: 'session=x' });
    expect(response.json().errors).toEqual([
      { header: 'X-Tag', detail: 'must be an integer' },
      { parameter: 'session', detail: 'must be an integer' },
    ]);
  });
});
