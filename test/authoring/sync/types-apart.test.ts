import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { withFolder } from '../../support/folder.ts';

const answer = (schema: string): string =>
  `responses: { '200': { description: Ok., content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } } }`;
const body = (schema: string): string =>
  `requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/${schema}' } } } }`;

/** A document with schemas of one property each, some of which are answered and some sent. */
const documentOf = (
  schemas: readonly string[],
  { answered = schemas, sent = [] as readonly string[], schemaOf = (name: string) => objectOf(name) } = {},
): string => `openapi: 3.1.0
info: { title: Depot, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
${answered.map((name) => `  /of/${schemas.indexOf(name)}: { get: { operationId: get${schemas.indexOf(name)}, ${answer(name)} } }\n`).join('')}\
${sent.map((name) => `  /to/${schemas.indexOf(name)}: { post: { operationId: post${schemas.indexOf(name)}, ${body(name)}, responses: { '204': { description: Kept. } } } }\n`).join('')}\
components:
  schemas:
${schemas.map((name) => `    '${name}': ${schemaOf(name)}\n`).join('')}`;

const objectOf = (name: string): string =>
  `{ type: object, required: ['p${name.replace(/\W/g, (sign) => String(sign.charCodeAt(0)))}'], properties: { 'p${name.replace(/\W/g, (sign) => String(sign.charCodeAt(0)))}': { type: string } } }`;

/** Errors of the contract after sync, operations left to REST, and the types by their only member. */
const synchronised = (text: string) =>
  withFolder({ 'openapi.yaml': text }, async (folder) => {
    const files = await ContractFiles.open(folder);
    const outcome = await synchronise(files, { contracts: folder, from: 'openapi' });
    await files.save();
    const { findings } = await modelContract(folder);
    const errors = findings.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    const sdl = await readFile(join(folder, 'schema.graphql'), 'utf8').catch(() => '');
    return { restOnly: outcome.kind === 'synced' ? outcome.restOnly : undefined, errors, sdl };
  });

const typesIn = (sdl: string): readonly string[] =>
  [...sdl.matchAll(/^(?:type|input|enum) (\w+)/gm)]
    .map(([, name]) => name!)
    .filter((one) => !/^(Query|Mutation)$/.test(one));

describe('types of schemas that would have one name', () => {
  it.each([
    [
      ['Foo-Bar', 'FooBar'],
      ['Foo_minus_Bar', 'FooBar'],
    ],
    [
      ['Foo-Bar', 'Foo.Bar', 'Foo_Bar'],
      ['Foo_minus_Bar', 'Foo_dot_Bar', 'Foo_Bar'],
    ],
    [
      ['order', 'Order'],
      ['orderType', 'Order'],
    ],
    [
      ['order_line', 'OrderLine'],
      ['order_line', 'OrderLine'],
    ],
    [
      ['constructor', 'toString'],
      ['constructorType', 'toStringType'],
    ],
    [
      ['Query', 'QueryType', 'String', 'JSON', 'Record'],
      ['QueryType_', 'QueryType', 'StringType', 'JSONType', 'Record'],
    ],
    [
      ['Record', 'RecordType'],
      ['RecordType_', 'RecordType'],
    ],
    [['PageInfo'], ['PageInfoType']],
    [
      ['Thing', 'ThingResolvers', 'QueryGet0Args', 'Resolvers', 'AuthDirectiveArgs'],
      ['Thing', 'ThingResolversType', 'QueryGet0ArgsType', 'ResolversType', 'AuthDirectiveArgsType'],
    ],
    [
      ['Thing', 'ThingArgs', 'ThingQuery', 'SomeResolvers'],
      ['Thing', 'ThingArgs', 'ThingQuery', 'SomeResolvers'],
    ],
  ])('stay apart, whatever their order: %j', async (names, types) => {
    for (const order of [names, names.toReversed()]) {
      const { sdl, ...rest } = await synchronised(documentOf(order));
      expect(rest).toEqual({ restOnly: [], errors: [] });
      const expected = order.map((name) => types[names.indexOf(name)]);
      expect(typesIn(sdl)).toEqual(expected);
      for (const [index, name] of order.entries())
        expect(sdl).toContain(
          `type ${expected[index]} {\n  p${name.replace(/\W/g, (sign) => String(sign.charCodeAt(0)))}: String!\n}`,
        );
    }
  });

  it('stay apart in snake_case', async () => {
    const text = documentOf(['order_line', 'OrderLine']).replace(
      'version: 1.0.0',
      'version: 1.0.0, x-naming: { case: snake_case }',
    );
    const { sdl, ...rest } = await synchronised(text);
    expect(rest).toEqual({ restOnly: [], errors: [] });
    expect(typesIn(sdl)).toEqual(['order_underscore_line', 'OrderLine']);
  });

  it('stay apart as enums, which stand beside the types of documents', async () => {
    const text = documentOf(['Get0Query', 'Get0', 'OtherQuery'], { schemaOf: () => '{ type: string, enum: [A] }' });
    const { sdl, ...rest } = await synchronised(text);
    expect(rest).toEqual({ restOnly: [], errors: [] });
    expect(typesIn(sdl)).toEqual(['Get0QueryType', 'Get0', 'OtherQuery']);
  });

  it.each([
    [{ answered: ['Thing'], sent: ['Thing', 'ThingInput'] }, ['Thing', 'Thing_Input', 'ThingInput']],
    [{ answered: ['ThingInput'], sent: ['Thing'] }, ['ThingInput', 'Thing_Input']],
    [{ answered: ['ThingInput'], sent: ['ThingInput'] }, ['ThingInput', 'ThingInputInput']],
    [{ answered: ['Thing'], sent: ['Thing'] }, ['Thing', 'Thing_Input']],
  ])('stay apart as inputs: %j', async (uses, types) => {
    for (const order of [
      ['Thing', 'ThingInput'],
      ['ThingInput', 'Thing'],
    ]) {
      const { sdl, ...rest } = await synchronised(documentOf(order, uses));
      expect(rest).toEqual({ restOnly: [], errors: [] });
      expect([...typesIn(sdl)].sort()).toEqual([...types].sort());
    }
  });

  it('stay apart if the schemas have no names', async () => {
    const inline = (name: string): string => `{ type: object, properties: { ${name}: { type: string } } }`;
    const schemas: Readonly<Record<string, string>> = {
      Order: `{ type: object, properties: { lineItem: ${inline('a')}, resolvers: ${inline('b')} } }`,
      OrderLine: `{ type: object, properties: { item: ${inline('c')} } }`,
    };
    const { sdl, ...rest } = await synchronised(
      documentOf(Object.keys(schemas), { schemaOf: (name) => schemas[name]! }),
    );
    expect(rest).toEqual({ restOnly: [], errors: [] });
    expect(sdl).toContain('type Order {\n  lineItem: OrderLineItem\n  resolvers: OrderResolvers_\n}');
    expect(sdl).toContain('type OrderLine {\n  item: OrderLineItem_\n}');
    expect(sdl).toContain('type OrderLineItem_ {\n  c: String\n}');
  });
});
