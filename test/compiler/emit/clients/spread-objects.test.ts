import { describe, expect, test } from 'vitest';
import { mockHandlers } from '../../../../src/authoring/mock/mock-handlers.ts';
import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import { emitClientDocument } from '../../../../src/compiler/emit/clients/emit-client-document.ts';
import { sampleRequests } from '../../../../src/compiler/emit/sample-requests.ts';
import type { ContractModel } from '../../../../src/compiler/model/model.ts';
import { serve } from '../../../../src/proving/testing/serve.ts';
import { withFolder } from '../../../support/folder.ts';

const size = { type: 'integer', minimum: 1 };
const PAGING = { type: 'object', properties: { page: { type: 'integer' }, size } };

async function modelOf(...parameters: readonly object[]): Promise<ContractModel> {
  const media = { schema: { type: 'string' }, examples: { one: { $ref: '#/components/examples/One' } } };
  const responses = { 200: { description: 'Ok.', content: { 'application/json': media } } };
  const document = {
    openapi: '3.1.0',
    info: { title: 'Lists', version: '1.0.0' },
    paths: { '/a': { get: { operationId: 'read', parameters, responses } } },
    components: { examples: { One: { value: 'by reference' } } },
  };
  const { model } = await withFolder({ 'openapi.yaml': JSON.stringify(document) }, modelContract);
  return model!;
}

const parameter = (schema: object, more: object = {}) => ({ name: 'paging', in: 'query', schema, ...more });
const namesIn = (model: ContractModel): readonly string[] =>
  JSON.parse(emitClientDocument(model)).paths['/a'].get.parameters.map(({ name }: { name: string }) => name);

describe('an object that a query explodes', () => {
  test('is a parameter for each of its properties to clients', async () => {
    expect(namesIn(await modelOf(parameter(PAGING)))).toEqual(['page', 'size']);
    expect(namesIn(await modelOf(parameter(PAGING, { style: 'deepObject' })))).toEqual([
      'paging[page]',
      'paging[size]',
    ]);
  });

  test.each([
    ['another parameter has the name of a property', [parameter(PAGING), { name: 'size', in: 'query', schema: size }]],
    ['it has properties beyond its own', [parameter({ ...PAGING, additionalProperties: { type: 'string' } })]],
    ['it is not exploded', [parameter(PAGING, { explode: false })]],
  ])('keeps its name if %s', async (_, parameters) => {
    expect(namesIn(await modelOf(...parameters))).toContain('paging');
  });

  test.each([
    [{}, '', 200],
    [{ required: ['size'] }, '', 400],
    [{ required: ['size'] }, '?size=2', 200],
    [{}, '?size=0', 400],
  ])('of %j, and required, is nothing when it is empty: %s is %i', async (more, query, status) => {
    const contract = await modelOf(parameter({ ...PAGING, ...more }, { required: true }));
    await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
    expect((await service.anonymous.request('GET', `/a${query}`)).status).toBe(status);
  });

  test('is sent by samples as the server reads it', async () => {
    const contract = await modelOf(parameter({ ...PAGING, required: ['size'] }, { required: true }));
    const [{ inQuery } = { inQuery: [] }] = sampleRequests(contract);
    expect(inQuery.map(({ name, isRequired }) => [name, isRequired])).toEqual([
      ['page', false],
      ['size', true],
    ]);
  });
});

test('the mock answers with an example that the document refers to', async () => {
  const contract = await modelOf();
  await using service = await serve({ contract, handlers: mockHandlers(contract, 1) as never });
  const answers: unknown[] = [];
  for (let i = 0; i < 20; i += 1) answers.push((await service.anonymous.request('GET', '/a')).body);
  expect(answers).toContain('by reference');
});
