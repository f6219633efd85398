import { describe, expect, test } from 'vitest';
import type { Schema } from '../../../src/descriptor/document.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { Pickers } from '../../../src/runtime/schema/pick.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: Record<string, Schema>, more: object = {}) => ({ type: 'object', properties, ...more });

function pick(schema: Schema, value: unknown, schemas: Record<string, Schema> = {}): unknown {
  const document = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {}, components: { schemas } };
  return new Pickers(document, createSchemaRegistry(document)).of(schema)(value);
}

describe('Pickers', () => {
  test('copy declared properties at any depth, and leave out write-only ones', () => {
    const schema = object({
      name: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
      tags: { type: 'array', items: object({ id: { type: 'integer' } }) },
    });
    const value = { name: 'a', secret: 'b', other: 1, tags: [{ id: 1, hidden: 2 }] };
    expect(pick(schema, value)).toEqual({ name: 'a', tags: [{ id: 1 }] });
  });

  test('leave scalars, null and free-form values as they are', () => {
    expect(pick({}, { any: [1] })).toEqual({ any: [1] });
    expect(pick(true, 'x')).toBe('x');
    expect(pick(object({ a: {} }), null)).toBeNull();
    expect(pick(object({ a: {} }), { a: undefined })).toEqual({});
  });

  test('keep undeclared properties where the schema is open', () => {
    const schema = object({ a: object({ b: {} }), s: { writeOnly: true } }, { additionalProperties: true });
    expect(pick(schema, { a: { b: 1, c: 2 }, s: 1, d: 3 })).toEqual({ a: { b: 1 }, d: 3 });
  });

  test('follow references and recursion', () => {
    const schemas = { Node: object({ name: {}, children: { type: 'array', items: ref('Node') } }) };
    const value = { name: 'a', x: 1, children: [{ name: 'b', x: 1, children: [] }] };
    expect(pick(ref('Node'), value, schemas)).toEqual({ name: 'a', children: [{ name: 'b', children: [] }] });
  });

  test('join what a composition declares', () => {
    const schemas = { Base: object({ id: {} }) };
    const schema = { allOf: [ref('Base'), object({ name: {} })] };
    expect(pick(schema, { id: 1, name: 'a', x: 1 }, schemas)).toEqual({ id: 1, name: 'a' });
    expect(pick({ ...ref('Base'), ...object({ name: {} }) }, { id: 1, name: 'a', x: 1 }, schemas)).toEqual({
      id: 1,
      name: 'a',
    });
  });

  test('take the branch that the discriminator names', () => {
    const schemas = { A: object({ kind: {}, a: {} }), B: object({ kind: {}, b: {} }) };
    const union = { oneOf: [ref('A'), ref('B')], discriminator: { propertyName: 'kind' } };
    expect(pick(union, { kind: 'B', a: 1, b: 2 }, schemas)).toEqual({ kind: 'B', b: 2 });
    expect(pick(union, { kind: 'C', a: 1 }, schemas)).toEqual({});
  });

  test('take the branch that the value matches', () => {
    const union = {
      anyOf: [object({ a: { type: 'integer' } }, { required: ['a'] }), object({ b: {} }), { type: 'null' }],
    };
    expect(pick(union, { a: 1, x: 1 })).toEqual({ a: 1 });
    expect(pick(union, { b: 1, x: 1 })).toEqual({ b: 1 });
    expect(pick(union, null)).toBeNull();
  });
});
