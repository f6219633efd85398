import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { serve, type TestService } from '../../../src/tools/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';
import { typeErrors } from '../../support/type-check.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []) => ({ type: 'object', properties, required });

const SCHEMAS = {
  Cat: object({ kind: { const: 'cat' }, lives: { type: 'integer' } }, ['kind', 'lives']),
  Dog: object({ kind: { enum: ['dog', 'hound'] }, tricks: text }, ['kind', 'tricks']),
  Pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } },
  Point: object({ x: text, y: text }),
};

/** Schemas, with values that the server accepts and values that it refuses; both hold for the type. */
const CASES: Readonly<
  Record<string, readonly [schema: object, valid: readonly unknown[], invalid: readonly unknown[]]>
> = {
  discriminator: [
    ref('Pet'),
    [
      { kind: 'cat', lives: 9 },
      { kind: 'dog', tricks: 'sit' },
      { kind: 'hound', tricks: 'run' },
    ],
    [
      { kind: 'Cat', lives: 9 },
      { kind: 'cat', tricks: 'sit' },
      { kind: 'dog', lives: 9 },
    ],
  ],
  nullExcluded: [{ type: ['string', 'null'], enum: ['a', 'b'] }, ['a'], [null, 'c']],
  nullListed: [{ type: ['string', 'null'], enum: ['a', null] }, ['a', null], ['b']],
  typesOfEnum: [{ type: ['string', 'integer', 'null'], enum: ['a', 1] }, ['a', 1], [null, 2]],
  requiredBeside: [{ ...ref('Point'), required: ['x'] }, [{ x: '1' }, { x: '1', y: '2' }], [{ y: '2' }, {}]],
  propertiesBeside: [
    { ...ref('Point'), type: 'object', properties: { z: { type: 'integer' } }, required: ['z'] },
    [{ z: 1 }, { x: '1', z: 1 }],
    [{ x: '1' }, { z: 'text' }],
  ],
  enumBeside: [{ $ref: '#/components/schemas/Kind', enum: ['a'] }, ['a'], ['b', 'c']],
};

const document = {
  openapi: '3.1.0',
  info: { title: 'Types', version: '1' },
  paths: Object.fromEntries(
    Object.entries(CASES).map(([name, [schema]]) => [
      `/${name}`,
      {
        post: {
          operationId: name,
          requestBody: {
            required: true,
            content: { 'application/json': { schema: object({ value: schema }, ['value']) } },
          },
          responses: { 204: { description: 'Taken.' } },
        },
      },
    ]),
  ),
  components: { schemas: { ...SCHEMAS, Kind: { type: 'string', enum: ['a', 'b'] } } },
};

let service: TestService;
let types: string;

beforeAll(async () => {
  const { model, files } = await withFolder({ 'openapi.json': JSON.stringify(document) }, (folder) =>
    compileContract(folder),
  );
  types = files!.get('types/openapi.ts')!;
  const handlers = Object.fromEntries(Object.keys(CASES).map((name) => [name, () => ({ status: 204 })]));
  service = await serve({ contract: model!, handlers: { operations: handlers } as never });
});
afterAll(() => service.close());

describe('a value', () => {
  test.each(Object.entries(CASES))('%s fits its type if the server accepts it', async (name, [, valid, invalid]) => {
    const values = [...valid, ...invalid];
    for (const value of values) {
      const { status } = await service.anonymous.request('POST', `/${name}`, { body: { value } });
      expect([value, status]).toEqual([value, valid.includes(value) ? 204 : 400]);
    }
  });

  test('that the server refuses has no place in its type', async () => {
    const body = (name: string) => `operations['${name}']['requestBody']['content']['application/json']['value']`;
    const lines = Object.entries(CASES).flatMap(([name, [, valid, invalid]]) =>
      [...valid, ...invalid].map((value) => [name, value, valid.includes(value)] as const),
    );
    const text = [
      `import type { operations } from './openapi.ts';`,
      ...lines.map(([name, value], index) => `export const v${index}: ${body(name)} = ${JSON.stringify(value)};`),
    ].join('\n');
    const errors = (await typeErrors({ 'openapi.ts': types, 'values.ts': text })).get('values.ts')!;
    const faulty = new Set(errors.map((error) => Number.parseInt(error, 10) - 2));
    expect(lines.filter((_, index) => !faulty.has(index))).toEqual(lines.filter(([, , isValid]) => isValid));
  });
});
