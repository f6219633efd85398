import { readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const SOURCES = ['src', 'contracts', 'generated', 'scripts', 'test'].map((folder) => `${folder}/**/*.{ts,js}`);
/** Fixtures of the tests, and the client, which is a package of its own. */
const NOT_OURS = /^(?:test\/fixtures|test\/\.types-|generated\/sdk)\//;
const IMPORT = /^(?:import|export|\})[^;'`]*?\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

export interface Import {
  readonly file: string;
  readonly target: string;
}

export interface Room {
  /** As the table spells it: `src/compiler/`, or `src/*.ts` for the files of a folder itself. */
  readonly name: string;
  readonly mayImport: readonly string[];
}

/** Each node with those that it leads to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** The folders whose rooms have tables of their own. */
export const HALVES = ['src/compiler/', 'src/runtime/'];

/** The code of the repository, by path from its root. */
export async function sourceFiles(): Promise<readonly string[]> {
  const files: string[] = [];
  for await (const path of glob(SOURCES, { cwd: root })) files.push(path.replaceAll('\\', '/'));
  return files.filter((file) => !NOT_OURS.test(file));
}

/** What the code of the repository imports of itself; types and lazy imports count, too. */
export const importsOf = (files: readonly string[]): readonly Import[] =>
  files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)].map(([, target, lazy]) => ({
      file,
      target: relative(root, join(root, dirname(file), (target ?? lazy)!)).replaceAll('\\', '/'),
    })),
  );

/** The rows of the tables in CONTRIBUTING.md whose last column says what a folder may import. */
export function rooms(): readonly Room[] {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, house, compiler, runtime] = text.split(/^\| Folder \| What it does \| May import \|$/m);
  return [...rows(house!, ''), ...rows(compiler!, 'src/compiler/'), ...rows(runtime!, 'src/runtime/')];
}

function rows(table: string, prefix: string): readonly Room[] {
  const lines = table.split('\n\n')[0]!.split('\n').slice(2);
  return lines.map((line) => {
    const [name, , allowed] = line.slice(2, -2).split(' | ');
    return { name: prefix + name!.replaceAll('`', ''), mayImport: allowed!.split(', ') };
  });
}

export const roomsWithin = (half: string, all: readonly Room[]): readonly Room[] =>
  all.filter(({ name }) => name.startsWith(half) && name !== half);

/** The room of a file among those of one table: its own, the folder that holds it, or the row of files beside the folders. */
export function roomOf(file: string, among: readonly Room[]): Room | undefined {
  const own = among.find(({ name }) => (name.endsWith('/') ? file.startsWith(name) : file === name));
  return own ?? among.find(({ name }) => name.endsWith('*.ts') && `${dirname(file)}/` === name.slice(0, -4));
}

/** How a table and a picture name a room: `engine` of `src/runtime/engine/`, `*.ts` of the files beside the folders. */
export const shortName = ({ name }: Room): string => name.replace(/\/$/, '').split('/').at(-1)!;

/** Which node imports which, where `nodeOf` says to which node a path belongs, if to any. */
export function graphOf(imports: readonly Import[], nodeOf: (path: string) => string | undefined): Graph {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [nodeOf(file), nodeOf(target)];
    if (from === undefined || to === undefined || from === to) continue;
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets.add(to));
  }
  return edges;
}
