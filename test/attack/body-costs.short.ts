import { describe, expect, test } from 'vitest';
import { maxBodyValues } from '../../src/compiler/json-schema/body-limits.ts';
import type { OpenApiDocument, Schema } from '../../src/descriptor/document.ts';
import { validationFailed } from '../../src/runtime/engine/resource/validated.ts';
import type { FieldError } from '../../src/runtime/errors/api-error.ts';
import { createProblemRenderer } from '../../src/runtime/http/problem.ts';
import { createBodyReader } from '../../src/runtime/rest/request-body.ts';
import { createSchemaRegistry } from '../../src/runtime/schema/create-schema-registry.ts';
import { compared, cpuHere } from './support/cpu.ts';

/** As many values as are taken where a schema is open. */
const MANY = 9_900;
/** On a machine that does nothing else, it is four. */
const MAX_RATIO = 8;

const branch = (name: string): Schema => ({ type: 'object', required: [name], properties: { [name]: { const: 1 } } });
const document = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths: {},
  components: { schemas: { A: branch('a'), B: branch('b'), C: branch('c'), Text: { type: 'string', maxLength: 9 } } },
} as OpenApiDocument;

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const texts = { type: 'array', items: ref('Text') };
const open = { type: 'object', additionalProperties: { type: 'object', properties: { a: { type: 'integer' } } } };
const union = { type: 'array', items: { oneOf: [ref('A'), ref('B'), ref('C')] } };
const composed = { type: 'array', items: { allOf: [branch('a'), { type: 'object', properties: { b: {} } }] } };
const unique = { type: 'array', items: { type: 'string' }, uniqueItems: true };

const list = (count: number, item: (i: number) => string) => Array.from({ length: count }, (_, i) => item(i)).join();
const padded = (text: string, length = 100) => text.padEnd(length, 'x');

const CASES: readonly (readonly [what: string, schema: Schema, body: string])[] = [
  ['unknown keys', open, `{${list(MANY, (i) => `"k${i.toString(36)}":1`)}}`],
  ['long unknown keys', open, `{${list(MANY, (i) => `"${padded(`k${i}`)}":1`)}}`],
  ['objects with unknown keys', composed, `[${list(MANY / 3, (i) => `{"k":${i}}`)}]`],
  ['items of a wrong type', texts, `[${list(MANY, String)}]`],
  ['texts that are too long', texts, `[${list(MANY, () => `"${padded('')}"`)}]`],
  ['items that fit no branch', union, `[${list(MANY, String)}]`],
  ['objects that fit no branch', union, `[${list(MANY / 3, (i) => `{"x":${i}}`)}]`],
  ['arrays in arrays', union, `[${list(MANY / 3, () => '[[]]')}]`],
  ['items that are not unique', unique, `["0",${list(MANY - 1, (i) => `"${i}"`)}]`],
  ['deep nesting', open, `${'{"a":'.repeat(63)}"${padded('', 500_000)}"${'}'.repeat(63)}`],
  ['nesting that is too deep', texts, `[${'['.repeat(MANY / 2)}${']'.repeat(MANY / 2)}]`],
  ['one long text', texts, `["${padded('', 1_000_000)}"]`],
  ['one long key', open, `{"${padded('', 900_000)}":[${list(MANY / 3, () => '{"a":"x"}')}]}`],
  ['texts that cannot be stored', { type: 'array' }, `[${list(MANY, () => '"\\u0000"')}]`],
  ['the same below a long key', {}, `{"${padded('', 900_000)}":[${list(MANY / 2, () => '"\\u0000"')}]}`],
  ['JSON that does not end', texts, `[${list(MANY, (i) => `"${i}"`)}`],
  ['members that do not end', open, `{${list(MANY, (i) => `"k${i}":1`)}`],
  ['a text that does not end', texts, `["${padded('', 1_000_000)}`],
];

describe('a refused body costs little more than to parse it', () => {
  const render = createProblemRenderer({});

  test.each(CASES)('%s', async (_, schema, text) => {
    const content = { 'application/json': { schema, maxValues: maxBodyValues(document, schema) } };
    const reader = createBodyReader({ required: true, content }, createSchemaRegistry(document));
    const bytes = Buffer.from(text);
    const request = { headers: { 'content-type': 'application/json' }, body: bytes } as never;
    const refusal = (): string => {
      const faults: FieldError[] = [];
      try {
        reader.validate(reader.read(request, faults)!, faults);
        throw validationFailed(faults);
      } catch (error) {
        return render(error as never, { instance: '/', requestId: '' }).body;
      }
    };
    const parsing = (): void => {
      try {
        JSON.parse(bytes.toString());
      } catch {}
    };
    expect(JSON.parse(refusal())).toMatchObject({ status: 400 });
    expect(refusal().length).toBeLessThan(20_000);
    const { times, words } = await compared(
      MAX_RATIO,
      () => cpuHere(refusal),
      () => cpuHere(parsing),
    );
    expect(times, words).toBeLessThanOrEqual(MAX_RATIO);
  });
});
