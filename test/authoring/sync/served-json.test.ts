import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import type { CompiledContract } from '../../../src/descriptor/compiled-contract.ts';
import { formatDifference } from '../../../src/proving/proof/record.ts';
import type { AnyHandlers } from '../../../src/runtime/wiring.ts';
import { databases } from '../../support/databases.ts';
import { withFolder } from '../../support/folder.ts';
import { type Service, startCompiled } from '../../support/service.ts';
import { proofOf } from '../../support/unseen-contracts.ts';

/** A document that is sent values of a schema, and answers them. */
const echoOf = (schemas: string): string => `openapi: 3.1.0
info: { title: Echo, version: 1.0.0 }
servers: [{ url: /v1 }]
paths:
  /values:
    post:
      operationId: echo
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Value' } } } }
      responses: { '200': { description: The same., content: { application/json: { schema: { $ref: '#/components/schemas/Value' } } } } }
  /lists:
    post:
      operationId: repeat
      requestBody: { required: true, content: { application/json: { schema: { type: object, required: [all], properties: { all: { type: array, items: { $ref: '#/components/schemas/Value' } } } } } } }
      responses: { '200': { description: The same., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Value' } } } } } }
  /names/{id}:
    get:
      operationId: find
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: where, in: query, content: { application/json: { schema: { type: object } } } }
      responses: { '200': { description: What was asked for., content: { application/json: { schema: {} } } } }
components:
  schemas:
${schemas}`;

const handlers = {
  operations: {
    echo: ({ input }: { readonly input: unknown }) => input,
    repeat: ({ input }: { readonly input: { readonly all: unknown } }) => input.all,
    find: ({ where = null }: { readonly where?: unknown }) => where,
  },
} as unknown as AnyHandlers;

interface Echo {
  readonly schemas: string;
  /** What is selected of a value; empty for `JSON`. */
  readonly selection: string;
  readonly values: readonly unknown[];
  readonly refused: readonly unknown[];
}

const ECHOES: Readonly<Record<string, Echo>> = {
  'members of any type': {
    schemas: `    Value:
      type: object
      required: [id]
      properties:
        id: { oneOf: [{ type: string }, { type: integer }] }
        data: {}
        extra: { type: object }
        flags: { type: array, items: { anyOf: [{ type: string }, { type: boolean }] } }
        sizes: { type: object, additionalProperties: { type: integer } }
        place: { type: array, prefixItems: [{ type: number }, { type: string }], items: false }
`,
    selection: '{ id data extra flags sizes place }',
    values: [
      {
        id: 'a',
        data: [1, 'two', { three: null }],
        extra: { a: { b: [] } },
        flags: ['x', true],
        sizes: { s: 1 },
        place: [1.5, 'm'],
      },
      { id: 7, data: null, extra: {}, flags: [], sizes: {}, place: [0] },
      {
        id: '',
        data: 'text',
        extra: { 'a-b': 1, __typename: 'T', $x: "it's" },
        flags: ['"'],
        sizes: { 'ü/~1': -3 },
        place: [],
      },
    ],
    refused: [
      { id: true },
      { id: 'a', sizes: { s: 'x' } },
      { id: 'a', flags: [1] },
      { id: 'a', extra: [] },
      { id: 'a', place: [1, 'a', 2] },
    ],
  },
  'members and entries that may be null': {
    schemas: `    Value:
      type: object
      required: [data, level, either, all]
      properties:
        data: {}
        level: { enum: [low, 1, null] }
        either: { anyOf: [{ type: string }, { type: integer }, { type: 'null' }] }
        all: { type: array, items: {} }
        more: { type: array }
        free: true
`,
    selection: '{ data level either all more free }',
    values: [
      { data: null, level: null, either: null, all: [null, 1, [null]], more: [null], free: null },
      { data: {}, level: 'low', either: 'x', all: [], more: [{ a: null }], free: false },
    ],
    refused: [
      { data: 1, level: 'high', either: 'x', all: [] },
      { level: null, either: null, all: [] },
    ],
  },
  'a union without a discriminator': {
    schemas: `    Value: { oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Fish' }, { type: integer }, { type: array, items: { type: string } }] }
    Cat: { type: object, required: [lives], properties: { lives: { type: integer } }, additionalProperties: false }
    Fish: { type: object, required: [fins], properties: { fins: { type: integer }, friend: { $ref: '#/components/schemas/Value' } }, additionalProperties: false }
`,
    selection: '',
    values: [{ lives: 9 }, { fins: 2, friend: { lives: 1 } }, 5, 0, ['a', '']],
    refused: [{ lives: 'x' }, { fins: 1, lives: 1 }, 'text', 1.5, [1], {}],
  },
  'a free object, and one of patterns': {
    schemas: `    Value: { type: object, minProperties: 1, patternProperties: { '^x-': { type: [string, 'null'] } }, additionalProperties: { type: array, items: {} } }
`,
    selection: '',
    values: [{ 'x-a': 'b', 'x-b': null, c: [1, [2], { d: null }] }, { __proto: [] }, { 'x-': '' }],
    refused: [{}, { 'x-a': 1 }, { c: 'no list' }, [], 'x'],
  },
  'a parent and its children': {
    schemas: `    Value: { type: object, required: [type], properties: { type: { type: string } }, discriminator: { propertyName: type, mapping: { made: '#/components/schemas/Made', gone: '#/components/schemas/Gone' } } }
    Made: { allOf: [{ $ref: '#/components/schemas/Value' }, { type: object, required: [by], properties: { by: { type: string } } }] }
    Gone: { allOf: [{ $ref: '#/components/schemas/Value' }, { type: object, properties: { why: { type: [string, 'null'] } } }] }
`,
    selection: '',
    values: [{ type: 'made', by: 'me' }, { type: 'gone', why: null }, { type: 'gone' }],
    refused: [{ type: 'made' }, { type: 'gone', why: 1 }, {}],
  },
};

