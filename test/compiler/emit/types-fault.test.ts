import { expect, it } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { withFolder } from '../../support/folder.ts';
import { invalidContracts } from '../../support/invalid-contracts.ts';

const DOCUMENT = `openapi: 3.1.0
info: { title: Mirrors, version: 1.0.0 }
paths:
  /mirrors:
    get:
      operationId: getMirrors
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Mirror' } } } }
components:
  schemas:
    Frame: { type: string }
    Mirror:
      type: object
      properties: { whole: { $ref: '#' } }
`;

it('what has no TypeScript types is an error with file, line and pointer, and nothing is written', async () => {
  const { files, findings } = await withFolder({ 'openapi.yaml': DOCUMENT }, (folder) => compileContract(folder));
  expect(files).toBeUndefined();
  const [fault, ...others] = findings.filter(({ severity }) => severity === 'error');
  expect(others).toEqual([]);
  expect(fault).toMatchObject({
    rule: 'types',
    location: { file: 'openapi.yaml', line: 14, pointer: '/components/schemas/Mirror/properties/whole/$ref' },
  });
});

it('is told each time it is there, beside the errors of rules', async () => {
  const faulty = JSON.parse(invalidContracts.get('several-faults')!.files['openapi.yaml']!);
  const whole = { $ref: '#' };
  faulty.components.schemas.Mirror = { type: 'object', properties: { whole, parts: { type: 'array', items: whole } } };
  const text = JSON.stringify(faulty);
  const { findings } = await withFolder({ 'openapi.yaml': text }, (folder) => compileContract(folder));
  const errors = findings.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ rule }) => rule)).toEqual(expect.arrayContaining(['list-paging', 'property-case']));
  expect(errors.filter(({ rule }) => rule === 'types').map(({ location }) => location.pointer)).toEqual([
    '/components/schemas/Mirror/properties/whole/$ref',
    '/components/schemas/Mirror/properties/parts/items/$ref',
  ]);
});
