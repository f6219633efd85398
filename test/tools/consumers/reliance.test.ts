import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Change } from '../../../src/compiler/gate/changes/change.ts';
import { type Edition, readEdition } from '../../../src/compiler/gate/changes/edition.ts';
import { readConsumers } from '../../../src/tools/consumers/read-consumers.ts';
import { relianceOn } from '../../../src/tools/consumers/reliance.ts';
import { withFolder } from '../../support/folder.ts';

const DOCUMENTS = `query Cats($filter: CatFilter) {
  cats(first: 10, filter: $filter, sort: [NAME_ASC]) {
    nodes { ...Card }
  }
}
mutation Add($input: CatInput!) {
  createCat(input: $input) { id }
}
mutation Paint($id: ID!) {
  updateCat(id: $id, input: { colour: BLACK }) { id }
}
fragment Card on Cat {
  name
  colour
}
`;

const CALLS = `calls:
  - operation: listCats
    parameters: [colour]
    reads: [/data/0/name]
  - operation: PATCH /cats/{catId}
    reads: [/id]
    sends: [/colour]
  - operation: getCat
`;

const NOBODY = { consumers: [], findings: [] };

let find: (change: Change) => readonly string[];

beforeAll(() =>
  withFolder({}, async (folder) => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    await mkdir(join(folder, 'consumers/kiosk'), { recursive: true });
    await mkdir(join(folder, 'consumers/admin'), { recursive: true });
    await writeFile(join(folder, 'consumers/kiosk/cats.graphql'), DOCUMENTS);
    await writeFile(join(folder, 'consumers/admin/operations.yaml'), CALLS);
    const { edition } = await readEdition(folder);
    const registered = readConsumers(folder);
    expect(registered?.findings).toEqual([]);
    const found = relianceOn(registered ?? NOBODY, edition as Edition, edition as Edition);
    find = (change) =>
      (found(change) ?? []).map(({ consumer, location }) => {
        expect(location.file.startsWith(`consumers/${consumer}/`)).toBe(true);
        return `${consumer} ${location.line}`;
      });
  }),
);

const change = (area: Change['area'], rule: string, subject: string): Change => ({
  impact: 'major',
  area,
  rule,
  subject,
  facts: {},
  message: '',
  location: { file: 'openapi.yaml', line: 1, column: 1, pointer: '' },
});

describe('a change of GraphQL hurts', () => {
  test.each([
    ['field-removed', 'Cat.colour', ['kiosk 14']],
    ['field-removed', 'Cat.bornOn', []],
    ['field-removed', 'Query.cats', ['kiosk 2']],
    ['field-removed', 'Subscription.catCreated', []],
    ['field-type-changed', 'Cat.id', ['kiosk 7', 'kiosk 10']],
    ['field-argument-removed', 'Query.cats.sort', ['kiosk 2']],
    ['field-argument-removed', 'Query.cats.after', []],
    ['field-argument-added', 'Query.cats.country', ['kiosk 2']],
    ['field-argument-default-changed', 'Query.cats.first', ['kiosk 2']],
    ['input-field-removed', 'CatPatch.colour', ['kiosk 10']],
    ['input-field-removed', 'CatPatch.name', []],
    ['input-field-removed', 'CatInput.bornOn', ['kiosk 6']],
    ['input-field-removed', 'CatFilter.colour', ['kiosk 1']],
    ['input-field-added', 'CatInput.weight', ['kiosk 6']],
    ['input-field-added', 'CatPatch.weight', ['kiosk 10']],
    ['enum-value-removed', 'Colour.BLACK', ['kiosk 1', 'kiosk 6', 'kiosk 10']],
    ['enum-value-removed', 'CatSort.NAME_DESC', []],
    ['enum-value-removed', 'CatSort.NAME_ASC', ['kiosk 2']],
    ['enum-value-added', 'Colour.RED', ['kiosk 1', 'kiosk 6', 'kiosk 14']],
    ['type-removed', 'CatEdge', []],
    ['type-removed', 'CatConnection', ['kiosk 2']],
    ['auth-changed', 'Mutation.createCat', ['kiosk 7']],
    ['directive-removed', '@auth', []],
    ['limit-changed', 'depth', ['kiosk 1', 'kiosk 6', 'kiosk 9', 'kiosk 12']],
    ['schema-removed', 'schema', ['kiosk 1', 'kiosk 6', 'kiosk 9', 'kiosk 12']],
  ])('by %s of %s', (rule, subject, expected) => {
    expect(find(change('graphql', rule, subject)).toSorted()).toEqual(expected.toSorted());
  });
});

