import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { endedByTests } from './clean-up.ts';

/** A folder of files by path, removed at the end of `work`. */
export async function withFolder<T>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Folders by name, each filled once for the tests of a file, and removed after them. */
export function filledFolders(
  fill: (folder: string, name: string) => Promise<unknown>,
): (name: string) => Promise<string> {
  const made = new Map<string, Promise<string>>();
  const make = async (name: string): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'lockstep-'));
    endedByTests(() => {
      made.delete(name);
      return rm(folder, { recursive: true });
    });
    await fill(folder, name);
    return folder;
  };
  return (name) => {
    const known = made.get(name) ?? make(name);
    made.set(name, known);
    return known;
  };
}

/** The texts of all files below a folder, by path in it; an empty folder is a path with a `/` at its end. */
export async function textsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) return [relative(folder, path), await readFile(path, 'utf8')] as const;
    return (await readdir(path)).length > 0 ? undefined : ([`${relative(folder, path)}/`, ''] as const);
  });
  return Object.fromEntries((await Promise.all(texts)).flatMap((one) => (one ? [one] : [])).sort());
}
