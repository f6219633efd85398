import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { toolCache } from '../common/tool-cache.ts';

/** What to say if no Python will do. */
export const PYTHON_MISSING =
  'The Python client needs Python 3.11 or newer, with venv and pip; PYTHON names its command (default: python3).';

export interface PythonEnvironment {
  /** The interpreter that has the packages. */
  readonly python: string;
  /** Folder of the packages' commands. */
  readonly bin: string;
}

/**
 * An environment with the packages of a file of requirements, which the first call makes in the user's cache. `name` distinguishes it from
 * others, of another version, too. Throws `ConfigError`.
 */
export async function pythonEnvironment(name: string, requirements: string): Promise<PythonEnvironment> {
  const folder = toolCache(name);
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const python = join(bin, 'python');
  const done = join(folder, 'complete');
  if (existsSync(done)) return { python, bin };
  await rm(folder, { recursive: true, force: true });
  const run = (command: string, ...args: readonly string[]): Promise<string> =>
    runTool({ command, args, missing: PYTHON_MISSING });
  const base = process.env['PYTHON'] || 'python3';
  await run(base, '-c', 'import sys, venv; assert sys.version_info >= (3, 11)');
  await run(base, '-m', 'venv', folder);
  await run(python, '-m', 'pip', 'install', '--quiet', '-r', requirements);
  await writeText(done, '');
  return { python, bin };
}
