import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContractFiles } from '../../../src/authoring/sync/contract-files.ts';
import { synchronise } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  await cp(join(import.meta.dirname, '../../../contracts'), folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

it('sync writes the fields of the SDL that `include` names', async () => {
  const path = join(folder, 'graphql/orders.graphql');
  const field = /^ {2}"Who ordered\."\n {2}user: User .*\n/m;
  const sdl = await readFile(path, 'utf8');
  expect(sdl).toMatch(field);
  await writeFile(path, sdl.replace(field, ''));
  const { findings: before } = await modelContract(folder);
  expect(before.filter(({ rule }) => rule === 'include').map(({ message }) => message)).toEqual(
    ['listOrders', 'getOrder'].map(
      (id) => `\`include\` of \`${id}\` names \`user\`, which is not related to \`Order\`.`,
    ),
  );
  const files = await ContractFiles.open(folder);
  await synchronise(files, { contracts: folder });
  await files.save();
  const { model } = await modelContract(folder);
  expect(model?.resources.find(({ key }) => key === 'orders')?.includes).toMatchObject({ user: { kind: 'one' } });
});
