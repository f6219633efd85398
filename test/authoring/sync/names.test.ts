import { cp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { type Synced, synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { withFolder } from '../../support/folder.ts';

/** A service of widgets whose names GraphQL cannot spell. `members`: of a widget, as YAML. */
const service = (members: string): string => `openapi: 3.1.0
info: { title: Widgets, version: '1' }
paths:
  /widgets:
    get:
      operationId: Widgets_list
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100, default: 20 } }
        - { name: cursor, in: query, schema: { type: string } }
        - { name: first.name, in: query, schema: { type: string } }
        - { name: sort, in: query, explode: false, schema: { type: array, items: { type: string, enum: [first.name, -first.name] } } }
      responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/WidgetList' } } } } }
    post:
      operationId: Widgets_create
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/WidgetCreate' } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Widget' } } } } }
  /widgets/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string, format: uuid } }]
    get: { operationId: Widgets_read, responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Widget' } } } } } }
components:
  schemas:
    Widget:
      type: object
      required: [id, version, createdAt, updatedAt, first.name]
      properties:
        id: { type: string, format: uuid }
        version: { type: integer }
        createdAt: { type: string, format: date-time }
        updatedAt: { type: string, format: date-time }
        first.name: { type: string }
        ${members}
    WidgetCreate: { type: object, required: [first.name], properties: { first.name: { type: string } } }
    WidgetList:
      type: object
      required: [data, page]
      properties:
        data: { type: array, items: { $ref: '#/components/schemas/Widget' } }
        page: { type: object, required: [nextCursor], properties: { nextCursor: { type: [string, 'null'] } } }
`;

async function synchronised(
  folder: string,
): Promise<{ readonly outcome: Synced; readonly changed: readonly string[] }> {
  const files = await ContractFiles.open(folder);
  const outcome = await synchronise(files, { contracts: folder });
  const changed = files.changes.map(({ path }) => path);
  await files.save();
  return { outcome, changed };
}

describe('names that GraphQL cannot spell', () => {
  it.each([
    ['last-name: { type: string }', 'lastName: String'],
    ["'@type': { type: string }", 'type: String'],
    ['2fa: { type: boolean }', '_2fa: Boolean'],
    ['a b c: { type: integer }', 'aBC: SafeInt'],
  ])('are derived as it can, and as parity expects: %s', (member, field) =>
    withFolder({ 'openapi.yaml': service(member) }, async (folder) => {
      const { outcome, changed } = await synchronised(folder);
      expect(outcome).toEqual({ kind: 'synced', gone: [], lost: [], restOnly: [], open: [], findings: [] });
      expect(changed).toEqual(['schema.graphql']);
      expect(await readFile(join(folder, 'schema.graphql'), 'utf8')).toMatch(new RegExp(`^  ${field}$`, 'm'));
      const { findings } = await modelContract(folder);
      expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
      expect((await synchronised(folder)).changed).toEqual([]);
    }),
  );

  it.each([
    ['firstName: { type: string }', 'name-duplicate', '/components/schemas/Widget/properties/firstName'],
    [
      'box: { type: object, properties: { a.b: { type: string }, aB: { type: integer } } }',
      'graphql-name-collision',
      '/components/schemas/Widget/properties/box/properties/aB',
    ],
    [
      'color: { type: string, enum: [light_blue, light blue] }',
      'graphql-name-collision',
      '/components/schemas/Widget/properties/color/enum/1',
    ],
  ])('are refused at their place where two would be one: %s', (member, rule, pointer) =>
    withFolder({ 'openapi.yaml': service(member) }, async (folder) => {
      const { outcome, changed } = await synchronised(folder);
      expect(changed).toEqual([]);
      const location = { file: 'openapi.yaml', line: expect.any(Number), pointer };
      expect(outcome).toMatchObject({ kind: 'refused', findings: [{ rule, severity: 'error', location }] });
    }),
  );

  it('in a whole contract give the SDL that was written by hand, and nothing more the second time', () =>
    withFolder({}, async (folder) => {
      await cp('test/fixtures/widgets', folder, { recursive: true });
      const written = (await modelContract(folder)).model!.graphql!.descriptor;
      await rm(join(folder, 'schema.graphql'));
      expect((await synchronised(folder)).outcome).toMatchObject({ kind: 'synced', findings: [] });
      const derived = (await modelContract(folder)).model!.graphql!.descriptor;
      expect(Object.keys(derived.fields).sort()).toEqual(Object.keys(written.fields).sort());
      expect((await synchronised(folder)).changed).toEqual([]);
    }));
});
