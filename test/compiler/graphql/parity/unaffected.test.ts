import { expect, it } from 'vitest';
import { compileContract, modelContract } from '../../../../src/compiler/compile-contract.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const SDL = 'schema.graphql';
const UNKNOWN_SCHEME: Edit = [
  SDL,
  '(issueId: ID!, id: ID!): Comment',
  '(issueId: ID!, id: ID!): Comment @auth(scheme: "unknown")',
];
const LISTED = 'name: String!\n  createdBy: ID\n  updatedBy: ID\n  "List members"';
const TEAM_NAME: Edit = [SDL, LISTED, LISTED.replace('!', '')];

/** The errors of the tracker after some edits, as rules with their places in the SDL. */
const errorsOf = (edits: readonly Edit[]) =>
  editedFolder('tracker', edits, async (folder) =>
    (await modelContract(folder)).findings
      .filter(({ severity }) => severity === 'error')
      .map(({ rule, location, also }) => `${rule} ${(location.file === SDL ? location : also)?.pointer}`),
  );

it('a difference is told beside an error of the SDL that is about other resources', async () => {
  expect(await errorsOf([UNKNOWN_SCHEME, TEAM_NAME])).toEqual([
    'parity-field Team.name',
    'sdl-auth-scheme Query.comment',
  ]);
});

it('an error of the SDL stands alone where a difference of its resource may follow from it', async () => {
  const body: Edit = [SDL, '  body: String!\n  createdBy', '  body: String\n  createdBy'];
  expect(await errorsOf([body])).toEqual(['parity-field Comment.body']);
  expect(await errorsOf([UNKNOWN_SCHEME, body])).toEqual(['sdl-auth-scheme Query.comment']);
});

it('an error of the SDL that is about no resource stands alone', async () => {
  const type: Edit = [SDL, /$/g, '\nscalar Colour\n'];
  expect(await errorsOf([type, TEAM_NAME])).toEqual(['sdl-scalar Colour']);
});

it('what has no types, an error of the SDL and a difference are told in one run', async () => {
  const mirror: Edit = [
    'openapi.yaml',
    /^ {2}schemas:\n/gm,
    "$&    Mirror: { type: object, properties: { whole: { $ref: '#' } } }\n",
  ];
  const { files, findings } = await editedFolder('tracker', [mirror, UNKNOWN_SCHEME, TEAM_NAME], (folder) =>
    compileContract(folder),
  );
  expect(files).toBeUndefined();
  expect(findings.filter(({ severity }) => severity === 'error').map(({ rule }) => rule)).toEqual([
    'parity-field',
    'sdl-auth-scheme',
    'types',
  ]);
});

it('errors of rules, of the SDL and of parity are told at once where they are about different resources', async () => {
  const status: Edit = ['openapi.yaml', /(operationId: createComment\n(?:.*\n)*? +)'201'/g, "$1'202'"];
  const label: Edit = [SDL, '  label(id: ID!): Label', '  label(id: ID!): Label @auth(scheme: "unknown")'];
  expect(await errorsOf([status, label, TEAM_NAME])).toEqual([
    'action-status undefined',
    'parity-field Team.name',
    'sdl-auth-scheme Query.label',
  ]);
});

it('an error of a rule stands alone where what is wrong with the SDL may follow from it', async () => {
  const status: Edit = ['openapi.yaml', /(operationId: createComment\n(?:.*\n)*? +)'201'/g, "$1'202'"];
  expect(await errorsOf([status, UNKNOWN_SCHEME])).toEqual(['action-status undefined']);
});
