import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import type { ContractSource } from '../../../src/compiler/model/source.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { withFolder } from '../../support/folder.ts';

type Files = Readonly<Record<string, string>>;
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const read = (files: Files): Promise<ContractSource> => withFolder(files, readContract);
const head = 'openapi: 3.1.0\ninfo: { title: Test, version: 1.0.0 }\n';
const answer = (ref: string): string =>
  `get: { operationId: get, responses: { '200': { description: Fine., content: { application/json: { schema: { $ref: '${ref}' } } } } } }\n`;

async function documentOf(files: Files): Promise<Json> {
  const { document, findings } = await read(files);
  expect(findings).toEqual([]);
  return document;
}

const schemaOf = (document: Json, path = '/x'): Json =>
  document.paths[path].get.responses['200'].content['application/json'].schema;

describe('readContract', () => {
  it('makes one document of many files', async () => {
    const document = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x: { $ref: paths/x.yaml }\n`,
      'paths/x.yaml': answer('../schemas/Thing.yaml'),
      'schemas/Thing.yaml':
        'type: object\nproperties:\n  part: { $ref: "parts.yaml#/Part" }\n  next: { $ref: Thing.yaml }\n',
      'schemas/parts.yaml': 'Part: { type: string }\n',
    });
    expect(schemaOf(document)).toEqual({ $ref: '#/components/schemas/Thing' });
    expect(document.components.schemas).toEqual({
      Thing: {
        type: 'object',
        properties: { part: { $ref: '#/components/schemas/Part' }, next: { $ref: '#/components/schemas/Thing' } },
      },
      Part: { type: 'string' },
    });
  });

  it('gives what two files call the same two names, and one target one name', async () => {
    const document = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x:\n    ${answer('a/Thing.yaml')}  /y:\n    ${answer('b/Thing.yaml').replace('get,', 'getY,')}  /z:\n    ${answer('a/../a/Thing.yaml').replace('get,', 'getZ,')}`,
      'a/Thing.yaml': 'type: string\n',
      'b/Thing.yaml': 'type: integer\n',
    });
    expect(schemaOf(document, '/z')).toEqual(schemaOf(document, '/x'));
    expect(document.components.schemas).toEqual({ Thing: { type: 'string' }, Thing2: { type: 'integer' } });
  });

  it('keeps the name that `components` gives a file, and references back into the entry', async () => {
    const document = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x:\n    ${answer('thing.yaml')}components:\n  schemas:\n    Named: { $ref: thing.yaml }\n    Local: { type: string }\n`,
      'thing.yaml': "type: array\nitems: { $ref: 'openapi.yaml#/components/schemas/Local' }\n",
    });
    expect(schemaOf(document)).toEqual({ $ref: '#/components/schemas/Named' });
    expect(document.components.schemas.Named.items).toEqual({ $ref: '#/components/schemas/Local' });
  });

  it('keeps what stands beside a reference, and leaves data alone', async () => {
    const document = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x:\n    ${answer('thing.yaml')}`,
      'thing.yaml':
        'type: object\nproperties:\n  part: { $ref: part.yaml, description: Said here. }\nexamples: [{ $ref: nowhere.yaml }]\n',
      'part.yaml': 'type: string\n',
    });
    const { Thing: _, thing } = document.components.schemas;
    expect(thing.properties.part).toEqual({ $ref: '#/components/schemas/part', description: 'Said here.' });
    expect(thing.examples).toEqual([{ $ref: 'nowhere.yaml' }]);
  });

  it('localises the mapping of a discriminator', async () => {
    const document = await documentOf({
      'openapi.yaml': `${head}paths:\n  /x:\n    ${answer('pet.yaml')}`,
      'pet.yaml':
        'oneOf: [{ $ref: cat.yaml }]\ndiscriminator: { propertyName: kind, mapping: { CAT: cat.yaml, cat: cat } }\n',
      'cat.yaml': 'type: object\nrequired: [kind]\nproperties: { kind: { const: CAT } }\n',
    });
    expect(document.components.schemas.pet.discriminator.mapping).toEqual({
      CAT: '#/components/schemas/cat',
      cat: 'cat',
    });
  });

  it('knows the place of every node in its own file', async () => {
    const { document, locate } = await read({
      'openapi.yaml': `${head}paths:\n  /x: { $ref: paths/x.yaml }\n`,
      'paths/x.yaml': answer('../thing.yaml'),
      'thing.yaml': 'type: object\nproperties:\n  part:\n    type: string\n',
    });
    const { thing } = (document as Json).components.schemas;
    expect(locate(thing.properties, 'part')).toEqual({
      file: 'thing.yaml',
      line: 3,
      column: 3,
      pointer: '/properties/part',
    });
    expect(locate(thing.properties.part, 'type')).toMatchObject({
      file: 'thing.yaml',
      line: 4,
      pointer: '/properties/part/type',
    });
    expect(locate((document as Json).paths['/x'].get)).toMatchObject({
      file: 'paths/x.yaml',
      line: 1,
      pointer: '/get',
    });
  });

  it('makes 3.1 of OpenAPI 3.0', async () => {
    const document = await documentOf({
      'openapi.json': JSON.stringify({
        openapi: '3.0.3',
        info: { title: 'Old', version: '1' },
        paths: {},
        components: {
          schemas: {
            Old: {
              type: 'object',
              properties: {
                a: { type: 'string', nullable: true, enum: ['A'], example: 'A' },
                b: { type: 'integer', minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
                c: { type: 'string', format: 'byte' },
              },
            },
          },
        },
      }),
    });
    expect(document.openapi).toBe('3.1.0');
    expect(document.components.schemas.Old.properties).toEqual({
      a: { type: ['string', 'null'], enum: ['A', null], examples: ['A'] },
      b: { type: 'integer', exclusiveMinimum: 1, maximum: 9 },
      c: { type: 'string', contentEncoding: 'base64' },
    });
  });

  it.each<[string, Files, object]>([
    ['no file', {}, { rule: 'file-missing', location: { file: 'openapi.yaml', line: 1 } }],
    ['no object', { 'openapi.yaml': '- 1\n' }, { rule: 'openapi-version' }],
    ['no version', { 'openapi.yaml': 'info: {}\n' }, { rule: 'openapi-version' }],
    [
      'Swagger 2.0',
      { 'openapi.yaml': 'info: {}\nswagger: "2.0"\n' },
      { rule: 'openapi-version', location: { line: 2 } },
    ],
    ['broken YAML', { 'openapi.yaml': `${head}paths: [\n` }, { rule: 'syntax' }],
    [
      'a key twice',
      { 'openapi.yaml': `${head}paths: {}\npaths: {}\n` },
      { rule: 'duplicate-key', location: { line: 4 } },
    ],
    [
      'a dangling reference',
      { 'openapi.yaml': `${head}paths:\n  /x:\n    ${answer('#/components/schemas/No')}` },
      {
        rule: 'reference-unresolved',
        location: { line: 5, pointer: '/paths/~1x/get/responses/200/content/application~1json/schema/$ref' },
      },
    ],
    [
      'a reference to no file',
      { 'openapi.yaml': `${head}paths:\n  /x: { $ref: no.yaml }\n` },
      { rule: 'file-missing', location: { line: 4, pointer: '/paths/~1x/$ref' } },
    ],
    [
      'a reference to another host',
      { 'openapi.yaml': `${head}paths:\n  /x: { $ref: 'https://example.com/x.yaml' }\n` },
      { rule: 'reference-remote', location: { line: 4 } },
    ],
    [
      'references in a circle',
      { 'openapi.yaml': `${head}paths: {}\ncomponents:\n  schemas:\n    A: { $ref: '#/components/schemas/A' }\n` },
      { rule: 'reference-circular', location: { line: 6 } },
    ],
    [
      'a parameter without a place',
      { 'openapi.yaml': `${head}paths: {}\ncomponents:\n  parameters:\n    P:\n      name: p\n      schema: {}\n` },
      {
        rule: 'openapi-structure',
        message: 'This is not valid OpenAPI: `P` has no `in`.',
        location: { line: 6, pointer: '/components/parameters/P' },
      },
    ],
  ])('reports %s', async (_, files, expected) => {
    const { findings } = await read(files);
    expect(findings[0]).toMatchObject({ severity: 'error', ...expected });
  });

  it('reports all faults, not the first', async () => {
    const { findings } = await read({
      'openapi.yaml': `${head}paths:\n  /x: { $ref: no.yaml }\n  /y:\n    ${answer('#/nowhere')}  /z: { $ref: also-no.yaml }\n`,
    });
    expect(findings.map(({ rule }) => rule)).toEqual(['file-missing', 'file-missing', 'reference-unresolved']);
  });

  it('reads the shipped contract the same each time, without a finding', async () => {
    const [one, two] = [await readContract('contracts'), await readContract('contracts')];
    expect(one.findings).toEqual([]);
    expect(JSON.stringify(one.document)).toBe(JSON.stringify(two.document));
    expect(JSON.stringify(one.document)).not.toContain('.yaml');
  });

  it('reads an ordinary document of 500 operations', async () => {
    const paths = Array.from({ length: 250 }, (_, n) => [
      `/things${n}/{id}`,
      {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        get: {
          operationId: `get${n}`,
          responses: {
            200: {
              description: 'Fine.',
              content: { 'application/json': { schema: { $ref: `#/components/schemas/T${n}` } } },
            },
          },
        },
        post: {
          operationId: `do${n}`,
          requestBody: {
            content: { 'text/plain': {}, 'application/json': { schema: { $ref: `#/components/schemas/T${n}` } } },
          },
          responses: { default: { description: 'Any.' } },
        },
      },
    ]);
    const schemas = Array.from({ length: 250 }, (_, n) => [
      `T${n}`,
      {
        allOf: [
          { type: 'object', properties: { next: { $ref: `#/components/schemas/T${(n + 1) % 250}` } } },
          { oneOf: [{ type: 'object' }] },
        ],
      },
    ]);
    const document = {
      openapi: '3.1.0',
      info: { title: 'Big', version: '1' },
      paths: Object.fromEntries(paths),
      components: { schemas: Object.fromEntries(schemas) },
    };
    const source = await read({ 'openapi.json': JSON.stringify(document) });
    const { model, findings } = buildModel(source);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(model!.operations).toHaveLength(500);
    expect(model!.operations.every((operation) => operation.default === undefined)).toBe(true);
  });
});
