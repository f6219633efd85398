import { expect, test } from 'vitest';
import type { OpenApiDocument, Schema } from '../../../src/descriptor/document.ts';
import { memberOrders } from '../../../src/runtime/schema/member-order.ts';

const node: Schema = {
  type: 'object',
  properties: { value: { type: 'string' }, next: { $ref: '#/components/schemas/Node' } },
};
const document = { openapi: '3.1.0', info: {}, paths: {}, components: { schemas: { Node: node } } };

/** How a property of this schema is written. */
function written(schema: Schema, value: unknown): string | undefined {
  const order = memberOrders(document as unknown as OpenApiDocument, { properties: { it: schema } })('it');
  return order?.(JSON.stringify(value));
}

const names = (...list: string[]) => ({ properties: Object.fromEntries(list.map((name) => [name, {}])) });

test.each<[string, Schema, unknown, string | undefined]>([
  ['an object', names('b', 'a'), { a: 1, b: 2 }, '{"b":2,"a":1}'],
  ['members that no schema names, after the others', names('b'), { z: 1, b: 2, c: 3 }, '{"b":2,"z":1,"c":3}'],
  ['elements', { items: names('b', 'a') }, [{ a: 1, b: 2 }, null], '[{"b":2,"a":1},null]'],
  ['what branches name', { oneOf: [names('k', 'x'), names('k', 'a')] }, { a: 1, k: 2 }, '{"k":2,"a":1}'],
  [
    'recursion',
    node,
    { next: { next: null, value: 'b' }, value: 'a' },
    '{"value":"a","next":{"value":"b","next":null}}',
  ],
  ['null', names('a'), null, 'null'],
  ['what is in order', names('a', 'b'), { a: [1, -2.5e3], b: '"\\,}' }, '{"a":[1,-2500],"b":"\\"\\\\,}"}'],
  ['free-form members', names('a', 'b'), { b: { d: 1, c: [{}] }, a: {} }, '{"a":{},"b":{"d":1,"c":[{}]}}'],
  ['names with signs', names('$b.', 'a|'), { 'a|': 1, '$b.': [] }, '{"$b.":[],"a|":1}'],
  [
    'objects in objects',
    { properties: { x: names('b', 'a'), y: { items: names('b', 'a') } } },
    { x: { b: 1, a: 2 }, y: [{ b: 1 }, { a: 1, b: 2 }] },
    '{"x":{"b":1,"a":2},"y":[{"b":1},{"b":2,"a":1}]}',
  ],
  ['free-form values', { type: 'object', additionalProperties: true }, { b: 1 }, undefined],
  ['texts in arrays', { items: { type: 'string' } }, ['b'], undefined],
])('the order of %s', (_, schema, value, expected) => {
  expect(written(schema, value)).toBe(expected);
});

test('what is in order is returned as it is, however it is nested or escaped', () => {
  const schema = { items: { properties: { a: { items: names('b', 'c') }, d: {} } } };
  const order = memberOrders(document as unknown as OpenApiDocument, { properties: { it: schema } })('it')!;
  const text = String.raw`[{"a":[{"b":"\u0041\\\"","c":1e3},{"c":null}],"d":[true,"x"]},{"d":1.50}]`;
  expect(order(text)).toBe(text);
});
