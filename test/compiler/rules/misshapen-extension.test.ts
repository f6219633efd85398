import { expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { editedFolder } from '../../support/edited-contract.ts';

const REQUIRED = '      required: [id, version, createdAt, updatedAt, personId, groupId, toldTo]\n';

it.each(['[null]', '[5]', '[{}]', '[[null]]', '[[[]]]', 'null', '5', '{}'])(
  'unique keys of %s are told with an example, beside rules of access',
  async (value) => {
    const findings = await editedFolder(
      'club',
      [['openapi.yaml', REQUIRED, `${REQUIRED}      x-unique: ${value}\n`]],
      async (folder) => buildModel(await readContract(folder)).findings,
    );
    expect(findings.filter(({ rule }) => rule === 'extension-value')).toMatchObject([
      { severity: 'error', location: { file: 'openapi.yaml', pointer: '/components/schemas/Membership/x-unique' } },
    ]);
  },
);

const LIST = 'x-through: { resource: Follow, from: followedId, to: followerId }';

it.each([
  ['{ resource: Follow, form: followedId }', 'must not have `form`'],
  ['{ resource: Follow, to: 5 }', '/to must be string'],
  ['{}', "must have required property 'resource'"],
  ['5', 'must be string; must be object'],
])('of an extension with alternatives, %s is told by the one that it is meant to be', async (value, words) => {
  const findings = await editedFolder(
    'club',
    [['openapi.yaml', LIST, `x-through: ${value}`]],
    async (folder) => buildModel(await readContract(folder)).findings,
  );
  expect(findings.filter(({ rule }) => rule === 'extension-value').map(({ message }) => message)).toEqual([
    `\`x-through\` has an invalid value: ${words}.`,
  ]);
});

it('a value that is none of those to choose from is told with all of them', async () => {
  const findings = await editedFolder(
    'club',
    [['openapi.yaml', 'x-on-delete: cascade', 'x-on-delete: cascad']],
    async (folder) => buildModel(await readContract(folder)).findings,
  );
  expect(findings.map(({ message }) => message)).toContain(
    '`x-on-delete` has an invalid value: must be `restrict`, `cascade` or `set-null`.',
  );
});

it.each(['null', '5', '{}', '[OPEN]'])('a transition to %s is told with an example', async (state) => {
  const findings = await editedFolder(
    'conservatory',
    [['openapi.yaml', 'DRAFT: [ OPEN ]', `DRAFT: [ OPEN, ${state} ]`]],
    async (folder) => buildModel(await readContract(folder)).findings,
  );
  expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    { rule: 'extension-value', location: { pointer: expect.stringMatching(/\/x-transitions$/) } },
  ]);
});
