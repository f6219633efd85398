import { expect, it } from 'vitest';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';

const SIZED = 'sizedFields: ["edges", "nodes"]';

it.each<[what: string, edit: Edit, fault: { readonly rule: string; readonly message: string }]>([
  [
    'a filter of one condition alone',
    ['schema.graphql', 'input StudentFilter {', 'input StudentFilter @oneOf {'],
    { rule: 'parity-input', message: '`StudentFilter`: REST says `object`, GraphQL says `@oneOf`.' },
  ],
  [
    'a patch of one property alone',
    ['schema.graphql', 'input TeacherPatch {', 'input TeacherPatch @oneOf {'],
    { rule: 'parity-input', message: '`TeacherPatch`: REST says `object`, GraphQL says `@oneOf`.' },
  ],
  [
    'a list that costs as much as one entry',
    ['schema.graphql', SIZED, 'sizedFields: ["nodes"]'],
    {
      rule: 'parity-page-maximum',
      message:
        '`Query.teachers`: REST says `50`, GraphQL says `@listSize(assumedSize: 50, slicingArguments: ["first", "last"], sizedFields: ["nodes"])`.',
    },
  ],
  [
    'an argument that a directive of GraphQL itself does not take',
    ['schema.graphql', /^scalar DateTime.*$/gm, 'scalar DateTime @specifiedBy(url: 5)'],
    { rule: 'sdl-schema', message: 'Argument "url" has invalid value 5.' },
  ],
  [
    'an empty operationId',
    ['openapi.yaml', 'operationId: listTeachers', "operationId: ''"],
    { rule: 'operation-id-missing', message: '`GET /teachers` has no `operationId`.' },
  ],
])('%s is an error', async (_what, edit, fault) => {
  const { findings } = await editedFolder('conservatory', [edit], (folder) => modelContract(folder));
  expect(findings.find(({ severity }) => severity === 'error')).toMatchObject(fault);
});
