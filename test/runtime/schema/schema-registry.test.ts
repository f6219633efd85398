import { describe, expect, test } from 'vitest';
import type { OpenApiDocument, Schema } from '../../../src/descriptor/document.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';

const documentOf = (schemas: Record<string, Schema>): OpenApiDocument => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {},
  components: { schemas },
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

const inputErrors = (schemas: Record<string, Schema>, schema: Schema, value: unknown) =>
  createSchemaRegistry(documentOf(schemas)).input(schema)(value);

const product: Schema = {
  type: 'object',
  required: ['id', 'name', 'price'],
  properties: {
    id: { type: 'string', format: 'uuid', readOnly: true },
    name: { type: 'string', minLength: 1, maxLength: 5 },
    price: { type: 'object', required: ['amount'], properties: { amount: { type: 'integer', minimum: 0 } } },
    secret: { type: 'string', writeOnly: true },
    status: { $ref: '#/components/schemas/Status' },
    'a/b~c': { type: 'string' },
  },
};
const status: Schema = { type: 'string', enum: ['A', 'B'], readOnly: true };

describe('SchemaRegistry.input', () => {
  const schemas = { Product: product, Status: status };

  test('accepts a valid value and does not touch it', () => {
    const value = { name: 'x', price: { amount: 5 } };
    expect(inputErrors(schemas, ref('Product'), value)).toBeUndefined();
    expect(value).toEqual({ name: 'x', price: { amount: 5 } });
  });

  test('reports every fault at once, each at its own pointer', () => {
    const value = { name: 'too long', price: { amount: '5' }, bogus: 1, 'a/b~c': 1 };
    expect(inputErrors(schemas, ref('Product'), value)).toEqual(
      expect.arrayContaining([
        { pointer: '/name', detail: 'must have at most 5 characters' },
        { pointer: '/price/amount', detail: 'must be an integer' },
        { pointer: '/bogus', detail: 'is not a known property' },
        { pointer: '/a~1b~0c', detail: 'must be a string' },
      ]),
    );
  });

  test('points at a missing property itself, not at its parent', () => {
    expect(inputErrors(schemas, ref('Product'), { name: 'x', price: {} })).toEqual([
      { pointer: '/price/amount', detail: 'is required' },
    ]);
  });

  test('refuses read-only properties, marked beside or behind a reference', () => {
    const value = { id: 'x', status: 'A', name: 'x', price: { amount: 1 } };
    expect(inputErrors(schemas, ref('Product'), value)).toEqual([
      { pointer: '/id', detail: 'must not be present here' },
      { pointer: '/status', detail: 'must not be present here' },
    ]);
  });

  test.each([
    ['string from number', { type: 'string' }, 5],
    ['string from null', { type: 'string' }, null],
    ['integer from string', { type: 'integer' }, '5'],
    ['integer from null', { type: 'integer' }, null],
    ['integer from boolean', { type: 'integer' }, true],
    ['integer from fraction', { type: 'integer' }, 1.5],
    ['integer beyond 2^53', { type: 'integer' }, 2 ** 53],
    ['int32 beyond 2^31', { type: 'integer', format: 'int32' }, 2 ** 31],
    ['number from infinity', { type: 'number' }, Number.POSITIVE_INFINITY],
    ['boolean from string', { type: 'boolean' }, 'true'],
    ['boolean from 1', { type: 'boolean' }, 1],
    ['boolean from null', { type: 'boolean' }, null],
    ['array of one from item', { type: 'array', items: { type: 'string' } }, 'a'],
    ['item from array of one', { type: 'string' }, ['a']],
    ['object from array', { type: 'object' }, []],
    ['null from empty string', { type: 'null' }, ''],
    ['null from 0', { type: 'null' }, 0],
  ] as [string, Schema, unknown][])('coerces nothing: %s', (_, schema, value) => {
    expect(inputErrors({}, schema, value)).toHaveLength(1);
  });

  test('closes compositions as a whole', () => {
    const schemas = {
      Base: { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
      Derived: { allOf: [ref('Base'), { type: 'object', properties: { b: { type: 'string' } } }] },
    };
    expect(inputErrors(schemas, ref('Derived'), { a: 'x', b: 'y' })).toBeUndefined();
    expect(inputErrors(schemas, ref('Derived'), { a: 'x', c: 'y' })).toEqual([
      { pointer: '/c', detail: 'is not a known property' },
    ]);
    expect(inputErrors(schemas, ref('Base'), { a: 'x', b: 'y' })).toEqual([
      { pointer: '/b', detail: 'is not a known property' },
    ]);
  });

  test('closes what a reference with siblings composes', () => {
    const schemas = { Base: { type: 'object', properties: { a: { type: 'string' } } } };
    const extended = { ...ref('Base'), properties: { b: { type: 'string' } } };
    expect(inputErrors(schemas, extended, { a: 'x', b: 'y' })).toBeUndefined();
    expect(inputErrors(schemas, extended, { c: 1 })).toEqual([{ pointer: '/c', detail: 'is not a known property' }]);
  });

  test('keeps explicit additionalProperties and bare objects open', () => {
    const open = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'integer' } };
    expect(inputErrors({}, open, { b: 1 })).toBeUndefined();
    expect(inputErrors({}, open, { b: 'x' })).toEqual([{ pointer: '/b', detail: 'must be an integer' }]);
    expect(inputErrors({}, { type: 'object' }, { anything: [1, 'x'] })).toBeUndefined();
  });

  test('does not demand read-only properties that another part of the composition requires', () => {
    const schema = {
      allOf: [
        { type: 'object', properties: { id: { type: 'string', readOnly: true }, a: { type: 'string' } } },
        { required: ['id', 'a'] },
      ],
    };
    expect(inputErrors({}, schema, { a: 'x' })).toBeUndefined();
    expect(inputErrors({}, schema, {})).toEqual([{ pointer: '/a', detail: 'is required' }]);
  });

  test('follows recursive schemas', () => {
    const schemas = {
      Node: {
        type: 'object',
        properties: { children: { type: 'array', items: ref('Node') }, name: { type: 'string' } },
      },
    };
    expect(inputErrors(schemas, ref('Node'), { children: [{ children: [] }] })).toBeUndefined();
    expect(inputErrors(schemas, ref('Node'), { children: [{ children: [{ name: 1 }] }] })).toEqual([
      { pointer: '/children/0/children/0/name', detail: 'must be a string' },
    ]);
  });

  describe('with a discriminator', () => {
    const schemas: Record<string, Schema> = {
      Card: {
        type: 'object',
        required: ['kind', 'number'],
        properties: { kind: { type: 'string' }, number: { type: 'string' } },
      },
      Cash: { type: 'object', required: ['kind'], properties: { kind: { const: 'CASH' }, coins: { type: 'integer' } } },
      Payment: {
        oneOf: [ref('Card'), ref('Cash')],
        discriminator: { propertyName: 'kind', mapping: { CARD: '#/components/schemas/Card', CREDIT: 'Card' } },
      },
      MaybePayment: { oneOf: [ref('Card'), ref('Cash'), { type: 'null' }], discriminator: { propertyName: 'kind' } },
    };

    test('accepts each branch by its mapped, declared or implied value', () => {
      expect(inputErrors(schemas, ref('Payment'), { kind: 'CARD', number: '1' })).toBeUndefined();
      expect(inputErrors(schemas, ref('Payment'), { kind: 'CREDIT', number: '1' })).toBeUndefined();
      expect(inputErrors(schemas, ref('Payment'), { kind: 'CASH', coins: 3 })).toBeUndefined();
      expect(inputErrors(schemas, ref('MaybePayment'), { kind: 'Card', number: '1' })).toBeUndefined();
      expect(inputErrors(schemas, ref('MaybePayment'), null)).toBeUndefined();
    });

    test('reports the faults of the chosen branch only', () => {
      expect(inputErrors(schemas, ref('Payment'), { kind: 'CARD', coins: 1 })).toEqual([
        { pointer: '/number', detail: 'is required' },
        { pointer: '/coins', detail: 'is not a known property' },
      ]);
    });

    test('names the possible values when none is chosen', () => {
      expect(inputErrors(schemas, ref('Payment'), { kind: 'GOLD' })).toEqual([
        { pointer: '/kind', detail: 'must be one of CARD, CREDIT, CASH' },
      ]);
      expect(inputErrors(schemas, ref('Payment'), {})).toEqual([{ pointer: '/kind', detail: 'is required' }]);
      expect(inputErrors(schemas, ref('MaybePayment'), 5)).toEqual([{ pointer: '', detail: 'must be an object' }]);
    });

    test('that cannot name one of its branches, takes what any of them does', () => {
      const home = { oneOf: [{ type: 'object' }, { type: 'string' }], discriminator: { propertyName: 'kind' } };
      expect(inputErrors({}, home, 'a shed')).toBeUndefined();
      expect(inputErrors({}, home, 5)).toEqual([{ pointer: '', detail: 'must match one of the alternatives' }]);
    });
  });

  test('reports the faults of the branch of a nullable union that is not null', () => {
    const schema = { anyOf: [ref('Product'), { type: 'null' }] };
    expect(inputErrors(schemas, schema, null)).toBeUndefined();
    expect(inputErrors(schemas, schema, { name: 'x', price: {} })).toEqual([
      { pointer: '/price/amount', detail: 'is required' },
    ]);
  });

  test('reports one error for a union without a discriminator', () => {
    const schema = { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
    expect(inputErrors({}, schema, 5)).toEqual([{ pointer: '', detail: 'must match one of the alternatives' }]);
  });

  test('refuses NUL and unpaired surrogates anywhere, free-form values included', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' }, extra: {} } };
    const detail = 'must not contain U+0000 or an unpaired surrogate';
    expect(inputErrors({}, schema, { name: 'a\u0000' })).toEqual([{ pointer: '/name', detail }]);
    expect(inputErrors({}, schema, { name: '😀', extra: [{ x: '\ud800' }] })).toEqual([
      { pointer: '/extra/0/x', detail },
    ]);
    expect(inputErrors({}, schema, { name: 5, extra: { '\u0000': 1 } })).toEqual([
      { pointer: '/name', detail: 'must be a string' },
      { pointer: '/extra/\u0000', detail: 'must not have a property name with U+0000 or an unpaired surrogate' },
    ]);
    const id = '\u00003f2504e-4f89-41d3-9a0c-0305e82c3301';
    expect(inputErrors({}, { type: 'string', format: 'uuid' }, id)).toEqual([
      { pointer: '', detail: 'must be a UUID' },
      { pointer: '', detail },
    ]);
  });

  test('caps the faults it reports', () => {
    const schema = { type: 'array', items: { type: 'string' } };
    expect(inputErrors({}, schema, Array(1_500).fill(1))).toHaveLength(200);
  });

  test('reports the first fault alone of a value of more than about 16,000 characters', () => {
    const schema = { type: 'object', properties: { list: { type: 'array', items: { type: 'string', maxLength: 5 } } } };
    const faults = (list: readonly unknown[]) => inputErrors({}, schema, { list, x: 1 });
    expect(faults(Array(1_500).fill(''))).toEqual([{ pointer: '/x', detail: 'is not a known property' }]);
    expect(faults(Array(1_500).fill(1))).toHaveLength(200);
    expect(faults(Array(5_000).fill(1))).toHaveLength(1);
    expect(faults(['x'.repeat(15_000), 1])).toHaveLength(3);
    expect(faults(['x'.repeat(17_000), 1])).toHaveLength(1);
  });

  test.each([
    [[1, '1', true, 'true', null, 'null'], undefined],
    [[{ a: 1 }, '{"a":1}', [['a', 1]], { a: [1] }, { a: '1' }], undefined],
    [
      ['a', 'b', 'a'],
      [0, 2],
    ],
    [
      [{ a: 1, b: [{ c: 2, d: 3 }] }, 5, { b: [{ d: 3, c: 2 }], a: 1 }],
      [0, 2],
    ],
    [
      [0, -0],
      [0, 1],
    ],
  ])('tells items that are equal from others: %j', (items, equal) => {
    const detail = `must not repeat items (${equal?.[0]} and ${equal?.[1]} are equal)`;
    expect(inputErrors({}, { type: 'array', uniqueItems: true }, items)).toEqual(equal && [{ pointer: '', detail }]);
  });

  test('does not take inherited members for properties', () => {
    const schema = { type: 'object', required: ['constructor'], properties: { constructor: { type: 'string' } } };
    expect(inputErrors({}, schema, {})).toEqual([{ pointer: '/constructor', detail: 'is required' }]);
  });

  test('fills in defaults only on request', () => {
    const schema = { type: 'object', properties: { tags: { type: 'array', default: [], items: {} } } };
    const registry = createSchemaRegistry(documentOf({}));
    const filled = {};
    registry.input(schema, { defaults: true })(filled);
    expect(filled).toEqual({ tags: [] });
    const plain = {};
    registry.input(schema)(plain);
    expect(plain).toEqual({});
  });
});

