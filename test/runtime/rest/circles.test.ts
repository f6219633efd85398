import { describe, expect, test } from 'vitest';
import { mockHandlers } from '../../../src/authoring/mock/mock-handlers.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { sampleRequests } from '../../../src/compiler/emit/sample-requests.ts';
import { serve } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const integer = { type: 'integer' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

/** `A` leads back to itself: schemas, and a value that `A` accepts. */
const CIRCLES: Readonly<Record<string, readonly [schemas: object, value: unknown]>> = {
  'oneOf and allOf': [{ A: { oneOf: [ref('B')] }, B: { allOf: [ref('A')], properties: { a: text } } }, { a: 'x' }],
  'inheritance without a discriminator': [
    {
      A: { ...object({ kind: text }), oneOf: [ref('B'), ref('C')] },
      B: { allOf: [ref('A'), object({ b: text }, { required: ['b'] })] },
      C: { allOf: [ref('A'), object({ c: text }, { required: ['c'] })] },
    },
    { kind: 'b', b: 'x' },
  ],
  'inheritance with a discriminator': [
    {
      A: {
        ...object({ kind: text }, { required: ['kind'] }),
        oneOf: [ref('B'), ref('C')],
        discriminator: { propertyName: 'kind' },
      },
      B: { allOf: [ref('A'), object({ b: text })] },
      C: { allOf: [ref('A'), object({ c: text })] },
    },
    { kind: 'B', b: 'x' },
  ],
  'anyOf that contains itself': [{ A: { anyOf: [text, ref('A')] } }, 'x'],
  'anyOf that contains itself alone': [{ A: { ...object({ a: text }), anyOf: [ref('A'), {}] } }, { a: 'x' }],
  'oneOf that contains itself': [{ A: { oneOf: [ref('A'), object({ a: text })] } }, { a: 'x' }],
  not: [{ A: { ...object({ a: text }), not: { allOf: [ref('A'), { required: ['b'] }] } } }, { a: 'x' }],
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  'if and then': [{ A: { ...object({ a: text, b: text }), if: { required: ['b'] }, then: ref('A') } }, { a: 'x' }],
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  if: [{ A: { ...object({ a: text, b: text }), if: ref('A'), then: { required: ['a'] } } }, { a: 'x' }],
  else: [{ A: { ...object({ a: text, b: text }), if: { required: ['a'] }, else: ref('A') } }, { a: 'x' }],
  dependentSchemas: [{ A: { ...object({ a: text, b: text }), dependentSchemas: { b: ref('A') } } }, { a: 'x' }],
  items: [{ A: { oneOf: [text, { type: 'array', items: ref('A') }] } }, ['x', ['y']]],
  'items alone': [{ A: { type: 'array', items: ref('A') } }, [[], [[]]]],
  properties: [{ A: object({ a: ref('A'), b: { allOf: [ref('A')] } }) }, { a: { b: {} } }],
  additionalProperties: [{ A: { type: 'object', additionalProperties: ref('A') } }, { a: { b: {} } }],
  patternProperties: [{ A: { type: 'object', patternProperties: { '^x': ref('A') } } }, { x: { xx: {} } }],
  prefixItems: [{ A: { type: 'array', prefixItems: [text, ref('A')], items: false } }, ['x', ['y']]],
  'two discriminators': [
    {
      A: { oneOf: [ref('B'), ref('C')], discriminator: { propertyName: 'kind' } },
      B: { oneOf: [ref('A'), ref('D')], discriminator: { propertyName: 'sub' } },
      C: object({ kind: { const: 'C' } }, { required: ['kind'] }),
      D: object({ kind: { const: 'B' }, sub: { const: 'D' } }, { required: ['kind', 'sub'] }),
    },
    { kind: 'C' },
  ],
  'alternatives of an alternative': [
    { A: { anyOf: [ref('B'), text] }, B: { anyOf: [ref('A'), { type: 'integer' }] } },
    'x',
  ],
  'references beside keywords': [
    { A: { anyOf: [{ ...ref('A'), description: 'Again.' }, object({ a: text })] } },
    { a: 'x' },
  ],
};

const JSON_BODY = { 'content-type': 'application/json' };
const content = { 'application/json': { schema: ref('A') } };
const documentOf = (schemas: object) => ({
  openapi: '3.1.0',
  info: { title: 'Circles', version: '1' },
  paths: {
    '/a': {
      get: {
        operationId: 'read',
        parameters: [{ name: 'q', in: 'query', schema: ref('A') }],
        responses: { 200: { description: 'ok', content } },
      },
      post: {
        operationId: 'write',
        requestBody: { required: true, content },
        responses: { 200: { description: 'ok', content } },
      },
      put: {
        operationId: 'form',
        requestBody: { content: { 'application/x-www-form-urlencoded': { schema: ref('A') } } },
        responses: { 200: { description: 'ok' } },
      },
    },
  },
  components: { schemas },
});

describe('schemas that lead back to themselves', () => {
  test.each(Object.entries(CIRCLES))('are served, and answered by the mock: %s', async (_, [schemas, value]) => {
    const files = { 'openapi.yaml': JSON.stringify(documentOf(schemas)) };
    const { model, findings } = await withFolder(files, modelContract);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    if (!model) throw new Error('The document cannot be read.');
    const echo = ({ input = value }: { readonly input?: unknown }) => input;
    const handlers = { operations: { read: echo, write: echo, form: () => undefined } };
    await using service = await serve({ contract: model, handlers: handlers as never });
    const post = (body: unknown) =>
      service.anonymous.request('POST', '/a', { body: JSON.stringify(body), headers: JSON_BODY });
    for (const answer of [await service.anonymous.request('GET', '/a'), await post(value)])
      expect([answer.status, answer.body]).toEqual([200, value]);
    for (const body of [1.5, null, true, {}, [], 'text', { kind: 'C', more: [1] }, [[1]]])
      expect((await post(body)).status).toBeOneOf([200, 400]);
    const form = { body: 'a=1&kind=B', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    expect((await service.anonymous.request('PUT', '/a', form)).status).toBeOneOf([200, 400]);
    expect((await service.anonymous.request('GET', '/a?q=1&a=2')).status).toBeOneOf([200, 400]);
    expect(sampleRequests(model)).toHaveLength(3);
    await using mock = await serve({ contract: model, handlers: mockHandlers(model, 1) as never });
    expect((await mock.anonymous.request('GET', '/a')).status).toBe(200);
    const again = { body: JSON.stringify(value), headers: JSON_BODY };
    expect((await mock.anonymous.request('POST', '/a', again)).status).toBe(200);
  });
});

/** Unions that are alternatives of each other: schemas, and the values that each of them accepts and refuses. */
const MUTUAL: Readonly<
  Record<string, readonly [schemas: object, valid: readonly unknown[], invalid: readonly unknown[]]>
> = {
  anyOf: [{ A: { anyOf: [ref('B'), text] }, B: { anyOf: [ref('A'), integer] } }, ['x', 1], [1.5, {}]],
  oneOf: [{ A: { oneOf: [ref('B'), text] }, B: { oneOf: [ref('A'), integer] } }, ['x', 1], [1.5, {}]],
  'three of them': [
    { A: { anyOf: [ref('B'), text] }, B: { anyOf: [ref('C'), integer] }, C: { oneOf: [ref('A'), { const: true }] } },
    ['x', 1, true],
    [1.5, false],
  ],
  'references with a description': [
    { A: { anyOf: [{ ...ref('B'), description: 'Another.' }, text], title: 'A' }, B: { anyOf: [ref('A'), integer] } },
    ['x', 1],
    [1.5, {}],
  ],
  'each of each other': [
    Object.fromEntries([...'ABCD'].map((name, i, all) => [name, { anyOf: [...all.map(ref), { const: i }] }])),
    [0, 1, 2, 3],
    [4, 'A'],
  ],
  'within each other': [{ A: { anyOf: [{ anyOf: [ref('A'), integer] }, text] }, B: ref('A') }, ['x', 1], [1.5]],
};

test.each(Object.entries(MUTUAL))(
  'unions that are alternatives of each other accept the same values: %s',
  async (_, [schemas, valid, invalid]) => {
    const names = Object.keys(schemas);
    const body = (name: string) => ({ content: { 'application/json': { schema: ref(name) } } });
    const post = (name: string) => ({
      operationId: name,
      requestBody: body(name),
      responses: { 200: { description: 'ok', ...body(name) } },
    });
    const paths = Object.fromEntries(names.map((name) => [`/${name}`, { post: post(name) }]));
    const files = { 'openapi.yaml': JSON.stringify({ ...documentOf(schemas), paths }) };
    const { model } = await withFolder(files, modelContract);
    const operations = Object.fromEntries(
      names.map((name) => [name, ({ input }: { readonly input: unknown }) => input]),
    );
    await using service = await serve({ contract: model!, handlers: { operations } as never });
    for (const name of names)
      for (const value of [...valid, ...invalid]) {
        const sent = { body: JSON.stringify(value), headers: JSON_BODY };
        const { status } = await service.anonymous.request('POST', `/${name}`, sent);
        expect([name, value, status]).toEqual([name, value, valid.includes(value) ? 200 : 400]);
      }
  },
);
