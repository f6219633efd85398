import { expect, it } from 'vitest';
import { flattenSchema } from '../../../../src/compiler/json-schema/flat-schema.ts';
import { propertyType } from '../../../../src/compiler/json-schema/property-type.ts';
import { literalOf } from '../../../../src/compiler/model/access/literals.ts';
import type { OpenApiDocument, Schema } from '../../../../src/descriptor/document.ts';

const DOCUMENT: OpenApiDocument = { openapi: '3.1.0', info: { title: 'T', version: '1.0.0' }, paths: {} };

/** What a value in a condition is for a property of a schema. */
function literal(schema: Exclude<Schema, boolean>, value: string | number | boolean) {
  const flat = flattenSchema(DOCUMENT, schema);
  return literalOf({ name: 'p', holder: {}, flat, type: propertyType(flat), required: true }, value);
}

const text = (format: string) => ({ type: 'string', format });
const MAX = '9223372036854775807';

it.each<[schema: Exclude<Schema, boolean>, value: string | number | boolean, kept: string | number | boolean]>([
  [{ type: 'string' }, 'a', 'a'],
  [{ type: 'integer' }, 3, 3],
  [{ type: 'number' }, 1.5, 1.5],
  [{ type: 'boolean' }, false, false],
  [text('int64'), 7, '7'],
  [text('int64'), MAX, MAX],
  [text('decimal'), '-1.50', '-1.50'],
  [text('date'), '2024-02-29', '2024-02-29'],
  [text('date-time'), '2024-02-29T12:00:00.123+02:00', '2024-02-29T12:00:00.123+02:00'],
  [{ type: 'string', enum: ['A', 'B'] }, 'B', 'B'],
])('%o takes %s', (schema, value, kept) => {
  expect(literal(schema, value)).toBe(kept);
});

it.each<[schema: Exclude<Schema, boolean>, value: string | number | boolean]>([
  [{ type: 'string' }, 1],
  [{ type: 'string' }, 'a\0'],
  [{ type: 'integer' }, 1.5],
  [{ type: 'integer' }, '1'],
  [{ type: 'boolean' }, 'true'],
  [text('uuid'), 'here'],
  [text('int64'), '9223372036854775808'],
  [text('int64'), '007'],
  [text('int64'), 2 ** 60],
  [text('decimal'), '-0.0'],
  [text('date'), '2023-02-29'],
  [text('date-time'), '2024-02-30T12:00:00Z'],
  [text('date-time'), '2024-02-29'],
  [text('date-time'), '2024-02-29T12:00:00.1234Z'],
  [{ type: 'string', enum: ['A', 'B'] }, 'C'],
])('%o refuses %s', (schema, value) => {
  expect(literal(schema, value)).toBeUndefined();
});
