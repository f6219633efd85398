import { describe, expect, it, test } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { applyFixes } from '../../../src/compiler/findings/fix.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';
import { withFolder } from '../../support/folder.ts';

const MEMBERS = 'A: { type: object, properties: { a: { type: string }, b: { type: integer } } }\n';

const ok =
  "responses: { '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/S' } } } } }";
const document = (schemas: string, more = ''): string => `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths:
  /a: { get: { operationId: a, ${ok} } }
${more}components:
  schemas:
    S: { type: object, properties: { a: { type: string } } }
${schemas}`;

const read = (text: string) =>
  withFolder({ 'openapi.yaml': text, 'parts.yaml': MEMBERS }, async (folder) => {
    const source = await readContract(folder);
    return { source, ...buildModel(source) };
  });

/** One reading each: what is written, what it is read as, and the text that its edits leave. */
const READINGS: readonly [name: string, text: string, edited: string][] = [
  [
    '`exclusiveMinimum: true` beside `minimum`',
    document('    T: { type: integer, minimum: 5, title: T, exclusiveMinimum: true }\n'),
    document('    T: { type: integer, title: T, exclusiveMinimum: 5 }\n'),
  ],
  [
    '`exclusiveMaximum: false`',
    document('    T:\n      type: integer\n      exclusiveMaximum: false\n      maximum: 5\n'),
    document('    T:\n      type: integer\n      maximum: 5\n'),
  ],
  [
    'doubles in `required`',
    document(
      '    T:\n      type: object\n      required:\n        - a\n        - b\n        - a\n      properties: { a: {}, b: {} }\n',
    ),
    document(
      '    T:\n      type: object\n      required:\n        - a\n        - b\n      properties: { a: {}, b: {} }\n',
    ),
  ],
  [
    'doubles in a `required` of one line',
    document('    T: { type: object, required: [a, b, a], properties: { a: {}, b: {} } }\n'),
    document('    T: { type: object, required: [a, b], properties: { a: {}, b: {} } }\n'),
  ],
  [
    '`required: true` on a property',
    document(
      '    T:\n      type: object\n      properties:\n        a:\n          type: string\n          required: true\n',
    ),
    document('    T:\n      type: object\n      properties:\n        a:\n          type: string\n'),
  ],
  [
    '`nullable: true` beside a type and an `enum`',
    document('    T: { type: string, enum: [a], nullable: true }\n'),
    document("    T: { type: [string, 'null'], enum: [a, null] }\n"),
  ],
  ['`nullable: false`', document('    T: { type: string, nullable: false }\n'), document('    T: { type: string }\n')],
  [
    '`properties` that is a reference',
    document("    T:\n      type: object\n      properties:\n        $ref: 'parts.yaml#/A/properties'\n"),
    document(
      '    T:\n      type: object\n      properties:\n        a: { $ref: parts.yaml#/A/properties/a }\n        b: { $ref: parts.yaml#/A/properties/b }\n'.replaceAll(
        /parts\S*/g,
        "'$&'",
      ),
    ),
  ],
  [
    '`components.schemas` that has a reference',
    document('    $ref: parts.yaml\n'),
    document("    A: { $ref: 'parts.yaml#/A' }\n"),
  ],
  [
    'one operationId twice',
    document(
      '',
      `  /b/{id}:\n    get: { operationId: a, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], ${ok} }\n`,
    ),
    document(
      '',
      `  /b/{id}:\n    get: { operationId: getBById, parameters: [{ name: id, in: path, required: true, schema: { type: string } }], ${ok} }\n`,
    ),
  ],
];

describe('in a document of others', () => {
  it.each(READINGS)('%s is read with a warning and its edit', async (_, text, edited) => {
    const { model, findings, source } = await read(text);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    const forgiven = findings.filter(({ isForgiven }) => isForgiven);
    expect(forgiven).toHaveLength(1);
    expect(forgiven[0]).toMatchObject({ severity: 'warning', hint: expect.any(String) });
    expect(applyFixes(text, [forgiven[0]!.fix!])).toBe(edited);
    const again = await read(edited);
    expect(again.findings.filter(({ isForgiven }) => isForgiven)).toEqual([]);
    expect(source.document).toEqual(again.source.document);
    expect(model).toBeDefined();
  });
});

test('what a path has from a `?` on is a query, and its operations are left out with a warning', async () => {
  const { model, findings, source } = await read(document('', `  /a?beta=true: { get: { operationId: b, ${ok} } }\n`));
  expect(findings).toMatchObject([
    {
      severity: 'warning',
      location: { line: 5, pointer: '/paths/~1a?beta=true' },
      message: expect.stringContaining('not served'),
    },
  ]);
  expect(Object.keys(source.document.paths ?? {})).toEqual(['/a']);
  expect(model!.operations.map(({ operationId }) => operationId)).toEqual(['a']);
});

test.each([
  ["{ nullable: true, allOf: [{ $ref: '#/components/schemas/S' }] }", 'read as'],
  ["{ nullable: true, $ref: '#/components/schemas/S' }", 'ignored'],
])('null is declared by %s only beside what 3.0 has it for', async (schema, is) => {
  const { findings } = await read(document(`    T: ${schema}\n`));
  expect(findings).toMatchObject([
    { severity: 'warning', message: expect.stringContaining(`it is ${is}`), hint: expect.stringContaining('anyOf') },
  ]);
});

describe('in a document that follows the conventions', () => {
  it.each(READINGS)('%s is an error with its edit', async (_, text) => {
    const ours = text.replace("version: '1'", "version: '1', x-naming: { case: camelCase }");
    const { model, findings } = await read(ours);
    expect(findings.filter(({ isForgiven }) => isForgiven)).toMatchObject([{ severity: 'error' }]);
    expect(model).toBeUndefined();
  });
});
