import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

const point = { type: 'object', properties: { n: { type: 'integer' } } };
const matching = { '^x-': point };
const inner = { n: 1, more: 2 };

/** A schema, what a handler answers, and what is sent. */
const CASES: Readonly<Record<string, readonly [schema: object, given: unknown, sent: unknown]>> = {
  patterns: [{ type: 'object', patternProperties: matching }, { 'x-a': inner, other: 1 }, { 'x-a': { n: 1 } }],
  'patterns beside properties': [
    { type: 'object', properties: { a: point, 'x-a': {} }, patternProperties: matching },
    { a: inner, 'x-a': inner, 'x-b': inner, b: inner },
    { a: { n: 1 }, 'x-a': { n: 1 }, 'x-b': { n: 1 } },
  ],
  'patterns that overlap': [
    { type: 'object', patternProperties: { a$: { type: 'object', properties: { more: {}, n: {} } }, ...matching } },
    { 'x-a': { ...inner, even: 3 }, a: { ...inner, even: 3 } },
    { 'x-a': { n: 1 }, a: inner },
  ],
  'patterns, closed': [
    { type: 'object', patternProperties: matching, additionalProperties: false },
    { 'x-a': inner, b: inner },
    { 'x-a': { n: 1 } },
  ],
  'patterns, open': [
    { type: 'object', patternProperties: matching, additionalProperties: true },
    { 'x-a': inner, b: inner },
    { 'x-a': { n: 1 }, b: inner },
  ],
  'patterns and a schema of others': [
    {
      type: 'object',
      patternProperties: matching,
      additionalProperties: { type: 'object', properties: { more: { type: 'integer' } } },
    },
    { 'x-a': inner, b: inner },
    { 'x-a': { n: 1 }, b: { more: 2 } },
  ],
  'patterns of a member of allOf': [
    {
      allOf: [
        { type: 'object', properties: { a: point } },
        { type: 'object', patternProperties: matching },
      ],
    },
    { a: inner, 'x-a': inner, b: 1 },
    { a: { n: 1 }, 'x-a': { n: 1 } },
  ],
  'a schema of others': [
    { type: 'object', additionalProperties: point },
    { a: inner, b: inner },
    { a: { n: 1 }, b: { n: 1 } },
  ],
  'a schema of unevaluated others': [
    { type: 'object', properties: { a: point }, unevaluatedProperties: point },
    { a: inner, b: inner },
    { a: { n: 1 }, b: { n: 1 } },
  ],
  'no properties at all': [{ type: 'object', additionalProperties: false }, { a: 1 }, {}],
  'any properties': [{ type: 'object' }, { a: inner }, { a: inner }],
  'required properties alone': [
    { type: 'object', required: ['a'] },
    { a: inner, b: 1 },
    { a: inner, b: 1 },
  ],
  'write-only properties alone': [
    { type: 'object', properties: { secret: { type: 'string', writeOnly: true } } },
    { secret: 'a', b: 1 },
    {},
  ],
  'properties that depend on others': [
    { type: 'object', properties: { a: {} }, dependentSchemas: { a: { properties: { b: point } } } },
    { a: 1, b: inner, c: 1 },
    { a: 1, b: { n: 1 } },
  ],
  'properties beside alternatives': [
    {
      type: 'object',
      properties: { id: { type: 'integer' } },
      oneOf: [
        { properties: { kind: { const: 'a' }, of: { type: 'object', properties: { a: {} } } }, required: ['kind'] },
        { properties: { kind: { const: 'b' }, of: { type: 'object', properties: { b: {} } } }, required: ['kind'] },
      ],
    },
    { id: 1, kind: 'a', of: { a: 1, b: 2 }, more: 1 },
    { id: 1, kind: 'a', of: { a: 1 } },
  ],
};

const wrapped = (schema: object) => ({
  type: 'object',
  properties: { list: { type: 'array', items: schema }, map: { type: 'object', additionalProperties: schema } },
});
const paths = Object.fromEntries(
  Object.values(CASES).flatMap(([schema], index) =>
    [schema, wrapped(schema)].map((answer, depth) => [
      `/case-${index}-${depth}`,
      {
        get: {
          operationId: `case${index}at${depth}`,
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: answer } } } },
        },
      },
    ]),
  ),
);

let service: TestService;

beforeAll(async () => {
  const document = { openapi: '3.1.0', info: { title: 'Beyond', version: '1' }, paths };
  const { model, findings } = await withFolder({ 'openapi.yaml': JSON.stringify(document) }, modelContract);
  expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
  const operations = Object.values(CASES).flatMap(([, given], index) => [
    [`case${index}at0`, () => given],
    [`case${index}at1`, () => ({ list: [given], map: { a: given }, more: 1 })],
  ]);
  service = await serve({ contract: model!, handlers: { operations: Object.fromEntries(operations) } as never });
});
afterAll(() => service.close());

describe('what a handler answers beyond its schema', () => {
  test.each(Object.entries(CASES))('is left out, and the rest kept: %s', async (name, [, , sent]) => {
    const index = Object.keys(CASES).indexOf(name);
    const answer = await service.anonymous.request('GET', `/case-${index}-0`);
    expect([answer.status, answer.body]).toEqual([200, sent]);
    const deeper = await service.anonymous.request('GET', `/case-${index}-1`);
    expect([deeper.status, deeper.body]).toEqual([200, { list: [sent], map: { a: sent } }]);
  });
});
