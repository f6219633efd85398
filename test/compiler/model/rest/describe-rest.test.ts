import { describe, expect, it } from 'vitest';
import { emitRest } from '../../../../src/compiler/emit/emit-data.ts';
import type { ContractModel } from '../../../../src/compiler/model/model.ts';
import { describeParameter } from '../../../../src/compiler/model/rest/describe-parameter.ts';
import type { OpenApiDocument, Parameter } from '../../../../src/descriptor/document.ts';
import { contractOf } from '../../../support/service.ts';

const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {},
  components: {
    schemas: {
      Colour: { type: 'string', enum: ['RED', 'BLUE'], default: 'RED' },
      Range: {
        allOf: [{ properties: { lt: { type: 'integer' } } }],
        type: 'object',
        properties: { gte: { type: 'number' } },
      },
    },
  },
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const list = (items: object) => ({ type: 'array', items });

const FORMS: readonly (readonly [what: string, parameter: Omit<Parameter, 'name'>, form: object])[] = [
  ['a text', { in: 'path', schema: { type: 'string' } }, { kind: 'text' }],
  ['anything', { in: 'header' }, { kind: 'text', schema: true }],
  ['a text with a default', { in: 'query', schema: ref('Colour') }, { kind: 'text', default: 'RED' }],
  [
    'JSON',
    { in: 'query', content: { 'application/json': { schema: ref('Range') } } },
    { kind: 'json', schema: ref('Range') },
  ],
  [
    'a number or a text',
    { in: 'query', schema: { type: ['string', 'integer'] } },
    { kind: 'scalar', types: ['integer', 'string'] },
  ],
  [
    'a label',
    { in: 'path', style: 'label', schema: { type: 'string' } },
    { kind: 'scalar', style: 'label', explode: false },
  ],
  [
    'a list of texts with commas',
    { in: 'query', explode: false, schema: list({ type: 'string' }) },
    { kind: 'list', style: 'form', explode: false, items: ['string'], hasCommas: true },
  ],
  [
    'a list of names',
    { in: 'header', schema: { ...list(ref('Colour')), maxItems: 3 } },
    { kind: 'list', style: 'simple', explode: false, items: ['string'], maxItems: 3 },
  ],
  [
    'one or some',
    { in: 'query', schema: { oneOf: [{ type: 'integer' }, list({ type: 'integer' })] } },
    { kind: 'list', single: ['integer'] },
  ],
  [
    'an object in brackets',
    { in: 'query', style: 'deepObject', schema: ref('Range') },
    { kind: 'object', style: 'deepObject', properties: { lt: ['integer'], gte: ['number'] } },
  ],
  [
    'an open object, member by member',
    { in: 'query', schema: { type: 'object', additionalProperties: true } },
    { kind: 'object', style: 'form', explode: true, properties: {}, isOpen: true },
  ],
];

describe('a parameter is decoded', () => {
  it.each(FORMS)('%s', (_, parameter, form) => {
    expect(describeParameter(document, { name: 'p', ...parameter })).toMatchObject({ name: 'p', ...form });
  });
});

describe('what the server reads of a contract', () => {
  it.each(['contracts', 'custom', 'library'])('is the same in memory as in `rest.json`: %s', async (name) => {
    const model = (await contractOf(name)) as ContractModel;
    expect(JSON.parse(emitRest(model))).toStrictEqual(model.rest);
  });

  it('says of the operations of an old version that they are deprecated', async () => {
    const { versions = {} } = await contractOf('contracts');
    const deprecation = { since: '2026-11-21', successor: '/v1' };
    for (const operation of versions['v0']!.rest.operations) expect(operation.deprecation).toMatchObject(deprecation);
  });
});
