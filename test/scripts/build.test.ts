import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { assets, COMPANIONS, sources, TOOL_PACKAGES } from '../../scripts/build.ts';
import { MIN_NODE_MAJOR } from '../../src/runtime/boot-fault.ts';

const root = join(import.meta.dirname, '..', '..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Packages that the modules of the package import by a literal name. */
async function importedPackages(): Promise<readonly string[]> {
  const texts = await Promise.all((await sources()).map((path) => readFile(join(root, path), 'utf8')));
  const specifiers = texts.flatMap((text) => ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName));
  const packages = specifiers
    .filter((name) => !name.startsWith('.') && !isBuiltin(name))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]);
  return [...new Set(packages)].sort();
}

it('brings each package that its modules import: what a server needs, and a list of what its tools need', async () => {
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Manifest;
  const ofTools = (await importedPackages()).filter((name) => !(name in dependencies));
  expect(ofTools).toEqual(TOOL_PACKAGES);
  for (const name of [...TOOL_PACKAGES, ...COMPANIONS]) expect(devDependencies).toHaveProperty([name]);
});

it('brings each file that is not a module of what it brings: what modules read, and run in other languages', async () => {
  const { stdout } = spawnSync('git', ['ls-files', 'src', 'scripts'], { cwd: root, encoding: 'utf8' });
  const others = stdout.split('\n').filter((path) => path !== '' && !path.endsWith('.ts'));
  const own = ['scripts/lockstep.js'];
  expect((await assets()).sort()).toEqual(
    others.filter((path) => !own.includes(path) && !path.startsWith('scripts/bench/')).sort(),
  );
});

/** The command of the package, on a Node that says it is of another version. */
function commandOn(version: string): string {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' });
Object.defineProperty(process, 'version', { value: 'v${version}' });`;
  const args = ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, 'scripts/lockstep.js', '--version'];
  return spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).stderr;
}

it('says when the Node that runs it is too old, before anything else', () => {
  const older = `${MIN_NODE_MAJOR - 1}.9.0`;
  const told = `Lockstep needs Node ${MIN_NODE_MAJOR} or newer; this is v${older}.\nInstall the packages again`;
  expect(commandOn(older)).toContain(told);
  expect(commandOn(`${MIN_NODE_MAJOR}.0.0`)).not.toContain('needs Node');
});
