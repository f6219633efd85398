import { describe, expect, it } from 'vitest';
import { newExample } from '../../../src/authoring/start/new-example.ts';
import { exampleOf } from '../../../src/compiler/json-schema/example.ts';
import type { OpenApiDocument } from '../../../src/descriptor/document.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { contractOf } from '../../support/service.ts';

const node = { type: 'object', required: ['next'], properties: { next: { $ref: '#/components/schemas/Node' } } };
const document = {
  openapi: '3.1.0',
  info: { title: '', version: '' },
  paths: {},
  components: { schemas: { Node: node } },
};
const example = (schema: object): unknown => exampleOf(document as unknown as OpenApiDocument, schema);

describe('an example', () => {
  it.each([
    [{ type: 'string', examples: ['Ada'] }, 'Ada'],
    [{ type: 'string', minLength: 9, maxLength: 9 }, 'Example..'],
    [{ type: 'string', format: 'date' }, '2026-01-31'],
    [{ type: 'string', pattern: '^x$' }, 'x'],
    [{ type: 'string', pattern: '^(?!x)' }, ''],
    [{ type: 'string', pattern: '^(?!a)a$' }, undefined],
    [{ type: ['integer', 'null'], exclusiveMinimum: 4 }, 5],
    [{ type: 'array', minItems: 2, items: { type: 'boolean' } }, [false, false]],
    [{ oneOf: [{ const: 'A' }, { const: 'B' }] }, 'A'],
    [
      { allOf: [{ required: ['a'], properties: { a: { enum: [1] } } }], required: ['b'], properties: { b: {} } },
      { a: 1, b: 'Example' },
    ],
  ])('of %j is %j', (schema, expected) => {
    expect(example(schema)).toEqual(expected);
  });

  it('of a schema that contains itself ends', () => {
    expect(() => example(node)).not.toThrow();
  });
});

describe('a new example', () => {
  it('of a resource is valid, and new where it has to be unique', async () => {
    const { document, resources } = await contractOf('contracts');
    const products = resources.find(({ key }) => key === 'products')!;
    const schemas = createSchemaRegistry(document);
    const made = Array.from({ length: 20 }, () => newExample(document, schemas, products) as { sku: string });
    expect(new Set(made.map(({ sku }) => sku)).size).toBeGreaterThan(1);
    for (const { sku } of made) expect(sku).toMatch(/^MUG-BLUE-\d{3}$/);
  });

  it('is none where the contract does not say enough', async () => {
    const { document: given, resources } = await contractOf('library');
    const books = resources.find(({ key }) => key === 'books')!;
    // No text is found for it: the plainest one is what it excludes.
    const text = JSON.stringify(given).replaceAll('"pattern":"^[0-9]', '"pattern":"^(?!000)[0-9]');
    const document = JSON.parse(text) as typeof given;
    expect(text).toContain('(?!000)');
    expect(newExample(document, createSchemaRegistry(document), books)).toBeUndefined();
  });
});
