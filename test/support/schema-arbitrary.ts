import fc, { type Arbitrary } from 'fast-check';
import type { OpenApiDocument } from '../../src/descriptor/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: any keyword of JSON Schema
type Schema = any;

const FORMATS: Readonly<Record<string, Arbitrary<unknown>>> = {
  uuid: fc.uuid(),
  email: fc.emailAddress(),
  uri: fc.webUrl(),
  date: fc.date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }).map(dayOf),
  'date-time': fc
    .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .chain((date) =>
      fc
        .constantFrom('Z', '456Z', '0000001z', '-00:00', '999+14:00')
        .map((end) => date.toISOString().replace('Z', end)),
    ),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  decimal: fc.tuple(fc.integer(), fc.nat(99_999)).map(([whole, part]) => (part ? `${whole}.${part}` : String(whole))),
};

/** Values at the edges of what JSON can say. */
const EDGES = [
  null,
  true,
  0,
  -0,
  1.5,
  2 ** 53,
  -(2 ** 31) - 1,
  1e308,
  '',
  'x'.repeat(3000),
  '\u0000',
  '\ud800',
  '🐈\u2028"\\',
  [],
  {},
  [[]],
];

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Values that the schema describes; now and then one that misses it, as patterns and exotic keywords are not solved. */
export function valid(document: OpenApiDocument, schema: Schema): Arbitrary<unknown> {
  if (schema === true || schema === undefined) return fc.jsonValue();
  if (schema.$ref) return valid(document, component(document, schema.$ref));
  const examples = schema.examples?.length ? [fc.constantFrom(...schema.examples)] : [];
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches) return fc.oneof(...branches.map((branch: Schema) => valid(document, branch)));
  const types: string[] = [schema.type ?? 'object'].flat();
  const arbitraries = types.map((type) => ofType(document, schema, type));
  return schema.pattern ? fc.oneof(...examples, ...arbitraries) : fc.oneof(...arbitraries, ...examples);
}

function component(document: OpenApiDocument, ref: string): Schema {
  return document.components!.schemas![ref.slice('#/components/schemas/'.length)];
}

function ofType(document: OpenApiDocument, schema: Schema, type: string): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 2 ** 31 - 1 });
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true });
    case 'string':
      return text(schema);
    case 'array':
      return fc.array(valid(document, schema.items), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, 5),
      });
    default:
      return object(document, schema);
  }
}

function text({ format, minLength = 0, maxLength = 50, pattern }: Schema): Arbitrary<unknown> {
  if (format && FORMATS[format]) return FORMATS[format];
  if (pattern) return fc.stringMatching(new RegExp(pattern)).filter((value) => value.length <= maxLength);
  return fc
    .string({ minLength, maxLength: Math.min(maxLength, minLength + 50), unit: 'grapheme' })
    .filter((value) => value.length <= maxLength);
}

function object(document: OpenApiDocument, { properties = {}, required = [] }: Schema): Arbitrary<unknown> {
  const entries = Object.entries(properties).map(([name, schema]) => [name, valid(document, schema)] as const);
  return fc.record(Object.fromEntries(entries), {
    requiredKeys: required.filter((name: string) => name in properties),
  });
}

/** A valid value with one place in it made something else. */
export function disturbed(document: OpenApiDocument, schema: Schema): Arbitrary<unknown> {
  const change = fc.tuple(
    valid(document, schema),
    fc.nat(),
    fc.oneof(fc.constantFrom<unknown>(...EDGES), fc.jsonValue()),
  );
  return change.map(([value, at, other]) => replaceAt(value, at, other));
}

function replaceAt(value: unknown, at: number, other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return other;
  const copy = structuredClone(value) as Record<string, unknown>;
  const keys = [...Object.keys(copy), 'unknown', '__proto__x'];
  const key = keys[at % keys.length]!;
  const deeper = Math.floor(at / keys.length);
  copy[key] = deeper % 2 === 0 ? other : replaceAt(copy[key], deeper >> 1, other);
  return copy;
}
