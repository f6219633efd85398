import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../../src/compiler/build-model.ts';
import { readContract } from '../../../../src/compiler/read/read-contract.ts';
import { type Edit, editedFolder } from '../../../support/edited-contract.ts';
import { withFolder } from '../../../support/folder.ts';

const openapi = (schemas: string, parameters = '') => `openapi: 3.1.0
info: { title: Names, version: 1.0.0 }
paths:
  /words:
    get:
      operationId: getWords
      parameters: [${parameters}]
      responses: { '204': { description: None. } }
components:
  schemas:
${schemas.replace(/^/gm, '    ')}
`;

const SDL = 'type Query { words: Boolean! @operation(id: "getWords") }';

const collisionsOf = (files: Readonly<Record<string, string>>) =>
  withFolder(files, async (folder) => {
    const { findings } = buildModel(await readContract(folder));
    return findings.filter(({ rule }) => rule === 'graphql-name-collision');
  });

describe('two names that GraphQL would spell the same', () => {
  it.each([
    ['properties', 'W: { type: object, properties: { first-name: {}, firstName: {} } }', 'firstName', 11, 11],
    ['values', "W: { type: string, enum: [in-progress, 'in progress'] }", 'in_progress', 11, 11],
  ])('are an error, with both places: %s', async (what, schemas, name, line, also) => {
    const [finding, ...others] = await collisionsOf({ 'openapi.yaml': openapi(schemas), 'schema.graphql': SDL });
    expect(others).toEqual([]);
    expect(finding?.message).toMatch(new RegExp(`^The ${what} .* would both be \`${name}\` in GraphQL\\.$`));
    expect([finding?.location.line, finding?.also?.line]).toEqual([line, also]);
    expect(finding?.location.column).not.toBe(line === also ? finding?.also?.column : undefined);
  });

  it('are an error in properties that come from different branches', async () => {
    const schemas =
      'A: { type: object, properties: { x-y: {} } }\nB: { allOf: [{ $ref: "#/components/schemas/A" }], properties: { xY: {} } }';
    const [finding] = await collisionsOf({ 'openapi.yaml': openapi(schemas), 'schema.graphql': SDL });
    expect([finding?.location.line, finding?.also?.line]).toEqual([12, 11]);
  });

  it('are an error in the parameters of one operation', async () => {
    const parameters = '{ name: x-y, in: query, schema: {} }, { name: xY, in: query, schema: {} }';
    expect(await collisionsOf({ 'openapi.yaml': openapi('A: {}', parameters), 'schema.graphql': SDL })).toMatchObject([
      { severity: 'error', message: expect.stringContaining('The parameters `x-y` and `xY`') },
    ]);
  });

  const variants = (first: string, second: string): string => `
Box: { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }], discriminator: { propertyName: kind } }
A: { type: object, required: [kind], properties: { kind: { const: ${first} } } }
B: { type: object, required: [kind], properties: { kind: { const: ${second} } } }`;
  const sent = (schemas: string): string =>
    openapi(schemas).replace(
      'responses:',
      "requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Box' } } } }\n      responses:",
    );

  it('are an error in the variants of what callers send, with both places', async () => {
    const [finding, ...others] = await collisionsOf({
      'openapi.yaml': sent(variants('light-blue', 'LIGHT_BLUE')),
      'schema.graphql': SDL,
    });
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      severity: 'error',
      message: 'The variants of `Box` `light-blue` and `LIGHT_BLUE` would both be `lightBlue` in GraphQL.',
      location: { line: 15 },
      also: { line: 14 },
    });
  });

  it('are none in variants that are only answered, or differ', async () => {
    const answered = openapi(variants('light-blue', 'LIGHT_BLUE'));
    expect(await collisionsOf({ 'openapi.yaml': answered, 'schema.graphql': SDL })).toEqual([]);
    const distinct = sent(variants('light-blue', 'DARK_BLUE'));
    expect(await collisionsOf({ 'openapi.yaml': distinct, 'schema.graphql': SDL })).toEqual([]);
  });

  it('are none of a contract without GraphQL', async () => {
    const schemas = 'W: { type: string, enum: [+1, -1] }';
    expect(await collisionsOf({ 'openapi.yaml': openapi(schemas) })).toEqual([]);
  });
});

it('a resource with a batch is not named as another member of its results', async () => {
  const renamed = ['openapi.yaml', 'schema.graphql'].map((file): Edit => [file, /WareTag/g, 'Status']);
  const found = await editedFolder('wares', renamed, async (folder) => {
    const { findings } = buildModel(await readContract(folder));
    return findings.filter(({ rule }) => rule === 'graphql-name-collision');
  });
  expect(found.map(({ message }) => message)).toEqual(['The schema `Status` has a name that GraphQL has otherwise.']);
});
