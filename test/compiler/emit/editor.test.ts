import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { starterFiles } from '../../../src/authoring/scaffold/starter.ts';
import { emitEditor } from '../../../src/compiler/emit/emit-editor.ts';
import { EXTENSIONS } from '../../../src/compiler/model/extensions/extensions.ts';

const contracts = join(import.meta.dirname, '../../../contracts');
const files = emitEditor();
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
for (const [path, text] of files) ajv.addSchema(JSON.parse(text), path);

/** What an editor reports in a value, by the name of its schema. */
function faultsIn(schema: string, value: unknown): readonly string[] {
  const isValid = ajv.getSchema(`editor/${schema}.json`)!;
  return isValid(value) ? [] : isValid.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

interface Definition {
  readonly properties: Readonly<Record<string, { readonly description?: string }>>;
}

const { $defs } = JSON.parse(files.get('editor/openapi.json')!) as {
  readonly $defs: Readonly<Record<string, Definition>>;
};

describe('the schemas for editors', () => {
  it.each([
    ['openapi', 'openapi.yaml'],
    ['path-item', 'paths/*.yaml'],
    ['parameter', 'parameters/*.yaml'],
    ['response', 'responses/*.yaml'],
    ['schema', 'schemas/*.yaml'],
  ])('take the shipped contract: %s', (schema, pattern) => {
    const paths = globSync(pattern, { cwd: contracts });
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      const text = readFileSync(join(contracts, path), 'utf8');
      expect(faultsIn(schema, parse(text)), path).toEqual([]);
      expect(text.split('\n')[0], path).toMatch(
        new RegExp(`^# yaml-language-server: \\$schema=(../)+generated/editor/${schema}.json$`),
      );
    }
  });

  it('find states that are not lists, in a file of their own and in the whole document', () => {
    const wrong = { type: 'string', enum: ['OPEN', 'DONE'], 'x-transitions': { OPEN: 'DONE' } };
    expect(faultsIn('schema', wrong)).toEqual(['/x-transitions/OPEN must be array']);
    const document = { openapi: '3.1.0', components: { schemas: { Task: { properties: { status: wrong } } } } };
    expect(faultsIn('openapi', document)).toEqual([
      '/components/schemas/Task/properties/status/x-transitions/OPEN must be array',
    ]);
  });

  it.each([
    ['schema', { 'x-owner': { scope: 'loans:admin' } }, "/x-owner must have required property 'property'"],
    ['schema', { 'x-on-delete': 'ignore' }, '/x-on-delete must be equal to one of the allowed values'],
    ['schema', { type: 'text' }, '/type must be equal to one of the allowed values'],
    ['path-item', { get: { 'x-sunset': 'soon' } }, '/get/x-sunset must match format "date"'],
    [
      'path-item',
      { get: { responses: { 409: { 'x-error-codes': 'GONE' } } } },
      '/get/responses/409/x-error-codes must be array',
    ],
    ['parameter', { name: 'limit', in: 'body' }, '/in must be equal to one of the allowed values'],
  ])('find what is wrong with a %s: %j', (schema, value, fault) => {
    expect(faultsIn(schema, value)).toContain(fault);
  });

  it('complete every extension where it belongs, and say what it means', () => {
    const kinds = {
      document: 'document',
      info: 'info',
      operation: 'operation',
      parameter: 'parameter',
      response: 'response',
    } as const;
    for (const [name, { shapes, description }] of Object.entries(EXTENSIONS))
      for (const place of Object.keys(shapes)) {
        const definition = $defs[kinds[place as keyof typeof kinds] ?? 'schema']!;
        expect(definition.properties[name]?.description, `${name} on ${place}`).toContain(description);
      }
  });

  it('are named by the files of a new project, each by its own', () => {
    const named = [...starterFiles('notes', '1.0.0', 'npm')].filter(([path]) => /^contracts\/.*\.yaml$/.test(path));
    expect(named.length).toBeGreaterThan(5);
    for (const [path, text] of named) {
      const [, schema] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(text)!;
      const file = join(path, '..', schema!).slice('generated/'.length);
      expect(files.has(file), `${path}: ${schema}`).toBe(true);
      expect(faultsIn(file.slice('editor/'.length, -'.json'.length), parse(text)), path).toEqual([]);
    }
  });
});
