import { expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { editedFolder } from '../../support/edited-contract.ts';

it.each([
  ['an interface for a resource', 'type Person {', 'interface Person {', 'sdl-interface', 21, 'Person'],
  ['an enum for a scalar', 'scalar DateTime', 'enum DateTime { NOW }', 'sdl-scalar', 19, 'DateTime'],
  [
    'an argument of a property',
    '  visibility: Visibility!\n  "List whom',
    '  visibility(of: ID): Visibility!\n  "List whom',
    'sdl-argument-unknown',
    28,
    'Person.visibility(of:)',
  ],
  [
    'an invalid reason of a deprecation',
    '  visibility: Visibility!\n  "List whom',
    '  visibility: Visibility! @deprecated(reason: 5)\n  "List whom',
    'sdl-schema',
    28,
    '',
  ],
])('%s is told with its line', async (_, text, by, rule, line, pointer) => {
  const findings = await editedFolder(
    'club',
    [['schema.graphql', text, by]],
    async (folder) => buildModel(await readContract(folder)).findings,
  );
  expect(findings.filter((one) => one.rule === rule)).toMatchObject([
    { severity: 'error', hint: expect.stringMatching(/\S/), location: { file: 'schema.graphql', line, pointer } },
  ]);
});
