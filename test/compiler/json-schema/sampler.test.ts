import { describe, expect, it } from 'vitest';
import { exampleOf } from '../../../src/compiler/json-schema/example.ts';
import type { ValueSchema } from '../../../src/compiler/json-schema/value-schema.ts';
import type { OpenApiDocument } from '../../../src/descriptor/document.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { LifelikeValues } from '../../../src/tools/mock/lifelike-values.ts';
import { Random } from '../../../src/tools/synthetic/random.ts';
import { randomSampler } from '../../../src/tools/synthetic/values.ts';

const SCHEMAS: Readonly<Record<string, ValueSchema>> = {
  Cents: { type: 'integer', minimum: 101, maximum: 1000, multipleOf: 50 },
  Tenths: { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.1 },
  Share: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
  Cold: { type: 'integer', maximum: -5 },
  Positive: { type: ['integer', 'null'], exclusiveMinimum: 0 },
  Letters: { type: 'array', minItems: 2, maxItems: 3, uniqueItems: true, items: { enum: ['a', 'b', 'c'] } },
  Code: { type: 'string', pattern: '^[A-Z]{3}-\\d+$', maxLength: 8, examples: ['ABC-1'] },
  Named: { type: 'object', required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
  Owned: {
    allOf: [{ $ref: '#/components/schemas/Named' }],
    type: 'object',
    required: ['owner'],
    properties: { owner: { type: 'string', format: 'email' } },
  },
  Shape: {
    type: 'object',
    required: ['colour'],
    properties: { colour: { const: 'red' } },
    oneOf: [
      { required: ['side'], properties: { side: { type: 'integer', minimum: 1 } } },
      { required: ['radius'], properties: { radius: { $ref: '#/components/schemas/Share' } } },
    ],
  },
  Patch: {
    type: 'object',
    minProperties: 1,
    maxProperties: 2,
    properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
  },
  Perhaps: { oneOf: [{ type: 'null' }, { $ref: '#/components/schemas/Named' }] },
  Tree: {
    type: 'object',
    required: ['children'],
    properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
  },
};

const document = {
  openapi: '3.1.0',
  info: { title: '', version: '' },
  paths: {},
  components: { schemas: SCHEMAS },
} as unknown as OpenApiDocument;
const schemas = createSchemaRegistry(document);
const example = (schema: ValueSchema): unknown => exampleOf(document, schema);

describe.each(Object.keys(SCHEMAS))('values of %s', (name) => {
  const reference: ValueSchema = { $ref: `#/components/schemas/${name}` };
  const check = schemas.output(reference as never);

  const random = randomSampler(document, new Random(1));
  const lifelike = new LifelikeValues({ document, schemas, seed: 1 });

  it.each([
    ['random', () => random.of(reference)],
    ['lifelike', () => lifelike.of(name, reference)],
  ])('are valid when they are %s', (_, make) => {
    for (let i = 0; i < 100; i++) {
      const value = make();
      expect({ value, faults: check(value) }).toEqual({ value, faults: undefined });
    }
  });

  it.skipIf(name === 'Letters')('are valid when they are examples', () => {
    const value = example(reference);
    expect({ value, faults: check(value) }).toEqual({ value, faults: undefined });
  });
});

describe('an example', () => {
  it('of one part of a whole says what the properties of that part are', () => {
    const part = { ...SCHEMAS['Named'], examples: [{ name: 'Ada' }] };
    expect(example({ ...SCHEMAS['Owned'], allOf: [part] })).toEqual({ name: 'Ada', owner: 'ada@example.com' });
  });

  it('of the whole comes before those of its parts, and of a scalar from wherever it stands', () => {
    const part = { ...SCHEMAS['Named'], examples: [{ name: 'Ada' }] };
    const whole = { name: 'Grace', owner: 'grace@example.com' };
    expect(example({ ...SCHEMAS['Owned'], allOf: [part], examples: [whole] })).toEqual(whole);
    expect(example({ allOf: [{ $ref: '#/components/schemas/Code' }] })).toBe('ABC-1');
  });

  it('has what stands beside the alternatives', () => {
    expect(example(SCHEMAS['Shape']!)).toEqual({ colour: 'red', side: 1 });
  });
});
