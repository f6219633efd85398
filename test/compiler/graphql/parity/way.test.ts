import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { formatParity } from '../../../../src/authoring/contract/format-parity.ts';
import { readField } from '../../../../src/authoring/scaffold/field.ts';
import { addResource } from '../../../../src/authoring/scaffold/new-resource.ts';
import { nounOf } from '../../../../src/authoring/scaffold/noun.ts';
import { syncContract } from '../../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../../src/compiler/compile-contract.ts';
import { applyFixes } from '../../../../src/compiler/findings/fix.ts';
import { databases } from '../../../support/databases.ts';
import { filledFolders } from '../../../support/folder.ts';
import { startCompiled } from '../../../support/service.ts';

let folder = '';
const sdl = (): string => join(folder, 'graphql', 'depots.graphql');
const edit = async (path: string, from: RegExp, to: string): Promise<void> => {
  const text = await readFile(path, 'utf8');
  expect(text).toMatch(from);
  await writeFile(path, text.replace(from, to));
};
const ROOT_FIELD = / {2}"[^"\n]*"\n {2}supplierDepots\([^)]*\)[\s\S]*?(?= {2}"A supplier depot by id)/;
const warnings = async () => (await modelContract(folder)).findings.filter(({ rule }) => rule === 'parity-way');

/** Depots below suppliers, each with scopes of their own. */
const made = filledFolders(async (folder) => {
  await cp('contracts', folder, { recursive: true });
  await addResource(folder, nounOf('suppliers'), [readField('name:string!')]);
  await addResource(folder, nounOf('depots'), [readField('name:string!')], { parent: 'suppliers' });
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  await cp(await made('depots'), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

describe('a sub-resource whose parent asks for other scopes', () => {
  it('is listed over GraphQL with the scopes that REST asks for, at the root and below its parent', async () => {
    const { model, parity } = await modelContract(folder);
    expect(parity.every(({ verdict }) => verdict === 'same')).toBe(true);
    expect(model!.graphql!.descriptor.fields).toMatchObject({
      'Query.supplierDepots': { kind: 'list', resource: 'suppliers.depots' },
      'Supplier.depots': { kind: 'connection', resource: 'suppliers.depots' },
    });
    const service = await startCompiled(model!, databases[0]!, {}, { allowMissing: true });
    const staff = { sub: 'me', scope: 'suppliers:write depots:write' };
    const { body: supplier } = await service.request('POST', '/v1/suppliers', { as: staff, body: { name: 'One' } });
    const path = `/v1/suppliers/${supplier.id}/depots`;
    await service.request('POST', path, { as: staff, body: { name: 'North' } });
    const as = { sub: 'you', scope: 'depots:read' };
    expect((await service.request('GET', path, { as })).body.data).toMatchObject([{ name: 'North' }]);
    const { data } = await service.graphql(`{ supplierDepots(supplierId: "${supplier.id}") { nodes { name } } }`, {
      as,
    });
    expect(data.supplierDepots.nodes).toEqual([{ name: 'North' }]);
    await service.close();
  });

  it('is a warning where GraphQL has it below its parent alone, with the field that it lacks', async () => {
    await edit(sdl(), ROOT_FIELD, '');
    // Only a type with braces can be added to.
    await edit(join(folder, 'graphql', 'schema.graphql'), /"Reads[^"]*"\ntype Query\n/, '');
    await edit(join(folder, 'graphql', 'suppliers.graphql'), /extend type Query/, 'type Query');
    const { model, parity } = await modelContract(folder);
    expect(model).toBeDefined();
    const [found, ...others] = await warnings();
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      severity: 'warning',
      message:
        '`Supplier.depots`: REST says `bearer depots:read`, GraphQL says `bearer suppliers:read, then bearer depots:read`.',
      location: { file: 'paths/supplier-depots.yaml' },
      also: { file: 'graphql/suppliers.graphql' },
    });
    expect(found!.hint).toContain('`Query.supplier` alone');
    expect(found!.hint).toContain('`Query.supplierDepots(supplierId: ID!, first: Int = 20, after: String');
    expect(formatParity(parity)).toMatch(/way {2}Supplier\.depots .*stricter: .*\n[\s\S]*, 1 stricter over GraphQL$/);
    const { file } = found!.fix!;
    await writeFile(join(folder, file), applyFixes(await readFile(join(folder, file), 'utf8'), [found!.fix!]));
    expect(await warnings()).toEqual([]);
  });

  it('gets that field from `sync`, once', async () => {
    vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const before = await readFile(sdl(), 'utf8');
    await edit(sdl(), ROOT_FIELD, '');
    await syncContract({ contracts: folder });
    expect(await readFile(sdl(), 'utf8')).toBe(before);
    await syncContract({ contracts: folder });
    expect(await readFile(sdl(), 'utf8')).toBe(before);
  });

  it('has no such field where its scopes imply those of the parent', async () => {
    await edit(sdl(), ROOT_FIELD, '');
    await edit(
      join(folder, 'paths', 'supplier-depots.yaml'),
      /- depots:read\n/,
      '- depots:read\n        - suppliers:read\n',
    );
    await edit(
      join(folder, 'graphql', 'suppliers.graphql'),
      /scopes: \["depots:read"\]/,
      'scopes: ["depots:read", "suppliers:read"]',
    );
    expect((await modelContract(folder)).findings.filter(({ rule }) => rule.startsWith('parity'))).toEqual([]);
  });
});
