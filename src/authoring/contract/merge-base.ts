import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, posix, resolve } from 'node:path';
import type { Base } from '../../compiler/gate/index.ts';
import { ENTRIES } from '../../compiler/read/index.ts';
import { RELEASED } from '../../compiler/sdl/index.ts';
import { CommandFailure } from '../../tools/command-failure.ts';

const MAX_OUTPUT_BYTES = 2 ** 28;
/** What a contract may refer to outside its folder, and a contract that is a file. */
const DOCUMENT = /\.(?:ya?ml|json)$/;
const RECORD = `${RELEASED}/releases.json`;

/**
 * Reads what a branch started from, its merge base with `ref`, out of git into a folder that is removed after `work`. Throws
 * `CommandFailure` with the exit code 2 where git has none.
 */
export async function withMergeBase<T>(contracts: string, ref: string, work: (base: Base) => Promise<T>): Promise<T> {
  const [start, rest] = existingFolder(resolve(contracts));
  const top = (await git(start, ['rev-parse', '--show-toplevel'])).trim();
  const prefix = (await git(start, ['rev-parse', '--show-prefix'])).trim();
  const commit = await mergeBase(top, ref);
  const paths = (await git(top, ['ls-tree', '-r', '-z', '--name-only', commit])).split('\0').filter(Boolean);
  const place = placeAt(paths, posix.join(prefix, rest).replace(/\/$/, ''), top);
  const name = `the merge base ${commit.slice(0, 7)}`;
  if (place === undefined) return work({ name });
  const folder = await mkdtemp(join(tmpdir(), 'lockstep-base-'));
  try {
    const read = paths.filter(
      (path) => place === '.' || path.startsWith(`${place}/`) || DOCUMENT.test(path) || path.endsWith('.graphql'),
    );
    const index = join(folder, 'index');
    await git(top, ['read-tree', commit], index);
    const args = ['--ignore-skip-worktree-bits', '-z', '--stdin', `--prefix=${join(folder, 'files')}/`];
    await git(top, ['checkout-index', ...args], index, read.join('\0'));
    // References may lead anywhere in the repository.
    await mkdir(join(folder, 'files', '.git'), { recursive: true });
    return await work({ name, contracts: join(folder, 'files', place) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The nearest folder of a path that is there, and the rest of the path. */
function existingFolder(path: string, rest = ''): readonly [folder: string, rest: string] {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? [path, rest]
    : existingFolder(dirname(path), posix.join(basename(path), rest));
}

async function mergeBase(top: string, ref: string): Promise<string> {
  const commit = await attempt(git(top, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]));
  const common = commit && (await attempt(git(top, ['merge-base', commit.trim(), 'HEAD'])));
  if (common) return common.trim();
  const isShallow = (await git(top, ['rev-parse', '--is-shallow-repository'])).trim() === 'true';
  throw cannot(isShallow ? shallow(ref) : commit ? unrelated(ref) : unknown(ref));
}

const attempt = (output: Promise<string>): Promise<string | undefined> => output.catch(() => undefined);
const cannot = (message: string): CommandFailure => new CommandFailure(`--against: ${message}`, 2);

const shallow = (ref: string): string =>
  `this clone is shallow and does not have the merge base with ${ref}. Fetch the history: \`fetch-depth: 0\` of actions/checkout, or \`git fetch --unshallow\`.`;
const unrelated = (ref: string): string => `${ref} and HEAD have no commit in common.`;
const unknown = (ref: string): string =>
  `git has no commit ${ref}. Fetch it first, a branch by \`git fetch origin BRANCH\`, and name it as \`origin/BRANCH\`.`;

/** Where the contract was: in the same place, or where one with releases is gone from. Undefined where there was none. */
function placeAt(paths: readonly string[], place: string, top: string): string | undefined {
  const known = new Set(paths);
  const hasEntry = (folder: string): boolean => ENTRIES.some((entry) => known.has(posix.join(folder, entry)));
  if (known.has(place)) return place;
  const folder = DOCUMENT.test(place) ? posix.dirname(place) : place;
  if (hasEntry(folder)) return folder;
  const released = paths.filter((path) => `/${path}`.endsWith(`/${RECORD}`)).map((path) => posix.join(path, '../..'));
  const gone = released.filter((from) => hasEntry(from) && !isContract(join(top, from)));
  const nearest = Math.max(...gone.map((from) => commonEnd(from, folder)));
  const [moved, other] = gone.filter((from) => commonEnd(from, folder) === nearest);
  if (other === undefined) return moved;
  throw cannot(`${gone.join(' and ')} are gone, and one of them may have become ${place}. Move one in a branch.`);
}

const isContract = (folder: string): boolean =>
  existsSync(join(folder, RECORD)) && ENTRIES.some((entry) => existsSync(join(folder, entry)));

/** How many names two paths have in common at their ends. */
function commonEnd(a: string, b: string): number {
  const [left, right] = [a, b].map((path) => path.split('/').reverse()) as [string[], string[]];
  const differing = left.findIndex((name, i) => name !== right[i]);
  return differing < 0 ? left.length : differing;
}

/** What git writes in a folder, whatever repository a hook may have named. */
function git(cwd: string, args: readonly string[], index?: string, input = ''): Promise<string> {
  const { GIT_DIR: _, GIT_WORK_TREE: __, GIT_INDEX_FILE: ___, ...inherited } = process.env;
  const env = { ...inherited, ...(index !== undefined && { GIT_INDEX_FILE: index }) };
  return new Promise((resolve, reject) => {
    const child = execFile('git', args, { cwd, env, maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      reject(cannot(error.code === 'ENOENT' ? 'git is not installed.' : stderr.trim() || error.message));
    });
    child.stdin?.on('error', () => {}).end(input);
  });
}
