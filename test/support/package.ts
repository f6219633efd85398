import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import { cp, mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { replaceFile } from '../../src/compiler/emit/folder/output-folder.ts';

const root = join(import.meta.dirname, '..', '..');
/** Of this run, its workers included. */
const FOLDER = process.env['TEST_PACKAGE'] ?? join(tmpdir(), `lockstep-package-${randomBytes(4).toString('hex')}`);
process.env['TEST_PACKAGE'] = FOLDER;
const PACKAGE = join(FOLDER, 'package');
const { version: VERSION } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
};
const TARBALL = join(FOLDER, `lockstep-${VERSION}.tgz`);
const INSTALLED = join(FOLDER, 'installed');
const DONE = 'done';

export interface BuiltPackage {
  readonly folder: string;
  readonly tarball: string;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The environment of a user's shell: without what npm tells the scripts that it runs, these tests among them, and with the Node of the
 * tests, on which npm itself runs, too: on an older one it leaves packages out.
 */
export const userEnvironment: NodeJS.ProcessEnv = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_COMPILE_CACHE$)/.test(name))),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`,
  NODE_ENV: 'development',
  npm_config_audit: 'false',
  npm_config_prefer_offline: 'true',
};

/** Runs a command in a folder, as its user would. */
export async function runIn(
  cwd: string,
  [command, ...args]: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  try {
    const env = { ...userEnvironment, ...environment };
    return { code: 0, ...(await promisify(execFile)(command!, args, { cwd, env })) };
  } catch (error) {
    return error as Ran;
  }
}

let built: Promise<BuiltPackage> | undefined;

/** The package as it is published: built once in a run, by the first worker that needs it. */
export function builtPackage(): Promise<BuiltPackage> {
  built ??= onceInRun('build', [
    [root, [process.execPath, 'scripts/build.ts', '--out', PACKAGE]],
    [PACKAGE, ['npm', 'pack', '--pack-destination', FOLDER]],
  ]).then(() => ({ folder: PACKAGE, tarball: TARBALL }));
  return built;
}

/** Fills an empty folder as `npm install` of the tarball does, which runs once: the others have a copy. */
export async function installPackage(folder: string): Promise<void> {
  const { tarball } = await builtPackage();
  // Without a prefix, npm installs into a folder above that has packages.
  await onceInRun('install', [[INSTALLED, ['npm', 'install', '--prefix', '.', tarball]]]);
  await cp(INSTALLED, folder, { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE });
}

type Steps = readonly (readonly [cwd: string, command: readonly string[]])[];

async function onceInRun(name: string, steps: Steps): Promise<void> {
  const file = join(FOLDER, `${name}.outcome`);
  await mkdir(FOLDER, { recursive: true });
  const isFirst = await mkdir(join(FOLDER, `${name}.begun`)).then(
    () => true,
    () => false,
  );
  if (isFirst) await replaceFile(file, await outcomeOf(steps));
  // Longer than a busy machine takes for it.
  const outcome = await vi.waitFor(() => readFile(file, 'utf8'), { timeout: 400_000, interval: 100 });
  if (outcome !== DONE) throw new Error(outcome);
}

/** `DONE`, or why it cannot be. */
async function outcomeOf(steps: Steps): Promise<string> {
  for (const [cwd, command] of steps) {
    await mkdir(cwd, { recursive: true });
    const { code, stdout, stderr } = await runIn(cwd, command);
    if (code !== 0) return `${command.join(' ')}: ${stdout}${stderr}`;
  }
  return DONE;
}

/** At the end of a run. */
export default function removePackage(): () => Promise<void> {
  return () => rm(FOLDER, { recursive: true, force: true });
}
