import { describe, expect, it } from 'vitest';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { withFolder } from '../../support/folder.ts';

type Files = Readonly<Record<string, string>>;
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const head = 'openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n';
const operation = "get: { operationId: get, responses: { '204': { description: Fine. } } }\n";
const schemas = (lines: string): string => `${head}paths: {}\ncomponents:\n  schemas:\n    ${lines}\n`;

async function documentOf(files: Files): Promise<Json> {
  const { document, findings } = await withFolder(files, readContract);
  expect(findings).toEqual([]);
  return document;
}

describe('references', () => {
  it('to a file that `components` names go to that name, in whichever order they are met', async () => {
    const { components } = await documentOf({
      'openapi.yaml': schemas('Order: { $ref: order.yaml }\n    Line: { $ref: order-line.yaml }'),
      'order.yaml': 'type: object\nproperties: { line: { $ref: order-line.yaml } }\n',
      'order-line.yaml': 'type: object\nproperties: { order: { $ref: ./order.yaml } }\n',
    });
    expect(components.schemas).toEqual({
      Order: { type: 'object', properties: { line: { $ref: '#/components/schemas/Line' } } },
      Line: { type: 'object', properties: { order: { $ref: '#/components/schemas/Order' } } },
    });
  });

  it('from two names of `components` to one file stay one schema', async () => {
    const { components } = await documentOf({
      'openapi.yaml': schemas('A: { $ref: a.yaml }\n    B: { $ref: a.yaml }'),
      'a.yaml': 'type: string\n',
    });
    expect(components.schemas).toEqual({ A: { type: 'string' }, B: { $ref: '#/components/schemas/A' } });
  });

  it('to one place share a component, however they are spelled', async () => {
    const { components } = await documentOf({
      'openapi.yaml': schemas(
        'S: { type: object, properties: { a: { $ref: "x/a.yaml#/P~1Q" }, b: { $ref: "./x/../x/a.yaml#/%50~1Q" } } }',
      ),
      'x/a.yaml': 'P/Q: { type: string }\n',
    });
    expect(Object.keys(components.schemas)).toEqual(['S', 'P_Q']);
    expect(components.schemas.S.properties.b).toEqual({ $ref: '#/components/schemas/P_Q' });
  });

  it('back into the entry by the name of its folder are local', async () => {
    const document = await withFolder(
      {
        'api/openapi.yaml': schemas('A: { type: string }\n    B: { $ref: b.yaml }'),
        'api/b.yaml': 'type: array\nitems: { $ref: "../api/openapi.yaml#/components/schemas/A" }\n',
      },
      async (folder) => (await readContract(`${folder}/api`)).document as Json,
    );
    expect(document.components.schemas).toEqual({
      A: { type: 'string' },
      B: { type: 'array', items: { $ref: '#/components/schemas/A' } },
    });
  });

  it('of path items are followed through files to the operations', async () => {
    const { paths } = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x: { $ref: one.yaml }\n`,
      'one.yaml': '$ref: two.yaml\n',
      'two.yaml': operation,
    });
    expect(paths['/x'].get.operationId).toBe('get');
  });

  it('of path items keep what stands beside them', async () => {
    const { paths } = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x/{id}:\n    parameters: [{ $ref: id.yaml }]\n    $ref: item.yaml\n`,
      'item.yaml': `summary: An item\n${operation}`,
      'id.yaml': 'name: id\nin: path\nrequired: true\nschema: { type: string }\n',
    });
    expect(paths['/x/{id}']).toMatchObject({
      summary: 'An item',
      parameters: [{ $ref: '#/components/parameters/id' }],
      get: { operationId: 'get' },
    });
  });

  it('of a callback to the path item around it stay references', async () => {
    const document = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x: { $ref: item.yaml }\n`,
      'item.yaml':
        "post:\n  operationId: post\n  responses: { '204': { description: Fine. } }\n  callbacks: { again: { '{$request.body#/url}': { $ref: item.yaml } } }\n",
    });
    expect(document.paths['/x'].post.callbacks.again['{$request.body#/url}']).toEqual({
      $ref: '#/components/pathItems/item',
    });
  });

  it('are not looked for in data, and a property may be called `$ref`', async () => {
    const { components, ...document } = await documentOf({
      'openapi.yaml': `${schemas(
        'S: { type: object, enum: [{ $ref: no }], const: { $ref: no }, default: { $ref: no }, x-a: { $ref: no } }\n    T: { type: object, properties: { $ref: { type: string }, $id: { type: string } } }',
      )}x-data: { $ref: no }\n`,
    });
    expect(components.schemas.S).toEqual({
      type: 'object',
      enum: [{ $ref: 'no' }],
      const: { $ref: 'no' },
      default: { $ref: 'no' },
      'x-a': { $ref: 'no' },
    });
    expect(components.schemas.T.properties.$ref).toEqual({ type: 'string' });
    expect(document['x-data']).toEqual({ $ref: 'no' });
  });

  it('of a discriminator may be names with a dot', async () => {
    const { components } = await documentOf({
      'openapi.yaml': schemas(
        'cat.v1: { type: object }\n    Pet: { oneOf: [{ $ref: "#/components/schemas/cat.v1" }], discriminator: { propertyName: kind, mapping: { CAT: cat.v1 } } }',
      ),
    });
    expect(components.schemas.Pet.discriminator.mapping).toEqual({ CAT: 'cat.v1' });
  });
});

describe('references to other folders', () => {
  const reader = (ref: string) => schemas(`A: { $ref: ${ref} }`);
  const outside = 'type: string\n';

  it.each<[string, Files, boolean]>([
    ['within the repository', { '.git/HEAD': '', 'api/package.json': '{}', 'shared.yaml': outside }, true],
    ['out of the repository', { 'package.json': '{}', 'api/.git/HEAD': '', 'shared.yaml': outside }, false],
    [
      'below the outermost package.json',
      { 'package.json': '{}', 'api/package.json': '{}', 'shared.yaml': outside },
      true,
    ],
    ['above any package.json', { 'api/package.json': '{}', 'shared.yaml': outside }, false],
    ['where nothing says what the project is', { 'shared.yaml': outside }, false],
    ['that are not there', { 'api/package.json': '{}' }, false],
  ])('%s', async (_, files, isRead) => {
    await withFolder({ ...files, 'api/contracts/openapi.yaml': reader('../../shared.yaml') }, async (folder) => {
      const { document, findings } = await readContract(`${folder}/api/contracts`);
      if (isRead) expect([findings, (document as Json).components.schemas.A]).toEqual([[], { type: 'string' }]);
      else
        expect(findings).toMatchObject([
          {
            rule: 'reference-outside',
            severity: 'error',
            message: '`../../shared.yaml` is outside of the project.',
            location: { file: 'openapi.yaml', line: 6, pointer: '/components/schemas/A/$ref' },
          },
        ]);
    });
  });

  it('within the contract lead nowhere else', async () => {
    const files = { 'openapi.yaml': reader('parts/a.yaml'), 'parts/a.yaml': "$ref: '../../../../../../etc/passwd'\n" };
    const { findings } = await withFolder(files, readContract);
    expect(findings).toMatchObject([{ rule: 'reference-outside', location: { file: 'parts/a.yaml', line: 1 } }]);
  });
});

describe('YAML', () => {
  it('keeps dates as strings, copies aliases and merges `<<` below what is said beside it', async () => {
    const { components } = await documentOf({
      'openapi.yaml': schemas(
        'A: &a { type: string, const: 2026-01-01 }\n    B: { <<: *a, description: Own., type: [string, "null"] }\n    C: *a',
      ),
    });
    expect(components.schemas).toEqual({
      A: { type: 'string', const: '2026-01-01' },
      B: { description: 'Own.', type: ['string', 'null'], const: '2026-01-01' },
      C: { type: 'string', const: '2026-01-01' },
    });
  });
});

describe('OpenAPI 3.0', () => {
  it('reads `nullable` beside a composition as null, and nothing beside a reference but words', async () => {
    const { components } = await documentOf({
      'openapi.yaml': schemas(
        'A: { type: object }\n    B: { nullable: true, allOf: [{ $ref: "#/components/schemas/A" }], description: Or none. }\n    C: { nullable: true, oneOf: [{ type: string }, { type: integer }] }\n    D: { type: object, properties: { a: { $ref: "#/components/schemas/A", nullable: true, description: Said here. } } }',
      ).replace('3.1.0', '3.0.3'),
    });
    const a = { $ref: '#/components/schemas/A' };
    expect(components.schemas.B).toEqual({ description: 'Or none.', anyOf: [a, { type: 'null' }] });
    expect(components.schemas.C).toEqual({
      anyOf: [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }],
    });
    expect(components.schemas.D.properties.a).toEqual({ ...a, description: 'Said here.' });
  });
});
