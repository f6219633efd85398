import { expect, it } from 'vitest';
import { describeParameter } from '../../../src/compiler/model/rest/describe-parameter.ts';
import type { OpenApiDocument, Parameter } from '../../../src/descriptor/document.ts';
import type { FieldError } from '../../../src/runtime/errors/api-error.ts';
import { createQueryReader } from '../../../src/runtime/rest/parameters/query-reader.ts';
import { createSchemaRegistry } from '../../../src/runtime/schema/create-schema-registry.ts';

const document: OpenApiDocument = { openapi: '3.1.0', info: { title: '', version: '' }, paths: {} };
const declared: readonly Parameter[] = [
  { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } },
  { name: 'sort', in: 'query', explode: false, schema: { type: 'array', items: { type: 'string' } } },
];
const parameters = declared.map((parameter) => describeParameter(document, parameter));

function reader(isCached: boolean) {
  const read = createQueryReader(parameters, createSchemaRegistry(document), isCached);
  return (target: string) => {
    const faults: FieldError[] = [];
    return { decoded: read(target, faults), faults };
  };
}

it('decodes a cached query once, and returns the same text for it', () => {
  const read = reader(true);
  const { decoded } = read('/things?limit=5&sort=a,b');
  expect(decoded).toEqual({ values: { limit: 5, sort: ['a', 'b'] }, text: '{"limit":5,"sort":["a","b"]}' });
  expect(read('/things?limit=5&sort=a,b').decoded).toBe(decoded);
  expect(read('/things').decoded).toBe(read('/others').decoded);
  expect(read('/things?sort=a,b&limit=5').decoded.text).toBe(decoded.text);
  expect(read('/things?limit=6&sort=a,b').decoded.text).not.toBe(decoded.text);
  expect(() => (decoded.values['sort'] as string[]).push('c')).toThrow(TypeError);
});

it('finds the faults of a query each time', () => {
  const read = reader(true);
  for (let i = 0; i < 2; i++)
    expect(read('/things?limit=x')).toMatchObject({ faults: [{ parameter: 'limit' }], decoded: { text: undefined } });
});

it('decodes queries that are not cached each time', () => {
  const read = reader(false);
  const { decoded } = read('/things?sort=a');
  expect(decoded).toEqual({ values: { limit: 20, sort: ['a'] }, text: undefined });
  expect(read('/things?sort=a').decoded.values).not.toBe(decoded.values);
});
