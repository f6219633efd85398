import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, posix, relative } from 'node:path';
import { ConfigError } from '../../../descriptor/config-error.ts';
import { lookUp } from '../../../descriptor/look-up.ts';
import { HEADER } from '../../sdl/generated-folder.ts';

/** The text of each file by its path in the output folder. */
export type OutputFiles = ReadonlyMap<string, string>;

const DRAFT = /\.(\d+)\.draft$/;
const HIDDEN = /(^|\/)\./;

/**
 * Output whose format has no place for the header, or comments of another kind. A contract that has lost its old
 * versions, say, no longer has a `versions.json`; the one that is there is still the compiler's. So are `postman.json` and
 * `requests.http`, which earlier releases wrote.
 */
const WITHOUT_HEADER: ReadonlySet<string> = new Set([
  'clients/documents.graphql',
  'clients/openapi.json',
  'clients/schema.graphql',
  'editor/access.json',
  'editor/openapi.json',
  'editor/parameter.json',
  'editor/path-item.json',
  'editor/response.json',
  'editor/schema.json',
  'openapi.json',
  'postman.json',
  'requests.http',
  'rest.json',
  'schema.graphql',
  'sdk/LICENSE',
  'sdk/README.md',
  'sdk/package.json',
  'tools.json',
  'versions.json',
]);

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
  const isStale = await Promise.all(present.map(async (path) => (await known(folder, path)) !== files.get(path)));
  return {
    stale: present.filter((_, i) => isStale[i]),
    missing: paths.filter((path) => !existing.has(path)),
    extra: [...existing].filter((path) => !files.has(path)).sort(),
  };
}

/**
 * Makes the folder hold these files and no other; each is whole at any time. Returns what it changed.
 * Throws `ConfigError`, with nothing changed, when the folder has files that no compiler wrote.
 */
export async function writeOutput(folder: string, files: OutputFiles): Promise<Drift> {
  await refuseStrangers(folder, files);
  const drift = await driftOf(folder, files);
  for (const path of [...drift.stale, ...drift.missing]) await replaceFile(join(folder, path), lookUp(files, path));
  for (const path of drift.extra) await rm(join(folder, path), { force: true });
  await removeEmptyFolders(folder, drift.extra);
  return drift;
}

/** Removes the folders of removed files, innermost first. A folder that holds anything else stays: `rmdir` refuses it. */
export async function removeEmptyFolders(folder: string, removed: readonly string[]): Promise<void> {
  const parents = new Set(removed.flatMap(parentsOf));
  for (const path of [...parents].sort((a, b) => b.length - a.length))
    await rmdir(join(folder, path)).catch(() => undefined);
}

/** `a/b/c.ts` → `a/b`, `a`. */
function parentsOf(path: string): string[] {
  const parent = posix.dirname(path);
  return parent === '.' ? [] : [parent, ...parentsOf(parent)];
}

/** Outputs may be damaged, by a merge for one, but a folder without any generated file is somebody else's. */
async function refuseStrangers(folder: string, files: OutputFiles): Promise<void> {
  const existing = [...(await filesIn(folder))].filter((path) => !DRAFT.test(path)).sort();
  const written = await writtenByOthers(folder, existing);
  const isOurs = written.length < existing.length;
  const stranger = written.find((path) => !(isOurs && (files.has(path) || WITHOUT_HEADER.has(path))));
  if (stranger === undefined) return;
  throw new ConfigError([`${join(folder, stranger)} is not Lockstep's; name a folder that holds its output alone.`]);
}

/** One after the other: the folder may hold more than can be open at once. */
async function writtenByOthers(folder: string, paths: readonly string[]): Promise<string[]> {
  const written: string[] = [];
  for (const path of paths) if ((await known(folder, path))?.startsWith(HEADER) === false) written.push(path);
  return written;
}

const read = (folder: string, path: string): Promise<string> => readFile(join(folder, path), 'utf8');

/** Undefined for a file that another process has removed since. */
const known = (folder: string, path: string): Promise<string | undefined> =>
  read(folder, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** Whether a file is the draft of a process that still runs, and may be about to rename it. */
function isInUse(path: string): boolean {
  const [, pid] = DRAFT.exec(path) ?? [];
  if (pid === undefined) return false;
  try {
    return process.kill(Number(pid), 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Without what is hidden: systems and editors leave such files anywhere. Throws `ConfigError` for a file. */
async function filesIn(folder: string): Promise<Set<string>> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const paths = files.map((file) => relative(folder, join(file.parentPath, file.name)).replaceAll('\\', '/'));
    return new Set(paths.filter((path) => !HIDDEN.test(path) && !isInUse(path)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return new Set();
    throw code === 'ENOTDIR' ? new ConfigError([`${folder} is a file, not a folder.`]) : error;
  }
}

/** Replaces one file that the compiler has written before; false if there was nothing to replace. */
export async function replaceOwn(folder: string, path: string, text: string): Promise<boolean> {
  const known = await read(folder, path).catch(() => '');
  if (!known.startsWith(HEADER)) return false;
  if (known !== text) await replaceFile(join(folder, path), text);
  return true;
}

export async function replaceFile(path: string, text: string | Buffer): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  const replace = async (): Promise<void> => {
    await writeFile(draft, text);
    await rename(draft, path);
  };
  const replaceInNewFolder = async (error: NodeJS.ErrnoException): Promise<void> => {
    if (error.code !== 'ENOENT') throw error;
    await mkdir(dirname(path), { recursive: true });
    await replace();
  };
  // Another process may remove a folder while it is empty.
  await replace().catch(replaceInNewFolder).catch(replaceInNewFolder);
}
