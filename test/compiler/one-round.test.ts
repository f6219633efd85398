import { expect, it } from 'vitest';
import { modelContract } from '../../src/compiler/compile-contract.ts';
import { withFolder } from '../support/folder.ts';

type Edit = readonly [file: 'openapi.yaml' | 'schema.graphql', text: string, by: string];

const NAMES = ['Ant', 'Bee', 'Cow', 'Dog', 'Elk'];

const path = (name: string): string => `  /${name.toLowerCase()}s/{${name.toLowerCase()}Id}:
    parameters: [{ name: ${name.toLowerCase()}Id, in: path, required: true, schema: { type: string, format: uuid } }]
    get:
      operationId: get${name}
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } } }
    delete:
      operationId: delete${name}
      responses: { '204': { description: ${name} is gone. } }
`;

const schema = (name: string): string => `    ${name}:
      type: object
      required: [id, version, createdAt, updatedAt, name]
      properties:
        id: { type: string, format: uuid }
        version: { type: integer, minimum: 1, maximum: 2147483647 }
        createdAt: { type: string, format: date-time }
        updatedAt: { type: string, format: date-time }
        name: { type: string, maxLength: 10, description: The name of ${name}. }
        size: { $ref: '#/components/schemas/${name}Size' }
    ${name}Size: { type: string, enum: [SMALL, GREAT] }
`;

const type = (name: string): string => `type ${name} {
  id: ID!
  version: Int!
  createdAt: DateTime!
  updatedAt: DateTime!
  "The name of ${name}."
  name: String!
  size: ${name}Size
}

enum ${name}Size {
  SMALL
  GREAT
}
`;

const fields = (of: (name: string) => string): string => NAMES.map((name) => `  ${of(name)}\n`).join('');

const FILES = {
  'openapi.yaml': `openapi: 3.1.0
info: { title: Farm, version: 1.0.0 }
servers: [{ url: 'https://farm.example' }]
paths:
${NAMES.map(path).join('')}components:
  schemas:
${NAMES.map(schema).join('')}`,
  'schema.graphql': `scalar DateTime

${NAMES.map(type).join('\n')}
type Query {
${fields((name) => `${name.toLowerCase()}(id: ID!): ${name}`)}}

type Mutation {
${fields((name) => `delete${name}(id: ID!, ifVersion: Int): ID!`)}}
`,
};

/** The errors of the farm after some edits, as rules with their places; in the SDL, where one is. */
async function errorsOf(edits: readonly Edit[]): Promise<readonly string[]> {
  const files: Record<string, string> = { ...FILES };
  for (const [file, text, by] of edits) {
    expect(files[file]).toContain(text);
    files[file] = files[file]!.replace(text, () => by);
  }
  const { findings } = await withFolder(files, (folder) => modelContract(folder));
  const errors = findings.filter(({ severity }) => severity === 'error');
  return errors.map(({ rule, location, also }) => `${rule} ${(also ?? location).pointer}`).sort();
}

const STRUCTURE: Edit = [
  'openapi.yaml',
  'operationId: deleteAnt\n',
  'operationId: deleteAnt\n      sumary: Misspelled.\n',
];
const REFERENCE: Edit = [
  'openapi.yaml',
  "size: { $ref: '#/components/schemas/BeeSize'",
  "size: { $ref: '#/components/schemas/Nothing'",
];
const RULE: Edit = ['openapi.yaml', "'204': { description: Cow", "'202': { description: Cow"];
const SDL: Edit = ['schema.graphql', 'dog(id: ID!): Dog', 'dog(id: ID!): Dog @auth'];
const PARITY: Edit = ['schema.graphql', '"The name of Elk."\n  name: String!', '"The name of Elk."\n  name: String'];
const ALL = [STRUCTURE, REFERENCE, RULE, SDL, PARITY];

it('the farm has no errors', async () => {
  expect(await errorsOf([])).toEqual([]);
});

it('errors of structure, references, rules, the SDL and parity come in one round, and nothing new when one is mended', async () => {
  const alone = await Promise.all(ALL.map((edit) => errorsOf([edit])));
  expect(alone).toEqual([
    ['openapi-structure /paths/~1ants~1{antId}/delete/sumary'],
    ['reference-unresolved /components/schemas/Bee/properties/size/$ref'],
    ['action-status /paths/~1cows~1{cowId}/delete/responses/202'],
    ['sdl-auth-scheme Query.dog'],
    ['parity-field Elk.name'],
  ]);
  for (const mended of [undefined, ...ALL]) {
    const left = ALL.filter((edit) => edit !== mended);
    expect(await errorsOf(left)).toEqual(left.flatMap((edit) => alone[ALL.indexOf(edit)]!).sort());
  }
});

it.each<[what: string, edit: Edit]>([
  [
    'the schema of a resource',
    [
      'openapi.yaml',
      "schema: { $ref: '#/components/schemas/Bee' }",
      "schema: { $ref: '#/components/schemas/Nothing' }",
    ],
  ],
  ['all properties of one', ['openapi.yaml', '      properties:\n', '      properties: []\n      x-before:\n']],
  ['a whole operation', ['openapi.yaml', '    delete:\n', '    dlete:\n']],
  [
    'the file of a path',
    ['openapi.yaml', '  /bees/{beeId}:\n', '  /wasps/{waspId}: { $ref: paths/wasp.yaml }\n  /bees/{beeId}:\n'],
  ],
])('an error stands alone where %s may be lost by it', async (_, edit) => {
  const alone = await errorsOf([edit]);
  expect(alone).toHaveLength(1);
  expect(await errorsOf([edit, PARITY])).toEqual(alone);
});

it.each([3, 5, 7, 11])('faults of different resources are all found, whatever they are (%i)', async (seed) => {
  const kinds: ((name: string) => Edit)[] = [
    (name) => [
      'openapi.yaml',
      `operationId: delete${name}\n`,
      `operationId: delete${name}\n      deprecated: perhaps\n`,
    ],
    (name) => [
      'openapi.yaml',
      `maxLength: 10, description: The name of ${name}.`,
      `maxLength: ten, description: The name of ${name}.`,
    ],
    (name) => ['openapi.yaml', `    ${name}Size: { type: string`, `    ${name}Size: { type: strin`],
    (name) => [
      'openapi.yaml',
      `size: { $ref: '#/components/schemas/${name}Size'`,
      `size: { $ref: '#/components/schemas/${name}X'`,
    ],
    (name) => ['schema.graphql', `delete${name}(id: ID!, `, `delete${name}(id: ID!, colour: String, `],
    (name) => ['schema.graphql', `  "The name of ${name}."\n  name: String!\n`, ''],
  ];
  const edits = NAMES.map((name, at) => kinds[(at * seed + seed) % kinds.length]!(name));
  const alone = await Promise.all(edits.map((edit) => errorsOf([edit])));
  expect(await errorsOf(edits)).toEqual(alone.flat().sort());
});
