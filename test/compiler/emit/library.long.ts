import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBelow, libraryFor } from '../../../src/compiler/emit/folder/library.ts';

const root = join(import.meta.dirname, '../../..');

describe('what output imports Lockstep from', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'lockstep-library-')));
  });
  afterAll(() => rm(folder, { recursive: true }));

  const manifest = async (path: string, text: object): Promise<void> => {
    await mkdir(join(folder, path), { recursive: true });
    await writeFile(join(folder, path, 'package.json'), JSON.stringify(text));
  };

  it.each([
    ['generated', '../src/index.ts'],
    ['made/by/lockstep', '../../../src/index.ts'],
    ['.', './src/index.ts'],
    ['src/handlers', '../index.ts'],
  ])('is a path in a clone: for %s', (path, expected) => {
    expect(libraryFor(join(root, path))).toBe(expected);
  });

  it('is the package where it is installed, in a folder above as well', async () => {
    await manifest('installed/node_modules/lockstep', { name: 'lockstep', exports: './index.js' });
    await writeFile(join(folder, 'installed/node_modules/lockstep/index.js'), '');
    expect(libraryFor(join(folder, 'installed/packages/shop/generated'))).toBe('lockstep');
  });

  it.each(['dependencies', 'devDependencies'])(
    'is the package where the nearest manifest has it (%s)',
    async (part) => {
      await manifest(`declared-${part}`, { [part]: { lockstep: '0.1.0' } });
      expect(libraryFor(join(folder, `declared-${part}/src/generated`))).toBe('lockstep');
      await manifest(`declared-${part}/other`, {});
      expect(libraryFor(join(folder, `declared-${part}/other/generated`))).toMatch(/^(?:\.\.\/)+.*\/src\/index\.ts$/);
    },
  );

  it('follows links, as Node does with what it imports', async () => {
    const real = join(folder, 'real/deep/down');
    await mkdir(real, { recursive: true });
    await symlink(real, join(folder, 'link'));
    expect(libraryFor(join(folder, 'link/generated'))).toBe(libraryFor(join(real, 'generated')));
  });

  it('is one more folder away for each folder below the output', () => {
    expect(fromBelow(2, '../src/index.ts')).toBe('../../../src/index.ts');
    expect(fromBelow(1, './src/index.ts')).toBe('../src/index.ts');
    expect(fromBelow(2, 'lockstep')).toBe('lockstep');
  });
});

describe('a clone under another name', () => {
  let clone: string;
  const run = (...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: clone });

  beforeAll(async () => {
    clone = join(await mkdtemp(join(tmpdir(), 'lockstep-clone-')), 'our shop');
    for (const path of ['src', 'contracts', 'generated', 'scripts', 'codegen.ts', 'tsconfig.json', 'LICENSE'])
      await cp(join(root, path), join(clone, path), { recursive: true });
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'));
    const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object;
    await writeFile(join(clone, 'package.json'), JSON.stringify({ ...manifest, name: '@acme/shop' }));
  });
  afterAll(() => rm(join(clone, '..'), { recursive: true }));

  it('generates what the repository has, with types that hold, and runs it', async () => {
    const { stdout } = await run('scripts/generate.ts', '--check');
    expect(stdout).toContain('generated/ is up to date');
    await run('scripts/generate.ts', '--out', 'contracts/made/generated');
    const project = { extends: './tsconfig.json', include: ['generated', 'src/handlers', 'contracts'] };
    await writeFile(
      join(clone, 'tsconfig.clone.json'),
      JSON.stringify({ ...project, compilerOptions: { skipLibCheck: false } }),
    );
    const checked = await run('node_modules/typescript-7/bin/tsc', '--project', 'tsconfig.clone.json').catch(
      (error) => error,
    );
    // What is wrong with the declarations of packages is not ours to fix.
    expect(
      checked.stdout
        .split('\n')
        .filter((line: string) => /^[^ ].*error TS/.test(line) && !line.includes('node_modules/')),
    ).toEqual([]);
    const script = "await import('./src/handlers/index.ts'); await import('./contracts/made/generated/errors.ts')";
    await run('--input-type=module', '--eval', script);
  });
});
