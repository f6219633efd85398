import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runHere } from '../support/command.ts';
import { withFolder } from '../support/folder.ts';
import { paste } from './support/paste.ts';
import { started } from './support/started.ts';

const generate = (...args: string[]) => runHere('scripts/generate.ts', args);
const cats = 'test/fixtures/cats';

describe('npm run generate', () => {
  it('writes every output and prints the table of operations', () =>
    withFolder({}, async (folder) => {
      const { code, stdout, stderr } = await generate('--contracts', cats, '--out', folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('operation   method  path           action        scopes  served by');
      expect(stdout).toContain('updateCat   PATCH   /cats/{catId}  cats.update   public  default');
      for (const file of ['errors.ts', 'handlers.ts', 'openapi.json', 'resources.ts', 'types/openapi.ts']) {
        expect(existsSync(join(folder, file)), file).toBe(true);
      }
    }));

  it('writes the same again', () =>
    withFolder({}, async (folder) => {
      await generate('--contracts', cats, '--out', folder);
      const before = await readFile(join(folder, 'openapi.json'), 'utf8');
      const { stdout } = await generate('--contracts', cats, '--out', folder);
      expect(stdout).toContain('is up to date');
      expect(await readFile(join(folder, 'openapi.json'), 'utf8')).toBe(before);
    }));

  it('writes below the contract itself, which is the same contract afterwards', () =>
    withFolder({}, async (folder) => {
      const contracts = join(folder, 'contracts');
      await cp(cats, contracts, { recursive: true });
      const places = ['--contracts', contracts, '--out', join(contracts, 'generated')];
      expect(await generate(...places)).toMatchObject({ code: 0, stderr: '' });
      const again = await generate(...places);
      expect(again).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('is up to date') });
      const { command, curls } = await started(join(folder, 'data'), places.slice(0, 2));
      expect((await paste(curls[0]!)).status).toBe(200);
      await command.stop();
    }));

  it('--check names each file that is stale, missing or extra, and writes nothing', () =>
    withFolder({}, async (folder) => {
      await generate('--contracts', cats, '--out', folder);
      await writeFile(join(folder, 'errors.ts'), 'changed');
      await cp(join(folder, 'resources.ts'), join(folder, 'old.ts'));
      await rm(join(folder, 'resources.ts'));
      const { code, stderr } = await generate('--contracts', cats, '--out', folder, '--check');
      expect(code).toBe(1);
      expect(stderr).toContain('stale    errors.ts');
      expect(stderr).toContain('missing  resources.ts');
      expect(stderr).toContain('extra    old.ts');
      expect(await readFile(join(folder, 'errors.ts'), 'utf8')).toBe('changed');
      await generate('--contracts', cats, '--out', folder);
      expect((await generate('--contracts', cats, '--out', folder, '--check')).code).toBe(0);
      expect(existsSync(join(folder, 'old.ts'))).toBe(false);
    }));

  it('reports all faults with their places, exits with 1 and leaves the output alone', () =>
    withFolder({}, async (folder) => {
      await cp(cats, join(folder, 'contracts'), { recursive: true });
      const out = join(folder, 'out');
      await generate('--contracts', join(folder, 'contracts'), '--out', out);
      const before = await readFile(join(out, 'openapi.json'), 'utf8');
      const file = join(folder, 'contracts/openapi.yaml');
      const text = await readFile(file, 'utf8');
      const broken = text.replace("'201'", "'200'").replace('enum: [name,', 'enum: [nmae,');
      await writeFile(file, broken);
      const { code, stderr } = await generate('--contracts', join(folder, 'contracts'), '--out', out);
      expect(code).toBe(1);
      const line = (part: string): number => broken.slice(0, broken.indexOf(part)).split('\n').length;
      expect(stderr).toContain(`openapi.yaml:${line('nmae')}:`);
      expect(stderr).toMatch(/2 errors/);
      expect(stderr).toContain('hint:');
      expect(await readFile(join(out, 'openapi.json'), 'utf8')).toBe(before);
    }));

  it('refuses a folder with files of somebody else, in a line', () =>
    withFolder({ 'notes.md': 'mine' }, async (folder) => {
      const { code, stderr } = await generate('--contracts', cats, '--out', folder);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(/^\S+notes\.md is not Lockstep's.+\n$/),
      });
      expect(await readdir(folder)).toEqual(['notes.md']);
    }));

  it('says where to read how it is used when called wrongly', async () => {
    const { code, stderr } = await generate('--contract', 'x');
    expect(code).toBe(2);
    expect(stderr).toContain('Run `npm run generate -- --help` for its options.');
  });

  it('has nothing to write for the shipped contract', async () => {
    const { code, stderr } = await generate('--check');
    expect(code).toBe(0);
    // The storefront has searches for texts of one character, and is warned of them.
    expect(stderr.match(/ (?:warning|error) {2}\S+$/gm)).toEqual([
      ' warning  batch-size',
      ...Array(2).fill(' warning  filter-search'),
    ]);
  });
});
