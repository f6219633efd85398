import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { replaceFile } from '../../src/compiler/emit/output-folder.ts';

const root = join(import.meta.dirname, '..', '..');
/** Of this run, its workers included. */
const FOLDER = process.env['TEST_PACKAGE'] ?? join(tmpdir(), `lockstep-package-${randomBytes(4).toString('hex')}`);
process.env['TEST_PACKAGE'] = FOLDER;
const PACKAGE = join(FOLDER, 'package');
const TARBALL = join(FOLDER, 'lockstep-0.1.0.tgz');
const OUTCOME = join(FOLDER, 'outcome');
const BUILT = 'built';

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
  built ??= buildOrWait();
  return built;
}

async function buildOrWait(): Promise<BuiltPackage> {
  const isFirst = await mkdir(FOLDER).then(
    () => true,
    () => false,
  );
  if (isFirst) await replaceFile(OUTCOME, await build());
  // Longer than a busy machine takes for it.
  const outcome = await vi.waitFor(() => readFile(OUTCOME, 'utf8'), { timeout: 400_000, interval: 100 });
  if (outcome !== BUILT) throw new Error(outcome);
  return { folder: PACKAGE, tarball: TARBALL };
}

/** Resolves with `BUILT`, or with why it cannot be. */
async function build(): Promise<string> {
  for (const [cwd, command] of [
    [root, [process.execPath, 'scripts/build.ts', '--out', PACKAGE]],
    [PACKAGE, ['npm', 'pack', '--pack-destination', FOLDER]],
  ] as const) {
    const { code, stdout, stderr } = await runIn(cwd, command);
    if (code !== 0) return `${command.join(' ')}: ${stdout}${stderr}`;
  }
  return BUILT;
}

/** At the end of a run. */
export default function removePackage(): () => Promise<void> {
  return () => rm(FOLDER, { recursive: true, force: true });
}
