import { join } from 'node:path';
import { runTool } from '../common/run-tool.ts';
import { keptTool } from '../common/tool-cache.ts';

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
  const folder = await keptTool(name, async (made) => {
    const run = (command: string, ...args: readonly string[]): Promise<string> =>
      runTool({ command, args, missing: PYTHON_MISSING });
    const base = process.env['PYTHON'] || 'python3';
    await run(base, '-c', 'import sys, venv; assert sys.version_info >= (3, 11)');
    await run(base, '-m', 'venv', made);
    await run(environmentIn(made).python, '-m', 'pip', 'install', '--quiet', '-r', requirements);
  });
  return environmentIn(folder);
}

function environmentIn(folder: string): PythonEnvironment {
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  return { python: join(bin, 'python'), bin };
}
