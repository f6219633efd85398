import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeText } from '../common/layer.ts';
import { runTool } from '../common/run-tool.ts';
import { toolCache } from '../common/tool-cache.ts';

const VERSION = '0.29.1';
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));
const MISSING =
  'The Python client needs Python 3.11 or newer, with venv and pip; PYTHON names its command (default: python3).';

export interface PythonGenerator {
  /** The interpreter that has the generator. */
  readonly python: string;
  /** Folder of the generator's own templates. */
  readonly templates: string;
  /** PATH on which the generator finds the formatter that it brings. */
  readonly path: string;
}

/** openapi-python-client in an environment of its own, which the first call makes. Throws `CommandFailure`. */
export async function pythonGenerator(): Promise<PythonGenerator> {
  const folder = toolCache(`openapi-python-client-${VERSION}`);
  const bin = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const python = join(bin, 'python');
  const done = join(folder, 'complete');
  if (!existsSync(done)) {
    await rm(folder, { recursive: true, force: true });
    const base = process.env['PYTHON'] || 'python3';
    await runTool({
      command: base,
      args: ['-c', 'import sys, venv; assert sys.version_info >= (3, 11)'],
      missing: MISSING,
    });
    await runTool({ command: base, args: ['-m', 'venv', folder], missing: MISSING });
    await runTool({ command: python, args: ['-m', 'pip', 'install', '--quiet', '-r', REQUIREMENTS], missing: MISSING });
    await writeText(done, '');
  }
  const script = 'import openapi_python_client as it; print(it.__path__[0])';
  const installed = (await runTool({ command: python, args: ['-c', script], missing: MISSING })).trim();
  return { python, templates: join(installed, 'templates'), path: bin + delimiter + (process.env['PATH'] ?? '') };
}