describe('SchemaRegistry.output', () => {
  const schemas = { Product: product, Status: status };
  const output = createSchemaRegistry(documentOf(schemas)).output(ref('Product'));

  test('demands read-only and refuses write-only properties', () => {
    const id = '0190d6a0-0000-7000-8000-000000000001';
    expect(output({ id, name: 'x', price: { amount: 1 }, status: 'A' })).toBeUndefined();
    expect(output({ name: 'x', price: { amount: 1 } })).toEqual([{ pointer: '/id', detail: 'is required' }]);
    expect(output({ id, name: 'x', price: { amount: 1 }, secret: 'x' })).toEqual([
      { pointer: '/secret', detail: 'must not be present here' },
    ]);
  });
});

describe('formats', () => {
  const accepts = (format: string, value: string) => inputErrors({}, { type: 'string', format }, value) === undefined;

  test.each([
    ['uuid', '0190d6a0-0000-7000-8000-00000000000a'],
    ['uuid', '0190D6A0-0000-7000-8000-00000000000A'],
    ['date', '2024-02-29'],
    ['date-time', '2024-02-29T23:59:59Z'],
    ['date-time', '2024-02-29T23:59:59.123+05:30'],
    ['date-time', '2024-02-29T23:59:59.123456789-00:00'],
    ['date-time', '2024-02-29t23:59:59z'],
    ['email', 'a.b+c@d-e.example'],
    ['uri', 'https://example.com/a?b=c#d'],
    ['uri', 'urn:isbn:1'],
    ['int64', '9223372036854775807'],
    ['int64', '-9223372036854775808'],
    ['int64', '0'],
    ['decimal', '-12.50'],
    ['decimal', '0.1'],
    ['of-another-world', 'anything'],
  ])('%s accepts %s', (format, value) => expect(accepts(format, value)).toBe(true));

  test.each([
    ['uuid', 'urn:uuid:0190d6a0-0000-7000-8000-00000000000a'],
    ['uuid', '{0190d6a0-0000-7000-8000-00000000000a}'],
    ['uuid', '0190d6a0000070008000000000000001'],
    ['date', '2023-02-29'],
    ['date', '2023-13-01'],
    ['date', '2023-00-10'],
    ['date', '2023-01-00'],
    ['date', '2023-1-1'],
    ['date-time', '2024-02-30T00:00:00Z'],
    ['date-time', '2024-02-29T24:00:00Z'],
    ['date-time', '2016-12-31T23:59:60Z'],
    ['date-time', '2024-02-29T23:59:59'],
    ['date-time', '2024-02-29 23:59:59Z'],
    ['date-time', '2024-02-29T23:59:59.Z'],
    ['date-time', '0000-01-01T00:00:00+01:00'],
    ['date-time', '9999-12-31T23:59:59-01:00'],
    ['email', 'a@b'],
    ['email', '@b.c'],
    ['email', 'a b@c.d'],
    ['email', 'a..b@c.d'],
    ['email', `${'a'.repeat(65)}@b.c`],
    ['uri', '/relative'],
    ['uri', 'https://exa mple.com'],
    ['uri', 'not a uri'],
    ['int64', '9223372036854775808'],
    ['int64', '-9223372036854775809'],
    ['int64', '+1'],
    ['int64', '01'],
    ['int64', '-0'],
    ['int64', '1e3'],
    ['int64', '1.0'],
    ['int64', ''],
    ['decimal', '1e3'],
    ['decimal', '.5'],
    ['decimal', '5.'],
    ['decimal', '+5'],
    ['decimal', '00.5'],
    ['decimal', '-0.00'],
    ['decimal', 'NaN'],
  ])('%s refuses %s', (format, value) => expect(accepts(format, value)).toBe(false));
});
