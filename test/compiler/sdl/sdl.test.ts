import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { print } from 'graphql';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { describeGraphql } from '../../../src/compiler/graphql/fields/describe-graphql.ts';
import { graphqlView } from '../../../src/compiler/graphql/names/graphql-view.ts';
import { SDL_RULES } from '../../../src/compiler/graphql/parity/check-sdl.ts';
import { describeResources } from '../../../src/compiler/model/resources/describe-resource.ts';
import { draftContract } from '../../../src/compiler/model/resources/draft-contract.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { GENERATOR, HEADER } from '../../../src/compiler/sdl/generated-folder.ts';
import { withFolder } from '../../support/folder.ts';
import { brokenRules } from '../../support/invalid-contracts.ts';

const openapi = readFileSync(join(import.meta.dirname, '../../fixtures/valid/shelter/openapi.yaml'), 'utf8');
const schema = `type Query {
  cat(id: ID!): Cat @auth(scopes: ["cats:write"])
}
type Cat {
  id: ID!
  name: String!
  shelterId: ID
  shelter: Shelter
}
type Shelter {
  id: ID!
}
`;

/** What is made of the SDL of a contract; whether REST has it, too, is the parity gate's business. */
const graphqlOf = (files: Readonly<Record<string, string>>) =>
  withFolder({ 'openapi.yaml': openapi, ...files }, async (folder) => {
    const source = await readContract(folder);
    const { findings } = buildModel(source);
    expect(findings.filter(({ rule }) => !rule.startsWith('parity-'))).toEqual([]);
    const { document, sdl } = source;
    const draft = draftContract(source);
    const resources = describeResources(document, draft.resources);
    const view = graphqlView(draft, resources);
    return sdl && { sdl: print(sdl.document), descriptor: describeGraphql(sdl.schema!, view, document, resources) };
  });

describe('the SDL of a contract', () => {
  it('is optional', async () => {
    expect(await graphqlOf({})).toBeUndefined();
  });

  it('is one schema, in whatever files and extensions it is written', async () => {
    const graphql = await graphqlOf({
      'schema.graphql': schema,
      'more/nap.graphql': 'type Nap { id: ID! }\nextend type Query { nap(catId: ID!, id: ID!): Nap }',
    });
    expect(graphql!.sdl.match(/type Query/g)).toHaveLength(1);
    expect(graphql!.sdl).not.toContain('extend');
    expect(Object.keys(graphql!.descriptor.fields)).toEqual(['Query.cat', 'Query.nap', 'Cat.shelter']);
  });

  it.each([
    ['what is generated', { 'errors.ts': HEADER, 'handlers.ts': HEADER }],
    ['what is generated and damaged by a merge', { 'errors.ts': '<<<<<<< HEAD', 'handlers.ts': HEADER }],
    ['the documentation', { 'index.html': `<head>\n${GENERATOR}\n` }],
  ])('leaves %s alone, wherever it was written to', async (_, outputs) => {
    const written = Object.entries(outputs).map(([name, text]) => [`build/out/${name}`, text]);
    const sdl = { 'build/out/schema.graphql': schema, 'build/out/docs/schema.graphql': schema };
    const graphql = await graphqlOf({ 'schema.graphql': schema, ...Object.fromEntries(written), ...sdl });
    expect(graphql!.sdl.match(/type Query/g)).toHaveLength(1);
  });

  it('is a copy of an output, too', async () => {
    const header = HEADER.replace('//', '#');
    expect(await graphqlOf({ 'graphql/schema.graphql': `${header}${schema}` })).toBeDefined();
    // A released contract is such a copy as a whole.
    expect(await graphqlOf({ 'schema.graphql': `${header}${schema}`, 'errors.ts': HEADER })).toBeDefined();
  });

  it('leaves hidden folders and those of packages alone', async () => {
    const broken = 'type {';
    const strangers = {
      '.cache/a.graphql': broken,
      'released/v1/schema.graphql': broken,
      'node_modules/b/c.graphql': broken,
      'x/node_modules/d.graphql': broken,
    };
    expect(await graphqlOf({ 'schema.graphql': schema, ...strangers })).toBeDefined();
  });

  it('may repeat a built-in directive, in other words and another order', async () => {
    const repeated = 'directive @auth(scheme: String, "Any." scopes: [String!]! = []) repeatable on FIELD_DEFINITION';
    const graphql = await graphqlOf({ 'schema.graphql': `${schema}\n${repeated}` });
    expect(graphql!.sdl.match(/directive @auth/g)).toHaveLength(1);
  });

  it('is described by the conventions', async () => {
    const { descriptor } = (await graphqlOf({
      'schema.graphql': `schema @limits(depth: 4) { query: Query }\n${schema}extend type Cat { mood(at: String): String! @auth(scopes: ["cats:write"]) @auth }`,
    }))!;
    const token = (...scopes: string[]) => ({ schemes: [{ name: 'token', scopes }] });
    expect(descriptor.limits).toMatchObject({ depth: 4, cost: 1000 });
    expect(descriptor.types).toEqual({ Cat: 'cats', Shelter: 'shelters' });
    expect(descriptor.fields).toEqual({
      'Query.cat': { kind: 'get', resource: 'cats', params: { id: 'catId' } },
      'Cat.shelter': { kind: 'reference', resource: 'shelters', property: 'shelterId' },
      'Cat.mood': { kind: 'custom', access: { anyOf: [token('cats:write'), token()] } },
    });
  });
});

it('every rule of the SDL has a contract that breaks it', () => {
  const rules = [...SDL_RULES.map(({ id }) => id), 'sdl-syntax', 'sdl-schema', 'sdl-root', 'sdl-directive'];
  expect(rules.filter((rule) => !brokenRules().has(rule))).toEqual([]);
});
