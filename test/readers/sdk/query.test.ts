import { expect, test } from 'vitest';
import { querySerializer } from '../../../src/readers/sdk/query.ts';

const form = { style: 'form', explode: true } as const;
const deep = { style: 'deepObject', explode: true } as const;
const plain = { style: 'form', explode: false } as const;

test.each([
  ['a list in an object', { page: form }, { page: { size: 2, sort: ['a,b', 'c'] } }, 'size=2&sort=a%2Cb&sort=c'],
  ['a list in brackets', { f: deep }, { f: { of: [1, 2], by: { a: 3 } } }, 'f[of]=1&f[of]=2&f[by][a]=3'],
  ['an object as one text', { f: plain }, { f: { r: 1, g: undefined } }, 'f=r,1'],
  ['nothing of an object', { f: form }, { f: { a: undefined, b: null, c: [] }, d: 1 }, 'd=1'],
  ['a list between commas', {}, { a: ['x,y', 'z'] }, 'a=x%2Cy,z'],
  [
    'names as they are',
    {},
    { 'a&b': 1, 'c=d': 2, 'é#': 3, 'page[size]': 4, '$x-y': 5 },
    'a%26b=1&c%3Dd=2&%C3%A9%23=3&page[size]=4&$x-y=5',
  ],
  ['a name of objects', {}, { constructor: { a: [1] }, toString: ['b', 'c'] }, 'constructor[a]=1&toString=b,c'],
])('the query has %s', (_, styles, query, text) => {
  expect(querySerializer(styles as never)(query)).toBe(text);
});
