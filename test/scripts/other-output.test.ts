import { cp, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';

const ADDED = ['new', 'resource', 'toys', 'name:string!'];

const withCats = (work: (contracts: string, folder: string) => Promise<void>): Promise<void> =>
  withFolder({}, async (folder) => {
    const contracts = join(folder, 'other', 'contracts');
    await cp('test/fixtures/cats', contracts, { recursive: true });
    await work(contracts, folder);
  });

it.each([
  ['generate'],
  ['generate', '--check'],
  ['generate', '--out', './generated/'],
  ['sync'],
  ['release'],
  ['contract'],
  ['contract', '--only', 'lint', '--fix'],
  ADDED,
])('%s %s of another contract leaves the output of the project alone, and names --out', (script, ...args) =>
  withCats(async (contracts) => {
    const [before, own] = await Promise.all([readdir(contracts), readdir('generated')]);
    const { code, stderr } = await runHere(`scripts/${script}.ts`, [...args, '--contracts', contracts]);
    expect(stderr).toContain(`Name a folder for the output of ${contracts}, such as --out ${contracts}/generated`);
    expect(code).toBe(2);
    expect([await readdir(contracts), await readdir('generated')]).toEqual([before, own]);
  }),
);

it('the output of another project is left alone, whose contract is its folder or a folder of it', () =>
  withCats(async (contracts, folder) => {
    await cp('test/fixtures/cats', join(folder, 'flat'), { recursive: true });
    for (const out of [join(folder, 'other', 'generated'), join(folder, 'flat', 'generated')]) {
      const { code, stderr } = await runHere('scripts/generate.ts', ['--out', relative('.', out)]);
      expect([code, stderr]).toEqual([2, expect.stringContaining('is the output of the contract in')]);
    }
    const own = await runHere('scripts/generate.ts', [
      '--contracts',
      `${contracts}/openapi.yaml`,
      '--out',
      `${contracts}/../generated`,
    ]);
    expect(own).toMatchObject({ code: 0, stderr: '' });
  }));

it('what has no contract beside it is written', () =>
  withCats(async (contracts, folder) => {
    const args = [...ADDED.slice(1), '--contracts', contracts, '--out', join(folder, 'generated')];
    expect(await runHere('scripts/new.ts', args)).toMatchObject({ code: 0, stderr: '' });
    expect(await readdir(join(folder, 'generated'))).toContain('openapi.json');
  }));
