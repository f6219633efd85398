import { expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { type Edit, editedFolder } from '../../support/edited-contract.ts';
import { withFolder } from '../../support/folder.ts';

const wider: Edit = ['openapi.yaml', 'maximum: 100000000 }, lte', 'maximum: 10000000000 }, lte'];

it('a filter that takes more integers than its property has gets the type that parity asks for', () =>
  editedFolder('clinic', [wider], async (folder) => {
    const files = await ContractFiles.open(folder);
    expect(await synchronise(files, { contracts: folder })).toMatchObject({ kind: 'synced', findings: [] });
    expect(await files.read('schema.graphql')).toMatch(/gte: SafeInt\s[\s\S]*?lte: Int\s/);
  }));

it('a field that a type and its input have of one schema is derived once', () =>
  editedFolder(
    'library',
    [['library.graphql', '  depthMm: Int\n}', '  depthMm: Int\n  lengthMm: Int\n}']],
    async (folder) => {
      const files = await ContractFiles.open(folder);
      expect(await synchronise(files, { contracts: folder })).toMatchObject({ kind: 'synced', findings: [] });
      const document = await files.read('openapi.yaml');
      expect(document?.match(/lengthMm:/g)).toHaveLength(2);
    },
  ));

const NODE = "{ $ref: '#/components/schemas/Node' }";
const TREES = `
openapi: 3.1.0
info: { title: Trees, version: 1.0.0 }
paths:
  /trees/{treeId}:
    get:
      operationId: getTree
      parameters: [{ name: treeId, in: path, required: true, schema: { type: string } }]
      responses: { '200': { description: A tree., content: { application/json: { schema: ${NODE} } } } }
  /trees:
    post:
      operationId: makeTree
      requestBody: { required: true, content: { application/json: { schema: ${NODE} } } }
      responses: { '200': { description: A tree., content: { application/json: { schema: ${NODE} } } } }
components:
  schemas:
    Node:
      type: object
      required: [name]
      properties:
        name: { type: string }
        parent: { description: Above it., allOf: [${NODE}] }
        other: { allOf: [${NODE}, { type: object, properties: { since: { type: string, format: date } } }] }
        links: { type: array, items: { type: object, properties: { to: { allOf: [${NODE}, { type: object, properties: { hop: { type: number } } }] } } } }
`;

it('a schema that is within itself by allOf has types that refer to themselves', () =>
  withFolder({ 'openapi.yaml': TREES }, async (folder) => {
    const files = await ContractFiles.open(folder);
    expect(await synchronise(files, { contracts: folder })).toMatchObject({ kind: 'synced', findings: [] });
    const sdl = await files.read('schema.graphql');
    expect(sdl).toMatch(/^type Node \{[^}]* {2}parent: Node\n {2}other: NodeOther\n/m);
    expect(sdl).toMatch(/^type NodeOther \{[^}]* {2}parent: Node\n {2}other: NodeOther\n/m);
    expect(sdl).toMatch(/^input NodeOtherInput \{[^}]* {2}parent: NodeInput\n {2}other: NodeOtherInput\n/m);
  }));
