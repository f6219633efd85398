import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { parse } from 'yaml';
import { starterFiles } from '../../../src/authoring/scaffold/starter.ts';
import { COMMANDS } from '../../../src/tools/commands.ts';
import { OWN_VERSION } from '../../../src/tools/own-package.ts';
import { type Environment, type Finished, runHere } from '../../support/command.ts';
import { withFolder } from '../../support/folder.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const NO_AGENT = { npm_config_user_agent: '' };

const init = (folder: string, args: readonly string[] = [], environment: Environment = NO_AGENT): Promise<Finished> =>
  runHere('scripts/init.ts', [folder, '--name', 'notebook', ...args], environment);

/** The texts of all files, by path. */
async function textsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = paths
    .sort()
    .map(async (path) => [path.slice(folder.length + 1), await readFile(path, 'utf8')] as const);
  return Object.fromEntries(await Promise.all(texts));
}

describe('init', () => {
  it.each([
    ['npm', { 'package-lock.json': '{}' }],
    ['pnpm', { 'pnpm-lock.yaml': '', 'pnpm-workspace.yaml': '', 'node_modules/.modules.yaml': '' }],
    ['yarn', { 'yarn.lock': '', '.yarn/install-state.gz': '', '.yarnrc.yml': 'nodeLinker: node-modules\n' }],
    ['yarn', { 'yarn.lock': '', '.pnp.cjs': '', '.pnp.loader.mjs': '', '.editorconfig': '', '.gitattributes': '' }],
    ['bun', { 'bun.lock': '', 'node_modules/lockstep/package.json': '{}' }],
  ])('starts a project where %s has just installed Lockstep, and names it in the next steps', (manager, files) => {
    const manifest = JSON.stringify({ dependencies: { lockstep: 'file:../lockstep.tgz' } });
    return withFolder({ ...files, 'package.json': manifest }, async (folder) => {
      const { code, stdout, stderr } = await init(folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Next:\n  cd ${folder}\n  ${manager} install\n  ${manager} run dev\n`);
      const { 'package.json': merged, 'README.md': readme, ...rest } = await textsIn(folder);
      expect(JSON.parse(merged!)).toMatchObject({
        name: 'notebook',
        dependencies: { lockstep: 'file:../lockstep.tgz' },
        scripts: { dev: 'lockstep dev' },
      });
      const separator = manager === 'npm' ? ' --' : '';
      expect(readme).toContain(`\n    ${manager} run sync${separator} --dry-run `);
      expect(rest).toMatchObject(files);
      expect(rest['generated/handlers.ts']).toContain("from 'lockstep'");
    });
  });

  it('names the manager that runs it, or whose lock file is in a folder above', () =>
    withFolder({ 'pnpm-lock.yaml': '' }, async (folder) => {
      const api = join(folder, 'packages/api');
      const running = { npm_config_user_agent: 'bun/1.4.5 npm/? node/v26.10.0 linux x64' };
      expect((await init(api, [], running)).stdout).toContain('  bun install\n  bun run dev\n');
      const npx = { npm_config_user_agent: 'npm/11.0.0 node/v26.10.0 linux x64 workspaces/false' };
      expect((await init(api, [], npx)).stdout).toContain('  pnpm install\n  pnpm run dev\n');
    }));

  it('leaves what a host has put there, and adds what a project needs', () => {
    const manifest = {
      name: 'ours',
      license: 'MIT',
      scripts: { test: 'echo "Error: no test specified" && exit 1', lint: 'eslint' },
      devDependencies: { lockstep: '0.1.0', eslint: '9.0.0' },
    };
    const files = {
      'README.md': '# Ours\n',
      '.gitignore': 'coverage/\nnode_modules/',
      LICENSE: 'MIT',
      'docs/adr.md': '',
      'package.json': JSON.stringify(manifest),
    };
    return withFolder(files, async (folder) => {
      const started = await runHere('scripts/init.ts', [folder], NO_AGENT);
      expect(started).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Started ours:') });
      const texts = await textsIn(folder);
      expect(texts).toMatchObject({ 'README.md': '# Ours\n', LICENSE: 'MIT', 'docs/adr.md': '' });
      expect(texts['.gitignore']).toBe('coverage/\nnode_modules/\ndata/\ndist/\n*.log\n');
      const { license, scripts, dependencies, devDependencies } = JSON.parse(texts['package.json']!);
      expect(license).toBe('MIT');
      expect(scripts).toMatchObject({ test: 'vitest run', lint: 'eslint', start: 'lockstep start' });
      expect(dependencies).toEqual({ lockstep: '0.1.0' });
      expect(devDependencies).toMatchObject({ eslint: '9.0.0', typescript: expect.any(String) });
      expect(devDependencies).not.toHaveProperty('lockstep');
    });
  });

  it('refuses to replace a file, names all that are in the way, and writes nothing', () => {
    const files = { 'tsconfig.json': '{}\n', 'contracts/openapi.yaml': 'openapi: 3.1.0\n', 'index.ts': '' };
    return withFolder(files, async (folder) => {
      const { code, stdout, stderr } = await init(folder);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      const taken = ['tsconfig.json', 'contracts/openapi.yaml'].map((path) => join(folder, path)).join(', ');
      expect(stderr).toBe(`${taken}: this exists already, and init would write it. Move it, or name another folder.\n`);
      expect(await textsIn(folder)).toEqual(files);
    });
  });

  it("refuses a folder generated/ that is somebody else's, and a package.json that cannot be read", async () => {
    for (const [path, message] of [
      ['generated/report.html', "generated/report.html is not Lockstep's"],
      ['package.json', 'package.json: '],
    ] as const)
      await withFolder({ [path]: '<p>' }, async (folder) => {
        expect(await runHere('scripts/init.ts', [folder], NO_AGENT)).toMatchObject({
          code: 1,
          stderr: expect.stringContaining(join(folder, message)),
        });
        expect(await textsIn(folder)).toEqual({ [path]: '<p>' });
      });
  });

  it('goes on where it has failed half-way', () =>
    withFolder({ src: 'in the way of a folder' }, async (folder) => {
      expect(await init(folder)).toMatchObject({ code: 1, stderr: expect.stringContaining(join(folder, 'src')) });
      expect(existsSync(join(folder, 'contracts/openapi.yaml'))).toBe(true);
      await rm(join(folder, 'src'));
      await rm(join(folder, 'generated/errors.ts'));
      await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies: { lockstep: OWN_VERSION } }));
      expect(await init(folder)).toMatchObject({ code: 0, stderr: '' });
      const texts = await textsIn(folder);
      await withFolder({}, async (other) => {
        await init(other);
        expect(texts).toEqual(await textsIn(other));
      });
    }));
});

test.each([
  ['@acme/notes', 'Notes'],
  ['2026', '2026'],
  ['null', 'Null'],
])('a project called %s has the title %s', async (name, title) => {
  const { info } = parse(starterFiles(name, OWN_VERSION, 'npm').get('contracts/openapi.yaml')!);
  expect(info.title).toBe(title);
});

describe('a new project', () => {
  const manifest = JSON.parse(starterFiles('notebook', '0.1.0', 'npm').get('package.json')!);

  it('has each script that the output of a command or a document for its authors names', async () => {
    const sources = await Promise.all(['src', 'scripts'].map((folder) => textsIn(join(root, folder))));
    const documents = await textsIn(join(root, 'docs'));
    const texts = [...sources.flatMap(Object.entries), ...Object.entries(documents)];
    const calls = texts.flatMap(([path, text]) =>
      [...text.matchAll(/\bnpm (?:run (?:--silent )?)?(start|test|(?<=run |--silent )[a-z][a-z:]*)\b/g)].map(
        ([, name]) => [path, name!] as const,
      ),
    );
    expect(calls.map(([, name]) => name)).toEqual(expect.arrayContaining(['explain', 'backup', 'clients', 'token']));
    const missing = calls.filter(([, name]) => !(name in manifest.scripts) && !OF_THE_REPOSITORY.has(name));
    expect(missing).toEqual([]);
  });

  it('has the versions that are tested here, and the peer that Yarn does not install', async () => {
    const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
    for (const name of ['vite', 'vitest'])
      expect(manifest.devDependencies[name], name).toBe(packages[`node_modules/${name}`].version);
    expect(packages['node_modules/vitest'].peerDependencies).toHaveProperty('vite');
  });
});

/** Scripts that this repository has for itself. */
const OF_THE_REPOSITORY: ReadonlySet<string> = new Set([
  ...COMMANDS.filter(({ place }) => place === 'repository').map(({ name }) => name),
  ...['test:attack', 'test:faults', 'test:scale', 'test:long'],
]);
