import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { OutputFiles } from './emit.ts';

/** How a folder differs from what the compiler would write; paths in it, sorted. */
export interface Drift {
  readonly stale: readonly string[];
  readonly missing: readonly string[];
  readonly extra: readonly string[];
}

export async function driftOf(folder: string, files: OutputFiles): Promise<Drift> {
  const existing = await filesIn(folder);
  const paths = [...files.keys()].sort();
  const present = paths.filter((path) => existing.has(path));
  const isStale = await Promise.all(present.map(async (path) => (await read(folder, path)) !== files.get(path)));
  return {
    stale: present.filter((_, i) => isStale[i]),
    missing: paths.filter((path) => !existing.has(path)),
    extra: [...existing].filter((path) => !files.has(path)).sort(),
  };
}

/** Makes the folder hold these files and no other; each is whole at any time. Returns what it changed. */
export async function writeOutput(folder: string, files: OutputFiles): Promise<Drift> {
  const drift = await driftOf(folder, files);
  for (const path of [...drift.stale, ...drift.missing]) await replaceFile(join(folder, path), files.get(path)!);
  for (const path of drift.extra) await rm(join(folder, path));
  return drift;
}

const read = (folder: string, path: string): Promise<string> => readFile(join(folder, path), 'utf8');

async function filesIn(folder: string): Promise<Set<string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Set(files.map((file) => relative(folder, join(file.parentPath, file.name)).replaceAll('\\', '/')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Set();
    throw error;
  }
}

async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, text);
  await rename(draft, path);
}
