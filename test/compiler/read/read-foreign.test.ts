import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/compiler/build-model.ts';
import { readContract } from '../../../src/compiler/read/read-contract.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Json = any;

const FOREIGN = 'test/fixtures/foreign';

/** Every `$ref` of a document that is one, and not data. */
const references = (value: Json): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, member]) =>
        key === 'value' ? [] : key === '$ref' ? [member as string] : references(member),
      );

describe('documents without our conventions', () => {
  it.each(readdirSync(FOREIGN))('%s is read and modelled with warnings at most', async (name) => {
    const source = await readContract(`${FOREIGN}/${name}`);
    const { model, findings } = buildModel(source);
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(source.document.openapi).toMatch(/^3\.1/);
    expect(references(source.document).filter((ref) => !ref.startsWith('#/'))).toEqual([]);
    expect(model!.operations.length).toBeGreaterThan(0);
  });

  it('workshop keeps its names, recursion, alternatives and members beside a reference', async () => {
    const { document }: { document: Json } = await readContract(`${FOREIGN}/workshop`);
    const { schemas, responses } = document.components;
    expect(Object.keys(schemas).sort()).toEqual(['Assembly', 'Base', 'Fixing', 'Glue', 'Screw']);
    expect(schemas.Assembly.properties).toEqual({
      name: { type: 'string' },
      parts: { type: 'array', items: { $ref: '#/components/schemas/Assembly' } },
      fixing: { $ref: '#/components/schemas/Fixing' },
      spare: { anyOf: [{ $ref: '#/components/schemas/Assembly' }, { type: 'null' }] },
    });
    expect(schemas.Fixing.discriminator.mapping).toEqual({
      screw: '#/components/schemas/Screw',
      glue: '#/components/schemas/Glue',
    });
    expect(Object.keys(responses)).toEqual(['failed']);
    expect(Object.keys(document.paths['/assemblies/{name}'])).toEqual(['summary', 'parameters', 'put']);
    expect(document.paths['/assemblies/{name}'].parameters).toEqual([{ $ref: '#/components/parameters/Name' }]);
    expect(document.components.examples.examples.value.madeOn).toBe('2026-01-31');
  });

  it('workshop knows the files of what was moved, merged and upgraded', async () => {
    const { document, locate }: { document: Json; locate: Awaited<ReturnType<typeof readContract>>['locate'] } =
      await readContract(`${FOREIGN}/workshop`);
    const { spare } = document.components.schemas.Assembly.properties;
    const item = document.paths['/assemblies/{name}'];
    expect(locate(spare.anyOf[1])).toMatchObject({ file: 'parts/assembly.yaml', line: 7 });
    expect(locate(item, 'put')).toMatchObject({
      file: 'parts/paths.yaml',
      line: 14,
      pointer: '/~1assemblies~1{name}/put',
    });
    expect(locate(item, 'summary')).toMatchObject({ file: 'openapi.yaml', line: 8 });
    expect(locate(document.components.schemas, 'Screw')).toMatchObject({ file: 'parts/fixings.yaml', line: 2 });
  });
});
