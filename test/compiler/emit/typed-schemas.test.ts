import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../src/compiler/compile-contract.ts';
import { serve, type TestService } from '../../../src/proving/testing/serve.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';
import { CASES, SCHEMAS } from './typed-schemas.ts';

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
            content: {
              'application/json': { schema: { type: 'object', properties: { value: schema }, required: ['value'] } },
            },
          },
          responses: { 204: { description: 'Taken.' } },
        },
      },
    ]),
  ),
  components: { schemas: SCHEMAS },
};

let service: TestService;
let types: string;

beforeAll(async () => {
  const { model, files } = await withFolder({ 'openapi.json': JSON.stringify(document) }, (folder) =>
    compileContract(folder),
  );
  types = files!.get('types/openapi.ts')!;
  const handlers = Object.fromEntries(Object.keys(CASES).map((name) => [name, () => undefined]));
  service = await serve({ contract: model!, handlers: { operations: handlers } as never });
});
afterAll(() => service.close());

describe('a value', () => {
  test.each(Object.entries(CASES))(
    '%s fits its type if the server accepts it',
    async (name, [, valid, invalid, wider = []]) => {
      const values = [...valid, ...invalid, ...wider];
      for (const value of values) {
        const { status } = await service.anonymous.request('POST', `/${name}`, { body: { value } });
        expect([value, status]).toEqual([value, valid.includes(value) ? 204 : 400]);
      }
    },
  );

  test.each(['Written', 'Readable', 'Writable', 'Sent', 'Answered'])(
    'that the server refuses does not fit %s',
    async (view) => {
      const lines = Object.entries(CASES).flatMap(([name, [, valid, invalid]]) =>
        [...valid, ...invalid].map((value) => [name, value, valid.includes(value)] as const),
      );
      const text = [
        `import type { operations, Readable, Writable } from './openapi.ts';`,
        `import type { Answered, Sent } from '${libraryFrom(0)}';`,
        `type Written<T> = T;`,
        `type Of<Id extends keyof operations> = ${view}<operations[Id]['requestBody']['content']['application/json']>;`,
        ...lines.map(([name, value], index) => `export const v${index}: Of<'${name}'> = ${JSON.stringify({ value })};`),
      ].join('\n');
      const errors = (await typeErrors({ 'openapi.ts': types, 'values.ts': text }, UNUSED)).get('values.ts')!;
      const faulty = new Set(errors.map((error) => Number.parseInt(error, 10) - 5));
      expect(lines.filter((_, index) => !faulty.has(index))).toEqual(lines.filter(([, , isValid]) => isValid));
    },
  );

  test('has no read-only property in requests, and no write-only one in answers, at every depth', async () => {
    const text = `import type { components, Readable, Writable } from './openapi.ts';
import type { Answered, Sent } from '${libraryFrom(0)}';
type Secret = components['schemas']['Secret'];
const sent = { password: 'x', deep: [{ password: 'y' }], tuple: [{ password: 'z' }] as [{ password: string }] };
const answered = { id: 1, deep: [{ id: 2 }], tuple: [{ id: 3 }] as [{ id: number }] };
export const written: Writable<Secret> = sent;
export const writtenToo: Sent<Secret> = sent;
export const read: Readable<Secret> = answered;
export const readToo: Answered<Secret> = answered;
export const id: number = (answered as Readable<Secret>).tuple![0].id;
export const wrong: [Writable<Secret>, Readable<Secret>] = [
  { id: 1 },
  { password: 'x' },
];`;
    const errors = (await typeErrors({ 'openapi.ts': types, 'values.ts': text })).get('values.ts')!;
    expect(errors.map((error) => Number.parseInt(error, 10))).toEqual([12, 13]);
  });
});

const UNUSED = { noUnusedLocals: false };
