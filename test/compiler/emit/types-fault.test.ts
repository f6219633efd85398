import { expect, it } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { withFolder } from '../../support/folder.ts';

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
    location: { file: 'openapi.yaml', line: 12, pointer: '/components/schemas/Mirror' },
  });
});
