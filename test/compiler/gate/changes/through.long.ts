import { expect, it } from 'vitest';
import { changesBetween } from '../../../../src/compiler/gate/changes/compare.ts';
import { type Edition, readEdition } from '../../../../src/compiler/gate/changes/edition.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';

const edition = async (edits: readonly Edit[]): Promise<Edition> => {
  const { edition: read, findings } = await editedFolder('club', edits, readEdition);
  if (!read) throw new Error(findings.map(({ message }) => message).join('\n'));
  return read;
};

/** What the gate says when a contract with some edits is released, and then has others, of lists through other resources. */
async function told(before: readonly Edit[], after: readonly Edit[]): Promise<readonly string[]> {
  const changes = await changesBetween(await edition(before), await edition(after));
  return changes
    .filter(({ impact, area }) => impact !== 'patch' && area !== 'storage')
    .map(({ impact, rule, message }) => `${impact} ${rule}: ${message}`);
}

const FOLLOWERS: Edit = ['openapi.yaml', /^ {2}\/people\/\{personId\}\/followers:[\s\S]*?(?=^components:)/gm, ''];
const FIELD: Edit = [
  'schema.graphql',
  /\n {2}"List who follows a person"\n {2}followers\([\s\S]*?sizedFields: \["edges", "nodes"\]\)/g,
  '',
];
const WITHOUT = [FOLLOWERS, FIELD];

it('a list through another resource that is new breaks nobody', async () => {
  const changes = await told(WITHOUT, []);
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.filter((change) => !change.startsWith('minor'))).toEqual([]);
});

it('a list through another resource that is gone breaks callers of both protocols, each once', async () => {
  const changes = await told([], WITHOUT);
  expect(changes.filter((change) => change.startsWith('major')).map((change) => change.replace(/:.*/, ''))).toEqual([
    'major path-removed',
    'major field-removed',
  ]);
});

const LIST = 'x-through: { resource: Follow, from: followedId, to: followerId }';

it('a list that is joined the other way round has other rows', async () => {
  const turned = 'x-through: { resource: Follow, from: followerId, to: followedId }';
  expect(await told([], [['openapi.yaml', LIST, turned]])).toEqual([
    'major through-changed: `listFollowers` lists the rows that `follows` by `followerId` and `followedId` joins, no longer `follows` by `followedId` and `followerId`.',
  ]);
});

const BLOCK = `    Block:
      type: object
      required: [id, version, createdAt, updatedAt, followerId, followedId]
      properties:
        id: { type: string, format: uuid }
        version: { type: integer, minimum: 1, maximum: 9007199254740991 }
        createdAt: { type: string, format: date-time }
        updatedAt: { type: string, format: date-time }
        followerId: { type: string, format: uuid, x-references: Person, x-on-delete: cascade, x-immutable: true }
        followedId: { type: string, format: uuid, x-references: Person, x-on-delete: cascade, x-immutable: true }
    Page:
`;
const BLOCKS = `  /blocks/{blockId}:
    parameters:
      - { name: blockId, in: path, required: true, schema: { type: string, format: uuid } }
    get:
      operationId: getBlock
      x-parity: { graphql: absent, because: Of no use there. }
      responses:
        '200': { description: As it is., content: { application/json: { schema: { $ref: '#/components/schemas/Block' } } } }
components:
`;
const SECOND: readonly Edit[] = [
  ['openapi.yaml', /^ {4}Page:\n/gm, BLOCK],
  ['openapi.yaml', /^components:\n/gm, BLOCKS],
];

it('a list through another join has other rows, in whichever direction it was swapped', async () => {
  const swapped: readonly Edit[] = [...SECOND, ['openapi.yaml', LIST, LIST.replace('Follow', 'Block')]];
  const way = 'by `followedId` and `followerId`';
  expect(await told(SECOND, swapped)).toEqual([
    `major through-changed: \`listFollowers\` lists the rows that \`blocks\` ${way} joins, no longer \`follows\` ${way}.`,
  ]);
  expect(await told(swapped, SECOND)).toEqual([
    `major through-changed: \`listFollowers\` lists the rows that \`follows\` ${way} joins, no longer \`blocks\` ${way}.`,
  ]);
});

it('a list that code answers from now on need not have what is joined; one that code no longer answers has', async () => {
  const custom: readonly Edit[] = [['openapi.yaml', `      ${LIST}\n`, '']];
  expect(await told([], custom)).toContain(
    'major through-changed: `listFollowers` no longer lists the rows that `follows` joins.',
  );
  expect((await told(custom, [])).filter((change) => change.includes('through'))).toEqual([]);
});
