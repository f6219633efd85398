import { buildSchema, type GraphQLSchema, parse, validate } from 'graphql';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ClientGraphql, clientGraphql } from '../../../../src/compiler/emit/clients/client-graphql.ts';
import { fragmentText, operationText } from '../../../../src/compiler/emit/clients/graphql-text.ts';
import { sdkDocuments } from '../../../../src/compiler/emit/sdk/sdk-documents.ts';
import type { ContractModel, GraphqlModel } from '../../../../src/compiler/model/model.ts';
import { contractOf } from '../../../support/service.ts';

const FIXTURES = [
  'contracts',
  'atlas',
  'cats',
  'depot',
  'exchange',
  'folders',
  'invoices',
  'library',
  'orchard',
  'widgets',
];

const textOf = ({ fragments, documents }: ClientGraphql): string =>
  [...fragments.map(fragmentText), ...documents.map((one) => operationText(one))].join('\n');

const made = (sdl: string): ClientGraphql =>
  clientGraphql({ sdl, descriptor: { fields: {} } as unknown as GraphqlModel['descriptor'] });

describe.each(FIXTURES)('documents for clients of %s', (name) => {
  let graphql: GraphqlModel;
  let client: ClientGraphql;
  beforeAll(async () => {
    graphql = ((await contractOf(name)) as ContractModel).graphql!;
    client = clientGraphql(graphql);
  });

  test.each<[string, () => GraphQLSchema]>([
    ['the server', () => buildSchema(graphql.sdl, { assumeValid: true })],
    ['the clients', () => buildSchema(client.sdl)],
  ])('are valid for %s', (_, schema) => {
    expect(validate(schema(), parse(textOf(client)))).toEqual([]);
  });

  test('are one for each document of the TypeScript client', async () => {
    const { script: source } = await sdkDocuments(graphql);
    expect(client.documents).toHaveLength(source.match(/^export const /gm)!.length);
  });
});

describe('documents for clients', () => {
  test('select a type inside another, but none inside itself', () => {
    const { fragments } = made(
      'type Query { part: Part } type Part { size: Int box: Box } type Box { parts: [Part!] label: String }',
    );
    expect(fragments.map(({ name, fields }) => [name, fields.map((field) => field.name)])).toEqual([
      ['Part', ['size']],
    ]);
  });

  test('have names that no type has', () => {
    const { documents } = made(
      'type Query { cat: Cat } type Mutation { cat: Cat } type Cat { id: ID } type GetCat { id: ID }',
    );
    expect(documents.map(({ name }) => name)).toEqual(['GetCatQuery', 'CatMutation']);
  });

  test('name fragments as languages name types', () => {
    const { fragments } = made('type Query { a: _3d b: paper } type _3d { id: ID } type paper { id: ID }');
    expect(fragments.map(({ name }) => name)).toEqual(['Type3d', 'Paper']);
  });

  test('leave out directives, and what they alone use', () => {
    const { sdl } = made(
      'directive @x(a: E) on FIELD_DEFINITION enum E { A } type Query { a(b: Int! = 3): Int @x(a: A) c: Int @deprecated }',
    );
    expect(sdl.replace(/\s+/g, ' ').trim()).toBe('type Query { a(b: Int): Int c: Int @deprecated }');
  });
});
