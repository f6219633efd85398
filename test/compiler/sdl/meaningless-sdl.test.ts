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
    'parity-argument',
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
  const found = findings.filter((one) => one.rule === rule);
  expect(found).toMatchObject([{ severity: 'error', hint: expect.stringMatching(/\S/) }]);
  expect(found[0]!.also ?? found[0]!.location).toMatchObject({ file: 'schema.graphql', line, pointer });
});
