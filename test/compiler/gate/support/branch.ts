import { execFileSync } from 'node:child_process';
import { cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { formatted, verdictsOf } from '../../../../src/authoring/check-contract.ts';
import type { ReportFormat } from '../../../../src/authoring/report-formats.ts';
import type { Base, Verdict } from '../../../../src/compiler/gate/index.ts';
import type { Piece } from '../../../../src/compiler/pieces.ts';
import { type Finished, runHere } from '../../../support/command.ts';
import { filledFolders, withFolder } from '../../../support/folder.ts';

/** A repository whose branch `main` has a contract, and whose branch `work` is checked out. */
export interface Repository {
  readonly folder: string;
  readonly git: (...args: string[]) => string;
  /** Replaces a text in a file; throws where that has none. */
  readonly edit: (file: string, from: string | RegExp, to: string) => Promise<void>;
  readonly read: (file: string) => Promise<string>;
  readonly write: (file: string, text: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  readonly move: (from: string, to: string) => Promise<void>;
  readonly commit: () => void;
  /** `npm run release`, which succeeds. */
  readonly release: (contracts?: string) => Promise<void>;
  /** `npm run contract -- --only changes --against main`. */
  readonly check: (contracts?: string, ...args: string[]) => Promise<Finished>;
}

export interface Started {
  /** Edits `main` before the branch is made. */
  readonly before?: (repository: Repository) => Promise<unknown>;
  /** Whether `main` has released its contract. */
  readonly isReleased?: boolean;
  readonly fixture?: string;
}

export const FILE = 'contracts/openapi.yaml';
const SDL = 'contracts/cats.graphql';
export const breaking = ({ edit }: Pick<Repository, 'edit'>) => edit(FILE, 'maximum: 100', 'maximum: 50');
export const allowed = ({ edit }: Repository) => edit(FILE, 'maximum: 100', 'maximum: 200');
/** The same break in both halves, so that it can be released. */
export const breakingBoth = async (repository: Repository) => {
  await breaking(repository);
  await repository.edit(SDL, 'assumedSize: 100', 'assumedSize: 50');
};
export const moreSorts = async ({ edit }: Repository) => {
  await edit(FILE, 'enum: [name, -name, bornOn, -bornOn]', 'enum: [name, -name, bornOn, -bornOn, colour, -colour]');
  await edit(SDL, 'enum CatSort {', 'enum CatSort {\n  COLOUR_ASC\n  COLOUR_DESC');
};
export const waived = (reason: string): string =>
  [
    ['breaking-rest/schema-constraint-changed', 'listCats.limit'],
    ['breaking-graphql/listsize-changed', 'Query.cats'],
  ].reduce(
    (text, [rule, subject]) =>
      `${text}    - rule: ${rule}\n      subject: ${subject}\n      reason: ${reason}\n      until: 2999-12-31\n`,
    '  x-waivers:\n',
  );
export const BREAK = 'error  breaking-rest/schema-constraint-changed';

/** The rules of the errors. */
export const errorsOf = (stdout: string): string[] =>
  [...stdout.matchAll(/ {2}error {2}(\S+)/g)].map(([, rule]) => rule!);

/** A copy of a contract, beside the one that it started from. */
export interface Branch extends Pick<Repository, 'edit' | 'read' | 'write' | 'remove' | 'release'> {
  /** What the checks find of its changes since then. */
  readonly judge: (...pieces: readonly Piece[]) => Promise<Judged>;
  /** What they find of it as a whole. */
  readonly judgeWhole: (...pieces: readonly Piece[]) => Promise<Judged>;
}

/** Verdicts, and how the command prints them. */
export interface Judged {
  readonly verdicts: readonly Verdict[];
  readonly printed: (format?: ReportFormat) => string;
}

/** What `npm run contract -- --against main` does in a repository, without either. */
export const withBranch = (
  work: (branch: Branch) => Promise<unknown>,
  { before, isReleased = true, fixture = 'cats' }: Started = {},
): Promise<void> =>
  withFolder({}, async (folder) => {
    // Where the branch is, output that was generated elsewhere in such a folder is up to date.
    const [own, main] = [folder, join(folder, 'main')];
    if (isReleased) await cp(await released(fixture), main, { recursive: true });
    else await cp(`test/fixtures/${fixture}`, join(main, 'contracts'), { recursive: true });
    await before?.(repositoryIn(main));
    await cp(main, own, { recursive: true });
    const base = { name: 'main', contracts: join(main, 'contracts') };
    await work({
      ...repositoryIn(own),
      judge: (...pieces) => judged(own, pieces, base),
      judgeWhole: (...pieces) => judged(own, pieces),
    });
  });

/** What the checks find in the folder `contracts` beside `generated`. */
export async function judged(folder: string, pieces: readonly Piece[], base?: Base): Promise<Judged> {
  const [contracts, out] = [join(folder, 'contracts'), join(folder, 'generated')];
  const verdicts = await verdictsOf({ contracts, out, pieces }, base);
  return { verdicts, printed: (format = 'human') => formatted(verdicts, { contracts, format }) };
}

export const withRepository = (
  work: (repository: Repository) => Promise<unknown>,
  { before, isReleased = true, fixture = 'cats' }: Started = {},
): Promise<void> =>
  withFolder({}, async (folder) => {
    const repository = repositoryIn(folder);
    const { git, commit } = repository;
    git('init', '-q', '-b', 'main');
    if (isReleased) await cp(await released(fixture), folder, { recursive: true });
    else await cp(`test/fixtures/${fixture}`, join(folder, 'contracts'), { recursive: true });
    await before?.(repository);
    commit();
    git('checkout', '-q', '-b', 'work');
    await work(repository);
  });

/** A fixture that has been released. */
const released = filledFolders(async (folder, fixture) => {
  await cp(`test/fixtures/${fixture}`, join(folder, 'contracts'), { recursive: true });
  await repositoryIn(folder).release();
});

function repositoryIn(folder: string): Repository {
  const at = (path: string): string => join(folder, path);
  const identity = ['-c', 'user.name=test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  const git = (...args: string[]): string =>
    execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const read = (file: string): Promise<string> => readFile(at(file), 'utf8');
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(at(file)), { recursive: true });
    await writeFile(at(file), text);
  };
  const places = (contracts: string): string[] => ['--contracts', at(contracts), '--out', at('generated')];
  return {
    folder,
    git,
    read,
    write,
    async edit(file, from, to) {
      const text = await read(file);
      const edited = text.replace(from, to);
      if (edited === text) throw new Error(`no ${from} in ${file}`);
      await write(file, edited);
    },
    remove: (path) => rm(at(path), { recursive: true }),
    async move(from, to) {
      await mkdir(dirname(at(to)), { recursive: true });
      await rename(at(from), at(to));
    },
    commit() {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', 'a change');
    },
    async release(contracts = 'contracts') {
      const { code, stderr } = await runHere('scripts/release.ts', places(contracts));
      if (code !== 0) throw new Error(stderr);
    },
    check: (contracts = 'contracts', ...args) =>
      runHere('scripts/contract.ts', [...places(contracts), '--only', 'changes', '--against', 'main', ...args]),
  };
}
