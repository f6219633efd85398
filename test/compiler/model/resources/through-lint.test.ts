import { expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const built = (edits: readonly Edit[]) =>
  editedFolder('club', edits, async (folder) => buildModel(await readContract(folder)));
const openapi = (text: string | RegExp, by: string): Edit => ['openapi.yaml', text, by];

const LIST = 'x-through: { resource: Follow, from: followedId, to: followerId }';
const AT = '/paths/~1people~1{personId}~1followers/get';

it.each([
  ['the resource that joins', LIST.replace('Follow', 'Folow'), 'Did you mean `Follow`?'],
  [
    'a resource that refers to nothing',
    LIST.replace('Follow', 'Party'),
    'Name the schema of the resource that refers to both, such as `x-through: IssueLabel`.',
  ],
  ['the property that refers to the row above', LIST.replace('followedId', 'folowedId'), 'Did you mean `followedId`?'],
  ['the property that refers to the rows listed', LIST.replace('followerId', 'followId'), 'Did you mean `followerId`?'],
])('a misspelt name of %s is told with the one that is meant', async (_, by, hint) => {
  const { findings } = await built([openapi(LIST, by)]);
  expect(findings.filter(({ rule }) => rule === 'through-list')).toMatchObject([
    { severity: 'error', hint, location: { pointer: `${AT}/x-through` } },
  ]);
});

it('a list through a resource has two ends', async () => {
  const { findings } = await built([openapi(LIST, LIST.replace('followerId', 'followedId'))]);
  expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    {
      rule: 'through-list',
      message: '`listFollowers` lists through `Follow`: its `followedId` cannot be both ends.',
      hint: 'Write `x-through: { resource: Follow, from: followedId, to: followerId }`.',
      location: { pointer: `${AT}/x-through` },
    },
  ]);
});

it('an end that is no name is told as such', async () => {
  const { findings } = await built([openapi(LIST, LIST.replace('followerId', '5'))]);
  const faults = findings.filter(({ rule }) => rule === 'extension-value');
  expect(faults).toMatchObject([{ severity: 'error', location: { pointer: `${AT}/x-through` } }]);
});

const OWNED = '      required: [id, version, createdAt, updatedAt, followerId, followedId, toldTo]\n';
const owned = openapi(OWNED, `${OWNED}      x-owner: { property: toldTo }\n`);

it('a list through a resource whose rows belong to callers is for callers with a token', async () => {
  const { findings } = await built([owned]);
  const lists = findings.filter(
    ({ rule, message }) => rule === 'access-anonymous' && /Follow(ed|ers)` allows/.test(message),
  );
  expect(lists).toMatchObject([
    {
      severity: 'error',
      message: "`listFollowed` allows anonymous callers, but `x-owner` of `Follow` compares the caller's `sub`.",
      location: { pointer: '/paths/~1people~1{personId}~1followed/get' },
    },
    { severity: 'error', location: { pointer: AT } },
  ]);
});

it('a list through a resource with rules for claims reads credentials', async () => {
  const { findings } = await built([openapi(LIST, `security: []\n      ${LIST}`)]);
  const messages = findings.filter(({ rule }) => rule === 'access-anonymous').map(({ message }) => message);
  expect(messages).toEqual(
    ['Person', 'Follow'].map(
      (name) =>
        `\`listFollowers\` reads no credentials, so no caller has the claims and scopes that \`x-access\` of \`${name}\` requires.`,
    ),
  );
});
