import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join, posix, relative, resolve } from 'node:path';

/** The package's name: what output imports where that is all the same, as in memory. */
export const LIBRARY = 'lockstep';

/** The public API of the Lockstep that runs here: `src/index.ts` of a clone, `lib/src/index.js` of the package. */
const INDEX = resolve(import.meta.dirname, `../../../index${extname(import.meta.url)}`);

/**
 * What the files of an output folder import Lockstep from: the package by its name where the folder's project has it or
 * declares it, else the public API of the running Lockstep by a relative path. The folder need not exist yet.
 */
export function libraryFor(folder: string): string {
  const from = realPath(resolve(folder));
  if (isInstalled(from) || isDeclared(from)) return LIBRARY;
  const path = relative(from, INDEX).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** Where a file some levels below the output folder imports Lockstep from; a package is the same from everywhere. */
export const fromBelow = (levels: number, library: string): string =>
  library.startsWith('.') ? posix.join('../'.repeat(levels), library) : library;

function isInstalled(folder: string): boolean {
  try {
    createRequire(join(folder, 'output.js')).resolve(LIBRARY);
    return true;
  } catch {
    return false;
  }
}

/** A project that has just been started or cloned names the package before it is installed. */
function isDeclared(folder: string): boolean {
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return dirname(folder) !== folder && isDeclared(dirname(folder));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as Manifest;
  return dependencies?.[LIBRARY] !== undefined || devDependencies?.[LIBRARY] !== undefined;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/** Node follows links before it resolves what a module imports. */
function realPath(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  return join(realPath(dirname(folder)), relative(dirname(folder), folder));
}
