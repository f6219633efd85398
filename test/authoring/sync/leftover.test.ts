import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fixContract } from '../../../src/authoring/fix-contract.ts';
import { syncContract } from '../../../src/authoring/sync-contract.ts';
import { modelContract } from '../../../src/compiler/compile-contract.ts';
import { withFolder } from '../../support/folder.ts';

/** The cats without a property, but for one input of the SDL. */
const withLeftover = (input: string, work: (folder: string) => Promise<void>): Promise<void> =>
  withFolder({}, async (folder) => {
    await cp('test/fixtures/cats', folder, { recursive: true });
    const sdl = await readFile(join(folder, 'cats.graphql'), 'utf8');
    const openapi = await readFile(join(folder, 'openapi.yaml'), 'utf8');
    const without = sdl.replaceAll(/^ {2}(bornOn: Date|BORN_ON_.*)\n/gm, '');
    const left = without.replace(`input ${input} {\n`, `input ${input} {\n  bornOn: Date\n`);
    await writeFile(join(folder, 'cats.graphql'), left);
    await writeFile(
      join(folder, 'openapi.yaml'),
      openapi.replaceAll(', bornOn, -bornOn', '').replaceAll(/^ {8}bornOn: .*\n/gm, ''),
    );
    await work(folder);
  });

const textOf = async (folder: string): Promise<string> =>
  `${await readFile(join(folder, 'openapi.yaml'), 'utf8')}${await readFile(join(folder, 'cats.graphql'), 'utf8')}`;

const errorsOf = async (folder: string) =>
  (await modelContract(folder)).findings.filter(({ severity }) => severity === 'error');

describe.each(['CatInput', 'CatPatch'])('what is left in %s of a property that both halves have lost', (input) => {
  it('is removed by --fix, not put back', () =>
    withLeftover(input, async (folder) => {
      const [finding, ...others] = await errorsOf(folder);
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ rule: 'parity-input', fix: { text: '', file: 'cats.graphql' } });
      await fixContract(folder);
      expect(await errorsOf(folder)).toEqual([]);
      expect(await textOf(folder)).not.toMatch(/bornOn/);
    }));

  it('is left to the author by sync', () =>
    withLeftover(input, async (folder) => {
      const before = await textOf(folder);
      expect(await syncContract({ contracts: folder })).toBe(1);
      expect(await textOf(folder)).toBe(before);
      expect(await errorsOf(folder)).toMatchObject([{ rule: 'parity-input' }]);
    }));
});
