import { describe, expect, test } from 'vitest';
import { bodyCapacity, maxBodyValues } from '../../../src/compiler/json-schema/body-limits.ts';
import type { OpenApiDocument, Schema } from '../../../src/descriptor/document.ts';

const document = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {},
  components: {
    schemas: {
      Point: { type: 'object', properties: { x: { type: 'number' }, y: { type: 'number' } } },
      Tags: { type: 'array', maxItems: 7, items: { type: 'string' } },
      Tree: { type: 'object', properties: { children: { type: 'array', maxItems: 2, items: { $ref: ref('Tree') } } } },
      Leaf: { anyOf: [{ $ref: ref('Leaf') }, { type: 'string' }] },
    },
  },
} as OpenApiDocument;

function ref(name: string): string {
  return `#/components/schemas/${name}`;
}

const text = { type: 'string' };
const list = (maxItems: number, items: Schema = text) => ({ type: 'array', maxItems, items });
const object = (properties: Record<string, Schema>, more: object = {}) => ({ type: 'object', properties, ...more });
const point = { $ref: ref('Point') };
const tags = { $ref: ref('Tags') };

describe('what a body of a schema can hold', () => {
  test.each([
    ['a scalar', { type: ['integer', 'null'] }, 1],
    ['scalars that are listed', { enum: ['A', 'B', null] }, 1],
    ['an object without properties', object({}), 2],
    ['an object', point, 3],
    ['an array', list(7), 8],
    ['an array that is always empty', list(0), 2],
    ['a reference with a keyword beside it', { ...tags, minItems: 1 }, 8],
    ['objects in arrays', object({ points: list(10, point) }), 1 + 1 + 10 * 3],
    ['a composition', { allOf: [point, object({ tags }), { required: ['x'] }] }, 1 + 2 + 8],
    ['a union', { oneOf: [point, object({ tags }), { type: 'null' }] }, 9],
    ['what has properties beside a union', object({ tags }, { anyOf: [point, { required: ['x'] }] }), 9],
    ['a map with a bound', { type: 'object', additionalProperties: tags, maxProperties: 5 }, 1 + 5 * 8],
    ['what is closed by hand', { type: 'object', additionalProperties: false }, 2],
  ])('%s', (_, schema, values) => {
    expect(bodyCapacity(document, schema)).toBe(values);
  });

  test.each([
    ['no schema', true],
    ['an empty one', {}],
    ['an array without a bound', { type: 'array', items: text }],
    ['an array of anything', { type: 'array', maxItems: 5 }],
    ['an object that names nothing', { type: 'object' }],
    ['an open object', object({ tags }, { additionalProperties: true })],
    ['a map without a bound', { type: 'object', additionalProperties: text }],
    ['properties by a pattern', { type: 'object', patternProperties: { '^x': text } }],
    ['a value deep inside that is open', object({ points: list(10, object({ extra: {} })) })],
    ['what may be an array as well', { properties: { tags } }],
    ['a union with an open branch', { oneOf: [point, { type: 'object' }] }],
    ['a tuple', { type: 'array', prefixItems: [text, point], items: false }],
    ['conditions', object({ tags }, { if: { required: ['tags'] }, else: object({ more: list(9) }) })],
    ['what contains itself', { $ref: ref('Tree') }],
    ['what is itself', { $ref: ref('Leaf') }],
  ])('nothing bounds %s', (_, schema) => {
    expect(bodyCapacity(document, schema)).toBe(Number.POSITIVE_INFINITY);
  });

  test('takes no longer for what is shared by many', () => {
    let shared: Schema = text;
    for (let level = 0; level < 100; level++) shared = object({ a: shared, b: shared });
    expect(bodyCapacity(document, shared)).toBeGreaterThan(2 ** 99);
  });
});

test.each([
  ['small', list(10), 1_000],
  ['of a hundred values', list(99), 1_000],
  ['of five hundred', list(499), 5_000],
  ['of ten thousand', list(9_999), 10_000],
  ['of more', list(20_000), 20_001],
  ['open', true, 10_000],
])('a body whose schema is %s may have ten times as many values, within bounds', (_, schema, most) => {
  expect(maxBodyValues(document, schema)).toBe(most);
});
