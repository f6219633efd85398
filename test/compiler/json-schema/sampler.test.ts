import { describe, expect, it } from 'vitest';
import { exampleOf } from '../../../src/compiler/json-schema/example.ts';
import type { ValueSchema } from '../../../src/compiler/json-schema/value-schema.ts';
import type { OpenApiDocument } from '../../../src/descriptor/document.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';
import { Random } from '../../../src/tools/random.ts';
import { LifelikeValues } from '../../../src/tools/samples/lifelike-values.ts';
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
  Pet: {
    oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
    discriminator: { propertyName: 'kind', mapping: { tom: '#/components/schemas/Cat' } },
  } as ValueSchema,
  Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: { type: 'integer' } } },
  Dog: { type: 'object', properties: { kind: { type: 'string' }, tricks: { type: 'integer' } } },
  Point: {
    type: 'array',
    prefixItems: [{ type: 'integer', minimum: 5 }, { enum: ['m', 'ft'] }],
    items: { type: 'boolean' },
    minItems: 2,
  },
  Pair: {
    type: 'array',
    prefixItems: [{ $ref: '#/components/schemas/Named' }, { type: 'string', format: 'duration' }],
    items: false as never,
    minItems: 2,
  },
  Narrow: {
    allOf: [
      { type: 'object', required: ['size'], properties: { size: { type: 'integer', minimum: 90 } } },
      { properties: { size: { type: 'number', maximum: 100, multipleOf: 2 } } },
      { properties: { size: { multipleOf: 3 } } },
    ],
  },
  Common: { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['b', 'c', 'd'] }, { type: 'string', minLength: 1 }] },
  Lucky: { type: 'array', items: { type: 'integer' }, contains: { const: 7 }, minContains: 2, maxItems: 4 },
  Labels: {
    type: 'object',
    minProperties: 1,
    propertyNames: { pattern: '^[a-z]{3}$' },
    additionalProperties: { type: 'integer', minimum: 1 },
  },
  Codes: {
    type: 'object',
    minProperties: 2,
    patternProperties: { '^x-[0-9]{4}$': { type: 'boolean' } },
    additionalProperties: false as never,
  },
  Card: {
    type: 'object',
    required: ['number'],
    properties: { number: { type: 'integer' }, street: { type: 'string' }, city: { type: 'string' } },
    dependentRequired: { number: ['street'] },
    dependentSchemas: { street: { required: ['city'], properties: { city: { minLength: 4 } } } },
  },
  Delivery: {
    type: 'object',
    required: ['method'],
    properties: { method: { enum: ['pickup', 'courier'] }, shelf: { type: 'integer' } },
    if: { properties: { method: { const: 'courier' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['address'], properties: { address: { type: 'string', minLength: 1 } } },
    else: { properties: { method: { const: 'pickup' } }, required: ['shelf'] },
  },
  Either: {
    type: 'object',
    properties: { a: { type: 'integer' }, b: { type: 'integer' } },
    anyOf: [{ required: ['a'] }, { required: ['b'] }],
  },
  Expression: {
    oneOf: [
      { type: 'object', required: ['left', 'right'], properties: leading('Expression', 'left', 'right') },
      { type: 'object', required: ['not'], properties: leading('Expression', 'not') },
      { type: 'integer' },
    ],
  },
  Wide: { type: 'object', properties: leading('Wide', ...'abcdefghijklmn') },
  Long: { type: 'string', format: 'email', minLength: 30, maxLength: 80 },
  Short: { type: 'string', format: 'uri', maxLength: 4 },
  Slug: { type: 'string', minLength: 12, format: 'slug' },
};

/** Properties that each lead to a schema. */
function leading(schema: string, ...names: readonly string[]): Readonly<Record<string, ValueSchema>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${schema}` }]));
}

/** Whose simplest value need not be valid: entries or names that differ, and a text as long as it must be. */
const NOT_SIMPLE: ReadonlySet<string> = new Set(['Letters', 'Codes', 'Long', 'Short']);

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

  it.skipIf(NOT_SIMPLE.has(name))('are valid when they are examples', () => {
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
