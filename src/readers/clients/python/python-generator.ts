import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTool } from '../common/run-tool.ts';
import { PYTHON_MISSING, pythonEnvironment } from './python-environment.ts';

const VERSION = '0.29.1';
const REQUIREMENTS = fileURLToPath(new URL('requirements.txt', import.meta.url));

export interface PythonGenerator {
  /** The interpreter that has the generator. */
  readonly python: string;
  /** Folder of the generator's own templates. */
  readonly templates: string;
  /** PATH on which the generator finds the formatter that it brings. */
  readonly path: string;
}

/** openapi-python-client in an environment of its own, which the first call makes. Throws `ConfigError`. */
export async function pythonGenerator(): Promise<PythonGenerator> {
  const { python, bin } = await pythonEnvironment(`openapi-python-client-${VERSION}`, REQUIREMENTS);
  const script = 'import openapi_python_client as it; print(it.__path__[0])';
  const installed = (await runTool({ command: python, args: ['-c', script], missing: PYTHON_MISSING })).trim();
  return { python, templates: join(installed, 'templates'), path: bin + delimiter + (process.env['PATH'] ?? '') };
}
