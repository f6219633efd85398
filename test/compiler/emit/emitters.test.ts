import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { compileContract, modelContract } from '../../../src/compiler/compile-contract.ts';
import { operationTable } from '../../../src/tools/operation-table.ts';
import { withFolder } from '../../support/folder.ts';
import { libraryFrom, typeErrors } from '../../support/type-check.ts';

const golden = (path: string): string => `../fixtures/golden/${path}`;
const outputOf = async (contract: string) => (await compileContract(`test/fixtures/${contract}`)).files!;

/** After a wanted change: `npx vitest run test/codegen -u`, and read the difference. */
describe('the emitters print, character by character,', () => {
  it.each(['handlers.ts', 'resources.ts', 'types/resources.ts'])('%s of the smallest contract', async (file) => {
    await expect((await outputOf('cats')).get(file)).toMatchFileSnapshot(golden(`cats/${file}.txt`));
  });

  it.each(['handlers.ts', 'types/resources.ts'])(
    '%s of a contract with owners, sub-resources and server-made properties',
    async (file) => {
      await expect((await outputOf('library')).get(file)).toMatchFileSnapshot(golden(`library/${file}.txt`));
    },
  );

  it('handlers.ts of a contract with a custom operation and an API key', async () => {
    await expect((await outputOf('custom')).get('handlers.ts')).toMatchFileSnapshot(golden('custom/handlers.ts.txt'));
  });

  it.each(['library', 'custom', 'foreign/zoo'])('the table of operations of %s', async (contract) => {
    const { model } = await modelContract(`test/fixtures/${contract}`);
    await expect(`${operationTable(model!)}\n`).toMatchFileSnapshot(golden(`${contract}/operations.txt`));
  });
});

describe('the emitters', () => {
  it('print the catalogue of errors and the union of its codes', async () => {
    const errors = (await outputOf('cats')).get('errors.ts')!;
    expect(errors).toMatch(/"code": "NOT_FOUND",\n {4}"status": 404,/);
    expect(errors).toContain('export type ErrorCode = keyof typeof errorCatalogue;');
  });

  it('complete the document with what the server may answer', async () => {
    const document = JSON.parse((await outputOf('cats')).get('openapi.json')!);
    const { responses } = document.paths['/cats/{catId}'].get;
    expect(Object.keys(responses)).toContain('404');
    expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(['ErrorCode', 'Problem']));
  });

  it('give handlers every parameter that has a default, and leave it to callers to send it', async () => {
    const files = {
      'openapi.yaml': `openapi: 3.1.0
info: { title: Test, version: '1' }
paths:
  /found:
    parameters:
      - { $ref: '#/components/parameters/Limit' }
    get:
      operationId: find
      parameters:
        - { name: unit, in: query, schema: { $ref: '#/components/schemas/Unit' } }
        - { name: near, in: query, schema: { type: string } }
      responses:
        '200': { description: Done. }
components:
  parameters:
    Limit: { name: limit, in: query, schema: { type: integer, default: 20 } }
  schemas:
    Unit: { type: string, enum: [KM, MILES], default: KM }
`,
    };
    const output = await withFolder(files, async (folder) => (await compileContract(folder)).files!);
    const queryIn = (path: string): string => {
      const text = output.get(path)!;
      return /query\??: \{([^}]*)\}/
        .exec(text.slice(text.indexOf('    find: {')))![1]!
        .replaceAll(/\s+/g, ' ')
        .trim();
    };
    expect(queryIn('types/openapi.ts')).toBe('limit: number; unit: components["schemas"]["Unit"]; near?: string;');
    expect(queryIn('sdk/openapi.d.ts')).toBe(
      'limit?: components["parameters"]["Limit"]; unit?: components["schemas"]["Unit"]; near?: string;',
    );
  });

  it('read nothing that an example merely mentions', async () => {
    const files = {
      'openapi.yaml': `openapi: 3.1.0
info: { title: Test, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      responses:
        '200':
          description: Done.
          content:
            application/json:
              schema: { type: object }
              examples:
                one: { value: { $ref: 'https://elsewhere.invalid/schema.json' } }
              x-origin: { $ref: ../../secret.yaml }
`,
    };
    await withFolder(files, async (folder) => {
      const { files: output } = await compileContract(folder, libraryFrom(0));
      expect(output!.get('types/openapi.ts')).toContain('getA');
      expect(output!.get('openapi.json')).toContain('elsewhere.invalid');
    });
  });

  it('quote what a name of the contract may hold', async () => {
    const files = {
      'openapi.yaml': `openapi: 3.1.0
info: { title: "*/ it's", version: '1' }
paths:
  /a:
    get:
      operationId: "it's \\\\ \\"odd\\" \${x} \`y\`"
      description: "*/ throw new Error() /*"
      responses: { '200': { description: Done. } }
`,
    };
    await withFolder(files, async (folder) => {
      const { files: output } = await compileContract(folder, libraryFrom(0));
      expect(output!.get('handlers.ts')).toContain(`operations["it's \\\\ \\"odd\\" \${x} \`y\`"]`);
      const sources = Object.fromEntries([...output!].filter(([path]) => path.endsWith('.ts')));
      for (const [path, errors] of await typeErrors(sources)) expect(errors, path).toEqual([]);
    });
  });

  it.each(['List', 'Client', 'Promise'])(
    'keep a resource called %s from what the client calls so itself',
    async (name) => {
      const openapi = (await readFile('test/fixtures/cats/openapi.yaml', 'utf8')).replaceAll(/\bCat\b/g, name);
      await withFolder({ 'openapi.yaml': openapi }, async (folder) => {
        const { files: output } = await compileContract(folder);
        const types = output!.get('sdk/index.d.ts')!;
        expect(types).toMatch(new RegExp(`interface ${name}Type extends Readable<Schemas\\['${name}'\\]>`));
        expect(types).toContain(`readonly resource: ${name}Type;`);
      });
    },
  );

  it('import the library from where it is said to be', async () => {
    const { files } = await compileContract('test/fixtures/cats', '@lockstep/server');
    const own = [...files!].filter(([path]) => !path.startsWith('sdk/'));
    const imports = own.flatMap(([, text]) => [...text.matchAll(/ from '([^'.]\S+)';/g)].map(([, from]) => from));
    expect(imports.length).toBeGreaterThan(3);
    for (const from of imports) expect(from).toBe('@lockstep/server');
  });
});
