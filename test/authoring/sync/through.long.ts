import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { type Synced, synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { ThroughDescriptor } from '../../../src/descriptor/resource.ts';
import { nestedOf } from '../../../src/descriptor/resource.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';
import { withFolder } from '../../support/folder.ts';

interface Outcome {
  readonly synced: Synced;
  readonly throughs: readonly ThroughDescriptor[];
  readonly errors: readonly string[];
  readonly document: string;
}

/** What sync makes of a fixture after some edits. */
const sync = (fixture: string, edits: readonly Edit[]): Promise<Outcome> =>
  editedFolder(fixture, edits, async (folder) => {
    const files = await ContractFiles.open(folder);
    const synced = await synchronise(files, { contracts: folder });
    await files.save();
    const { model, findings } = await modelContract(folder);
    return {
      synced,
      throughs: (model?.resources ?? []).flatMap((resource) => nestedOf(resource)),
      errors: findings.filter(({ severity }) => severity === 'error').map(({ message }) => message),
      document: (await files.read('openapi.yaml'))!,
    };
  });

const without = (path: string, next: string): Edit => [
  'openapi.yaml',
  new RegExp(`^ {2}${path.replace(/[{}]/g, '\\$&')}:\\n[\\s\\S]*?(?=^${next})`, 'gm'),
  '',
];
const LABELS = without('/issues/{issueId}/labels', '  /issues/');

const opened = ({ synced }: Outcome): readonly string[] => (synced.kind === 'synced' ? synced.open : []);

it('a connection that one resource joins gets its path, with all that the list of it takes', async () => {
  const outcome = await sync('tracker', [LABELS]);
  expect(outcome.synced).toMatchObject({ kind: 'synced', findings: [] });
  expect(opened(outcome)).toContain(
    'whether `Issue.labels` lists the rows that `IssueLabel` joins, as `GET /issues/{issueId}/labels` does now.',
  );
  expect(outcome.errors).toEqual([]);
  expect(outcome.throughs.find(({ below }) => below === 'issues')).toMatchObject({
    operationId: 'listLabelsOfIssue',
    name: 'labels',
    join: 'issueLabels',
    from: 'issueId',
    to: 'labelId',
  });
  const [text] = /^ {2}\/issues\/\{issueId\}\/labels:[\s\S]*?(?=^(?: {2}\/|\w))/m.exec(outcome.document)!;
  expect(text).toMatch(/x-through: IssueLabel\n/);
  expect(text).toMatch(/summary: List the labels of an issue\n/);
});

it('asks for the access of the field where it is not that of the list', async () => {
  const field = /(\n {2}"The labels that it has\."\n {2}labels\([\s\S]*?sizedFields: \["edges", "nodes"\]\))/g;
  const outcome = await sync('tracker', [LABELS, ['schema.graphql', field, '$1 @auth(scopes: [])']]);
  expect(outcome.errors).toEqual([]);
  expect(outcome.throughs.find(({ below }) => below === 'issues')!.access).toEqual({
    anyOf: [{ schemes: [{ name: 'bearer', scopes: [] }] }],
  });
});

it('takes what the SDL adds to the list at the same time', async () => {
  const outcome = await sync('tracker', [
    LABELS,
    ['schema.graphql', /^enum LabelSort \{/gm, 'enum LabelSort {\n  COLOUR_ASC\n  COLOUR_DESC'],
  ]);
  expect(outcome.errors).toEqual([]);
  expect(outcome.throughs).toHaveLength(2);
});

it('says which ways there are where a resource joins rows of one resource, and writes none', async () => {
  const outcome = await sync('club', [without('/people/{personId}/followers', 'components:')]);
  expect(opened(outcome)).toContain(
    'the resource that joins the rows of `Person.followers`: give `GET /people/{personId}/followers` `x-through: { resource: Follow, from: followerId, to: followedId }` or `x-through: { resource: Follow, from: followedId, to: followerId }`.',
  );
  expect(outcome.document).not.toContain('/people/{personId}/followers');
});

it('makes a document of an SDL alone, in which what joins rows of one resource is left to say', async () => {
  const sdl = await readFile(join(import.meta.dirname, '../../fixtures/club/schema.graphql'), 'utf8');
  await withFolder({ 'schema.graphql': sdl }, async (folder) => {
    const files = await ContractFiles.open(folder);
    const synced = await synchronise(files, { contracts: folder });
    const written = files.changes.map(({ path }) => path);
    expect(synced).toMatchObject({
      kind: 'synced',
      findings: ['followed', 'followers'].map((name) => ({
        rule: 'sdl-connection-path',
        hint: expect.stringContaining(`\`GET /people/{personId}/${name}\` with \`x-through\``),
      })),
    });
    expect(written).toEqual(expect.arrayContaining(['paths/groups-of-person.yaml', 'paths/people-of-group.yaml']));
  });
});

it('names all resources that join the two', async () => {
  const outcome = await sync('club', [
    without('/people/{personId}/groups', '  /groups/'),
    ['openapi.yaml', /^ {4}Page:\n/gm, `${BAN}    Page:\n`],
    ['openapi.yaml', /^components:\n/gm, BANS],
  ]);
  expect(opened(outcome)).toContain(
    'the resource that joins the rows of `Person.groups`: give `GET /people/{personId}/groups` `x-through: Membership` or `x-through: Ban`.',
  );
});

it('says that nothing joins the two', async () => {
  const references = / x-references: Group, x-inverse: memberships, x-on-delete: cascade,/g;
  const outcome = await sync('club', [
    without('/people/{personId}/groups', '  /groups/'),
    without('/groups/{groupId}/people', '  /people/'),
    ['openapi.yaml', references, ''],
    ['schema.graphql', /\n {2}"The group that `groupId` names\."\n {2}group: Group/g, ''],
    [
      'schema.graphql',
      /\n {2}"List the people in a group"\n {2}people\([\s\S]*?sizedFields: \["edges", "nodes"\]\)/g,
      '',
    ],
  ]);
  expect(opened(outcome)).toContain(
    'the rows that `Person.groups` lists: neither `Person` nor `Group` refers to the other, and no other resource refers to both.',
  );
});

const BAN = `    Ban:
      type: object
      required: [id, version, createdAt, updatedAt, personId, groupId]
      properties:
        id: { type: string, format: uuid }
        version: { type: integer, minimum: 1, maximum: 9007199254740991 }
        createdAt: { type: string, format: date-time }
        updatedAt: { type: string, format: date-time }
        personId: { type: string, format: uuid, x-references: Person, x-on-delete: cascade, x-immutable: true }
        groupId: { type: string, format: uuid, x-references: Group, x-on-delete: cascade, x-immutable: true }
`;
const BANS = `  /bans/{banId}:
    parameters:
      - { name: banId, in: path, required: true, schema: { type: string, format: uuid } }
    get:
      operationId: getBan
      responses:
        '200': { description: As it is., content: { application/json: { schema: { $ref: '#/components/schemas/Ban' } } } }
components:
`;
