import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tenantCodeFindings } from '../../src/authoring/contract/tenant-code.ts';
import { compileContract } from '../../src/compiler/compile-contract.ts';
import type { OutputFiles } from '../../src/compiler/emit/folder/output-folder.ts';
import { withFolder } from '../support/folder.ts';
import { libraryFrom, typeErrors } from '../support/type-check.ts';

const moduleOf = (body: string): string => `import type { Overrides } from '${libraryFrom(0)}';
import type { Resources } from './generated/types/resources.ts';
export const overrides: Overrides<Resources> = {
  machines: { async get(_id, { store }, next) { ${body}; return next(); } },
};
`;
const compiled = async (fixture: string): Promise<OutputFiles> =>
  (await compileContract(`test/fixtures/${fixture}`, libraryFrom(1))).files!;
let tenants: OutputFiles;

beforeAll(async () => {
  tenants = await compiled('workshop');
});

describe('the types of a store within a tenant', () => {
  it('have the ways beyond it, to the same tables', async () => {
    const cases = {
      'across.ts':
        'const { tenantId, code } = (await store.acrossTenants.machines.list({}))[0]!; void [tenantId, code]',
      'other.ts': "await store.forTenant('t')['machines.notes'].update('m', { text: 'x' })",
      'number.ts': 'await store.forTenant(7).machines.list({})',
      'within.ts': "await store.machines.get('m')",
    };
    const output = [...tenants].map(([path, text]) => [`generated/${path}`, text]);
    const modules = Object.entries(cases).map(([name, body]) => [name, moduleOf(body)]);
    const errors = await typeErrors(Object.fromEntries([...output, ...modules]));
    for (const name of ['across.ts', 'other.ts', 'within.ts']) expect(errors.get(name)).toEqual([]);
    expect(errors.get('number.ts')!.join()).toMatch(/'number' is not assignable to parameter of type 'string'/);
  });

  it('are not there in a contract without tenants', async () => {
    const files = await compiled('cats');
    const output = [...files].map(([path, text]) => [`generated/${path}`, text]);
    const module = moduleOf('void store.acrossTenants').replaceAll('machines', 'cats');
    const errors = await typeErrors({ ...Object.fromEntries(output), 'cats.ts': module });
    expect(errors.get('cats.ts')!.join()).toMatch(/Property 'acrossTenants' does not exist/);
  });
});

describe('that code stays within a tenant', () => {
  const found = (before: string | undefined, files = tenants, contracts = 'contracts') =>
    withFolder({}, async (out) => {
      await mkdir(join(out, 'types'), { recursive: true });
      if (before !== undefined) await writeFile(join(out, 'types/resources.ts'), before);
      return tenantCodeFindings(contracts, out, files);
    });

  it('is said to a project with handlers whose output let it leave', async () => {
    const types = tenants.get('types/resources.ts')!;
    const old = types.replaceAll(/\n {4}readonly tenant: .*/g, '');
    expect(await found(old)).toMatchObject([
      { rule: 'tenant-code', severity: 'warning', location: { file: '../src/handlers/index.ts' } },
    ]);
    expect(await found(types)).toEqual([]);
    expect(await found(undefined)).toEqual([]);
    expect(await found(old, tenants, 'test/fixtures/workshop')).toEqual([]);
    expect(await found(old, await compiled('cats'))).toEqual([]);
  });
});
