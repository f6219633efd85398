import { existsSync, readdirSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileContract, modelContract } from '../../src/compiler/compile-contract.ts';
import { LIBRARY } from '../../src/compiler/emit/folder/library.ts';
import { runGate } from '../../src/compiler/gate/gate.ts';
import { releaseContract } from '../../src/compiler/gate/release.ts';
import { readContract } from '../../src/compiler/read/read-contract.ts';
import type { Keep } from '../../src/descriptor/keep.ts';
import { withFolder } from '../support/folder.ts';
import { invalidContracts, withInvalidContract } from '../support/invalid-contracts.ts';
import { oneIn } from '../support/thorough.ts';

const root = join(import.meta.dirname, '../..');
const fixtures = readdirSync(join(root, 'test/fixtures')).map((name) => join('test/fixtures', name));
const folders = ['contracts', ...fixtures].filter((folder) => existsSync(join(root, folder, 'openapi.yaml')));

/** Keeps in memory; `made` has what was not there. */
function keepInMemory() {
  const texts = new Map<string, string>();
  const made: string[] = [];
  const keyOf = (kind: string, inputs: readonly string[]) => JSON.stringify([kind, inputs]);
  const keep: Keep = {
    read: (kind, inputs) => texts.get(keyOf(kind, inputs)),
    write: (kind, inputs, text) => {
      made.push(kind);
      texts.set(keyOf(kind, inputs), text);
    },
  };
  return { keep, made };
}

describe('a contract whose parts an earlier run has made', () => {
  it.each(oneIn(3, folders))('%s compiles to the same, and nothing of it is made again', async (folder) => {
    const { keep, made } = keepInMemory();
    const { files, findings, parity } = await compileContract(join(root, folder), LIBRARY, keep);
    expect(made).toEqual(expect.arrayContaining(files ? ['files', 'types'] : ['files']));
    made.length = 0;
    const again = await compileContract(join(root, folder), LIBRARY, keep);
    expect(made).toEqual([]);
    expect(again.findings).toEqual(findings);
    expect(again.parity).toEqual(parity);
    expect(again.files).toEqual(files);
  });

  it('has the same faults, at the same places', async () => {
    for (const name of oneIn(6, [...invalidContracts.keys()]))
      await withInvalidContract(name, async (folder) => {
        const { keep } = keepInMemory();
        const { findings } = await modelContract(folder, keep);
        expect((await modelContract(folder, keep)).findings, name).toEqual(findings);
      });
  });
});

it('a contract that was compared with its release is not compared again, unless it has changed', () =>
  withFolder({}, async (folder) => {
    const { keep, made } = keepInMemory();
    const [contracts, entry] = [join(folder, 'contracts'), join(folder, 'contracts/openapi.yaml')];
    await cp(join(root, 'test/fixtures/cats'), contracts, { recursive: true });
    const options = { contracts, out: join(folder, 'generated'), date: '2026-11-21', keep };
    await releaseContract({ ...options, isDryRun: false });
    const changesWith = async (maximum: number) => {
      await writeFile(entry, (await readFile(entry, 'utf8')).replace(/maximum: \d+/, `maximum: ${maximum}`));
      made.length = 0;
      return runGate(options, ['changes']);
    };
    const changes = await changesWith(50);
    expect(made).toContain('differences');
    expect(await changesWith(50)).toEqual(changes);
    expect(made).toEqual([]);
    expect(await changesWith(40)).not.toEqual(changes);
    expect(made).toContain('differences');
  }));

const ENTRY = `openapi: 3.1.0
info: { title: Lamps, version: 1.0.0 }
paths:
  /lamps: { $ref: lamps.yaml }
  /shades: { $ref: shades.yaml }
`;
const item = (id: string): string => `get:
  operationId: ${id}
  responses:
    '200': { description: ok }
`;

describe('an edit', () => {
  const files = { 'openapi.yaml': ENTRY, 'lamps.yaml': item('getLamps'), 'shades.yaml': item('getShades') };

  it('is seen, with its place', async () => {
    const { keep } = keepInMemory();
    const { model } = await withFolder(files, (folder) => modelContract(folder, keep));
    const edited = { ...files, 'shades.yaml': `# Shades\n${item('getAllShades')}` };
    const now = await withFolder(edited, (folder) => modelContract(folder, keep));
    const idsOf = (one: typeof model) => one?.operations.map(({ operationId }) => operationId);
    expect(idsOf(model)).toEqual(['getLamps', 'getShades']);
    expect(idsOf(now.model)).toEqual(['getLamps', 'getAllShades']);
    expect(now.model?.operations.map(({ location: { file, line } }) => `${file}:${line}`)).toEqual([
      'lamps.yaml:1',
      'shades.yaml:2',
    ]);
  });

  it.each([
    ['a zero below zero', 'x-offset: -0.0'],
    ['what is no JSON', 'x-large: 1e999'],
    ['an alias and a merge', 'x-a: &a { b: 1 }\nx-c: *a\nx-d: { <<: *a, e: 2 }'],
    ['a name of its own kind', '"__proto__": { "x-9": 1, "x-1": 2 }'],
  ])('with %s is read as it was', async (_, line) => {
    const { keep } = keepInMemory();
    await withFolder({ ...files, 'shades.yaml': item('getShades') + line }, async (folder) => {
      const first = await readContract(folder, { keep });
      const second = await readContract(folder, { keep });
      expect(second.findings).toEqual(first.findings);
      expect(second.document).toEqual(first.document);
    });
  });
});

const TYPED = `openapi: 3.1.0
info: { title: Lamps, version: 1.0.0 }
paths:
  /lamps:
    get:
      operationId: getLamps
      parameters: [{ $ref: '#/components/parameters/Page' }]
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Any' } } } }
    post:
      operationId: postLamp
      requestBody:
        content:
          application/json:
            schema: { allOf: [{ $ref: '#/components/schemas/Lamp' }], required: [watts] }
      responses:
        '204': { description: ok }
components:
  parameters:
    Page: { name: page, in: query, required: false, schema: { type: integer } }
  schemas:
    Lamp: { type: object, properties: { watts: { type: integer } } }
    Desk: { type: object, properties: { kind: { type: string } } }
    Floor: { type: object, properties: { kind: { type: string } } }
    Any:
      oneOf: [{ $ref: '#/components/schemas/Desk' }, { $ref: '#/components/schemas/Floor' }]
      discriminator: { propertyName: kind, mapping: { D: '#/components/schemas/Desk', F: '#/components/schemas/Floor' } }
`;

describe('types of the parts that an edit leaves as they are', () => {
  it.each([
    ['a parameter that they refer to', 'required: false', 'required: true'],
    ['a schema that they extend', 'watts: { type: integer }', 'lumens: { type: integer }'],
    ['a discriminator that they are values of', 'mapping: { D:', 'mapping: { E:'],
    ['a description', "'200': { description: ok", "'200': { description: all of them"],
  ])('follow %s', async (_, from, to) => {
    const { keep } = keepInMemory();
    const typesOf = (text: string, kept?: Keep) =>
      withFolder({ 'openapi.yaml': text }, async (folder) => {
        const { files, findings } = await compileContract(folder, LIBRARY, kept);
        return files?.get('types/openapi.ts') ?? findings;
      });
    const before = await typesOf(TYPED, keep);
    const edited = TYPED.replace(from, to);
    const after = await typesOf(edited, keep);
    expect(after).not.toEqual(before);
    expect(after).toEqual(await typesOf(edited));
  });
});
