import { cp, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { ACCESS, ADDITIONS, CI, DEPLOY } from '../../src/authoring/scaffold/words/addition-kinds.ts';
import { COMMANDS } from '../../src/tools/commands.ts';
import type { CommandModule } from '../../src/tools/define-command.ts';
import { runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';

const ADDED = ['new', 'resource', 'toys', 'name:string!'];

const withCats = (work: (contracts: string, folder: string) => Promise<void>): Promise<void> =>
  withFolder({}, async (folder) => {
    const contracts = join(folder, 'other', 'contracts');
    await cp('test/fixtures/cats', contracts, { recursive: true });
    await work(contracts, folder);
  });

/** The commands with a folder of a contract and one of an output, by name, with what else they need. */
const WITH_OUTPUT: Readonly<Record<string, readonly (readonly string[])[]>> = {
  new: [
    ...ADDITIONS.map((kind) => [kind, 'toys', 'name:string!']),
    [ACCESS],
    [CI],
    [DEPLOY],
    ['resource', 'cats', '--remove'],
  ],
  sync: [[], ['--dry-run']],
  dev: [[]],
  generate: [[], ['--check']],
  contract: [[], ['--only', 'lint', '--fix'], ['--only', 'drift']],
  docs: [[]],
  clients: [['--language', 'go']],
  release: [[]],
  image: [[]],
};

it('all commands of the table with such folders are tried', async () => {
  const found = await Promise.all(
    COMMANDS.map(async ({ name }) => {
      const { command }: CommandModule = await import(`../../scripts/${name}.ts`);
      const flags = command.options.map(({ long }) => long);
      return ['--contracts', '--out'].every((flag) => flags.includes(flag)) ? [name] : [];
    }),
  );
  expect(found.flat()).toEqual(Object.keys(WITH_OUTPUT));
});

it.each(Object.entries(WITH_OUTPUT).flatMap(([name, runs]) => runs.map((args) => [name, args] as const)))(
  '%s %j of another contract leaves the output of the project alone, and names --out',
  (script, args) =>
    withCats(async (contracts) => {
      const [before, own] = await Promise.all([readdir(contracts), readdir('generated')]);
      for (const out of ['generated', './generated/']) {
        const { code, stderr } = await runHere(`scripts/${script}.ts`, [
          ...args,
          '--contracts',
          contracts,
          '--out',
          out,
        ]);
        expect(stderr).toContain(`Name a folder for the output of ${contracts}, such as --out ${contracts}/generated`);
        expect(code).toBe(2);
      }
      expect([await readdir(contracts), await readdir('generated')]).toEqual([before, own]);
    }),
);

it('a check that uses no output needs no folder for it', () =>
  withCats(async (contracts) => {
    expect(await runHere('scripts/contract.ts', ['--only', 'contract', '--contracts', contracts])).toMatchObject({
      code: 0,
    });
  }));

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