const synchronised = (text: string): Promise<CompiledContract> =>
  withFolder({ 'openapi.yaml': text }, async (folder) => {
    const files = await ContractFiles.open(folder);
    expect(await synchronise(files, { contracts: folder, from: 'openapi' })).toMatchObject({
      restOnly: [],
      findings: [],
    });
    await files.save();
    const { model } = await modelContract(folder);
    return model!;
  });

describe.each(Object.entries(ECHOES))(
  '%s, over the SDL that sync wrote',
  (_name, { schemas, selection, values, refused }) => {
    let service: Service;
    beforeAll(async () => {
      service = await startCompiled(await synchronised(echoOf(schemas)), databases[0]!, handlers);
    });
    afterAll(() => service.close());

    const rest = (path: string, body: unknown) =>
      service.request('POST', `/v1${path}`, {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      });
    const typeIn = async (field: string): Promise<string> => {
      const { data } = await service.graphql(
        '{ __schema { mutationType { fields { name args { type { ofType { name } } } } } } }',
      );
      // biome-ignore lint/suspicious/noExplicitAny: the answer of an introspection
      return data.__schema.mutationType.fields.find((one: any) => one.name === field).args[0].type.ofType.name;
    };
    const graphql = async (field: string, input: unknown) =>
      service.graphql(`mutation ($input: ${await typeIn(field)}!) { ${field}(input: $input) ${selection} }`, {
        variables: { input },
      });

    it.each(values.map((value) => [value]))('is the same JSON in both protocols: %j', async (value) => {
      const sent = await rest('/values', value);
      expect([sent.status, sent.body]).toEqual([200, value]);
      const { data, errors } = await graphql('echo', value);
      expect(errors).toBeUndefined();
      expect(selection === '' ? data.echo : { ...data.echo }).toEqual(value);
    });

    it('is the same JSON in a list', async () => {
      expect((await rest('/lists', { all: values })).body).toEqual(values);
      expect((await graphql('repeat', { all: values })).data).toEqual({ repeat: values });
    });

    it.each(refused.map((value) => [value]))('is refused in both protocols: %j', async (value) => {
      expect((await rest('/values', value)).body.code).toBe('VALIDATION_FAILED');
      const { data, errors } = await graphql('echo', value);
      expect(data ?? null).toBeNull();
      expect(errors?.[0]?.extensions.code).toMatch(/^(VALIDATION_FAILED|BAD_USER_INPUT)$/);
    });

    it.each([[{ a: [null, 1] }], [{}]])('is the same JSON as a parameter: %j', async (where) => {
      const text = encodeURIComponent(JSON.stringify(where));
      expect((await service.request('GET', `/v1/names/a?where=${text}`)).body).toEqual(where);
      const document = 'query ($where: JSON) { find(id: "a", where: $where) }';
      expect((await service.graphql(document, { variables: { where } })).data).toEqual({ find: where });
    });

    it('has nothing that the proof finds', async () => {
      const { differences, unmet, succeeded, refused } = await proofOf(
        { name: 'echo', handlers, compiled: () => synchronised(echoOf(schemas)) },
        1,
      );
      expect(differences.map(formatDifference).join('\n\n')).toBe('');
      expect(unmet).toEqual([]);
      expect(Math.min(succeeded, refused)).toBeGreaterThan(0);
    });
  },
);
