import { stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../../descriptor/config-error.ts';
import type { CodegenExtension, LockstepCodegen } from './lockstep-codegen.ts';

/** What the project that a contract belongs to adds to its types. */
export interface ProjectCodegen {
  /** Folder of the project: that of its `codegen.ts`, else the one that holds the contract's folder. */
  readonly root: string;
  readonly extension: CodegenExtension;
}

const FILE = 'codegen.ts';

/** Where the `codegen.ts` of a contract's project may be: beside the contract's folder, or in it. The first is taken. */
export function codegenPlaces(contractFolder: string): readonly string[] {
  const folder = resolve(contractFolder);
  return [dirname(folder), folder].map((root) => join(root, FILE));
}

/** Reads the `codegen.ts` beside a contract's folder, or in it. Throws `ConfigError` when it is not what it should be. */
export async function projectCodegen(contractFolder: string): Promise<ProjectCodegen> {
  for (const file of codegenPlaces(contractFolder)) {
    const stats = await stat(file).catch(() => undefined);
    if (stats) return { root: dirname(file), extension: await extensionIn(file, stats.mtimeMs) };
  }
  return { root: dirname(resolve(contractFolder)), extension: {} };
}

/** The time of its last change makes a session that outlives the change read the file again. */
async function extensionIn(file: string, changedAtMs: number): Promise<CodegenExtension> {
  const module = await importFile(`${pathToFileURL(file).href}?${changedAtMs}`, file);
  const { extension } = (module.default ?? {}) as Partial<LockstepCodegen>;
  if (extension === undefined) throw new ConfigError([`${file}: the default export is not a lockstepCodegen(…).`]);
  return extension;
}

async function importFile(url: string, file: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(url);
  } catch (error) {
    throw new ConfigError([`${file}: ${(error as Error).message}`]);
  }
}