describe('a change of REST hurts', () => {
  test.each([
    ['operation-removed', 'getCat', ['admin 8']],
    ['operation-removed', 'createCat', []],
    ['path-removed', '/cats/{catId}', ['admin 5', 'admin 8']],
    ['property-removed', 'Cat.name', ['admin 2', 'admin 8']],
    ['property-removed', 'Cat.id', ['admin 5', 'admin 8']],
    ['property-removed', 'CatPage.page.nextCursor', []],
    ['property-removed', 'CatPage.data', ['admin 2']],
    ['property-removed', 'CatPatch.colour', ['admin 5']],
    ['property-removed', 'CatPatch.name', []],
    ['enum-values-removed', 'Colour', ['admin 5', 'admin 8']],
    ['parameter-removed', 'listCats.colour', ['admin 2']],
    ['parameter-removed', 'listCats.limit', []],
    ['parameter-became-required', 'listCats.limit', ['admin 2']],
    ['parameter-serialization-changed', '/cats/{catId}.catId', ['admin 5', 'admin 8']],
    ['response-removed', 'getCat.200', ['admin 8']],
    ['security-requirement-changed', 'listCats', ['admin 2']],
  ])('by %s of %s', (rule, subject, expected) => {
    expect(find(change('rest', rule, subject)).filter((place) => !place.startsWith('kiosk'))).toEqual(expected);
    expect(find(change('rest', rule, subject)).filter((place) => place.startsWith('kiosk'))).toEqual([]);
  });

  test('and of both protocols, where it is what the conventions say', () => {
    expect(find(change('rest', 'transition-removed', 'Cat.colour'))).toEqual(
      expect.arrayContaining(['admin 2', 'admin 5', 'admin 8', 'kiosk 2', 'kiosk 7', 'kiosk 10']),
    );
  });
});

test('a version that is no longer served hurts all who call it, and storage nobody', () => {
  expect(find(change('versions', 'version-moved', 'v1'))).toEqual(['admin 2', 'admin 5', 'admin 8']);
  expect(find(change('storage', 'storage-needs-migration', 'cats.name'))).toEqual([]);
});

const OPEN = `openapi: 3.1.0
info: { title: Things, version: 1.0.0 }
paths:
  /things:
    get:
      operationId: getThing
      responses: { '200': { description: A thing, content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } } } }
components:
  schemas:
    Thing: { type: object, properties: { id: { type: string }, free: { type: object }, owner: { $ref: '#/components/schemas/Owner' } } }
    Owner: { type: object, properties: { name: { type: string } } }
`;

test('a pointer into what the contract does not name relies on what contains it', () =>
  withFolder(
    {
      'openapi.yaml': OPEN,
      'consumers/kiosk/operations.yaml': 'calls: [{ operation: getThing, reads: [/free/a/b] }]',
      'consumers/admin/operations.yaml': 'calls: [{ operation: getThing, reads: [/owner/age] }]',
    },
    async (folder) => {
      const { edition } = await readEdition(folder);
      const found = relianceOn(readConsumers(folder) ?? NOBODY, edition as Edition, edition as Edition);
      const hurt = (subject: string) => found(change('rest', 'property-removed', subject))?.map((one) => one.consumer);
      expect(hurt('Thing.free')).toEqual(['kiosk']);
      expect(hurt('Thing.free.c')).toEqual(['kiosk']);
      expect(hurt('Thing.owner')).toEqual(['admin']);
      expect(hurt('Owner.name')).toEqual(['admin']);
      expect(hurt('Thing.id')).toEqual([]);
    },
  ));

test('whom a change hurts is unknown where it hurts nobody and a consumer could not be read', () =>
  withFolder(
    {
      'openapi.yaml': OPEN,
      'consumers/kiosk/operations.yaml': 'calls: [{ operation: getThing, reads: [/id] }]',
      'consumers/admin/operations.yml': 'calls: []',
    },
    async (folder) => {
      const { edition } = await readEdition(folder);
      const found = relianceOn(readConsumers(folder) ?? NOBODY, edition as Edition, edition as Edition);
      expect(found(change('rest', 'property-removed', 'Thing.id'))).toHaveLength(1);
      expect(found(change('rest', 'property-removed', 'Thing.free'))).toBeUndefined();
    },
  ));
