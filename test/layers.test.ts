import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const SOURCES = ['src', 'contracts', 'generated', 'scripts', 'test'].map((folder) => `${folder}/**/*.{ts,js}`);
/** Fixtures of the tests, and the client, which is a package of its own. */
const NOT_OURS = /^(?:test\/fixtures|test\/\.types-|generated\/sdk)\//;
const IMPORT = /^(?:import|export|\})[^;'`]*?\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;

interface Import {
  readonly file: string;
  readonly target: string;
}

interface Room {
  /** As the table spells it: `src/compiler/`, or `src/*.ts` for the files of a folder itself. */
  readonly name: string;
  readonly mayImport: readonly string[];
}

/** The words of all contracts: which property looks like a name, an address, a price. */
const VOCABULARY = 'src/tools/mock/words.ts';

let imports: readonly Import[];

beforeAll(async () => {
  const found: Import[] = [];
  for await (const path of glob(SOURCES, { cwd: root })) {
    const file = path.replaceAll('\\', '/');
    if (NOT_OURS.test(file)) continue;
    for (const [, target, lazy] of readFileSync(join(root, file), 'utf8').matchAll(IMPORT)) {
      const absolute = join(root, dirname(file), (target ?? lazy)!);
      found.push({ file, target: relative(root, absolute).replaceAll('\\', '/') });
    }
  }
  imports = found;
});

/** The folders whose rooms have tables of their own. */
const HALVES = ['src/compiler/', 'src/runtime/'];

const roomsWithin = (half: string, all: readonly Room[]): readonly Room[] =>
  all.filter(({ name }) => name.startsWith(half) && name !== half);

/** The rows of the tables in CONTRIBUTING.md whose last column says what a folder may import. */
function rooms(): readonly Room[] {
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

/** The room of a file among those of one table: its own, the folder that holds it, or the row of files beside the folders. */
function roomOf(file: string, among: readonly Room[]): Room | undefined {
  const own = among.find(({ name }) => (name.endsWith('/') ? file.startsWith(name) : file === name));
  return own ?? among.find(({ name }) => name.endsWith('*.ts') && `${dirname(file)}/` === name.slice(0, -4));
}

function forbidden(among: readonly Room[], everything: readonly string[]): readonly string[] {
  return imports.flatMap(({ file, target }) => {
    const from = roomOf(file, among);
    const to = roomOf(target, among);
    if (!from || !to || from === to) return [];
    if (from.mayImport[0]?.startsWith('everything')) return everything.includes(to.name) ? [`${file} > ${target}`] : [];
    const short = to.name.replace(/\/$/, '').split('/').at(-1)!;
    return from.mayImport.includes(short) ? [] : [`${file} > ${target}`];
  });
}

/** The strongly connected components of more than one node (Tarjan). */
function circles(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly (readonly string[])[] {
  const found: string[][] = [];
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    low.set(node, order.get(node)!);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node)!, low.get(next)!));
    }
    if (low.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) found.push(circle.sort());
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}

function graphOf(nodeOf: (path: string) => string): ReadonlyMap<string, ReadonlySet<string>> {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of imports) {
    const [from, to] = [nodeOf(file), nodeOf(target)];
    if (from === to) continue;
    const targets = edges.get(from) ?? new Set();
    edges.set(from, targets.add(to));
  }
  return edges;
}

/** Imports that run when a file is loaded. */
const LOADED = /^(?:import|export|\})(?! type\b)[^;'`]*?\bfrom '([^']+)'|^import '([^']+)'/gm;
/** Imports that run later, if at all. */
const LAZY = /\bimport\('([^']+)'\)/g;

/** The packages that a file brings with it, by way of all files between. What emitters print looks like imports, too, but leads nowhere. */
function packagesOf(entry: string, patterns: readonly RegExp[]): readonly string[] {
  const packages = new Set<string>();
  const files = new Set([entry]);
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    const found = patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, from, alone]) => (from ?? alone)!));
    for (const name of found) {
      if (name.startsWith('.')) {
        const target = join(dirname(file), name);
        if (existsSync(join(root, target))) files.add(target);
      } else if (!isBuiltin(name)) packages.add(/^(?:@[^/]+\/)?[^/]+/.exec(name)![0]);
    }
  }
  return [...packages].sort();
}

describe('the house', () => {
  it('has a row for every folder', async () => {
    const all = rooms();
    const homeless: string[] = [];
    for await (const path of glob(SOURCES, { cwd: root })) {
      const file = path.replaceAll('\\', '/');
      if (!NOT_OURS.test(file) && !roomOf(file, all)) homeless.push(file);
      const half = HALVES.find((folder) => file.startsWith(folder));
      if (half && !roomOf(file, roomsWithin(half, all))) homeless.push(file);
    }
    expect(homeless).toEqual([]);
  });

  it('has only the imports that CONTRIBUTING allows', () => {
    const all = rooms();
    const inside = HALVES.map((half) => roomsWithin(half, all));
    const house = all.filter((room) => !inside.flat().includes(room));
    expect(forbidden(house, ['test/'])).toEqual([]);
    expect(inside.flatMap((among) => forbidden(among, []))).toEqual([]);
  });

  it('enters the clients by their one face', () => {
    const isWithin = (path: string): boolean =>
      /^(?:src|test)\/clients\//.test(path) || path.startsWith('test/outside/');
    const entered = imports.filter(({ file, target }) => target.startsWith('src/clients/') && !isWithin(file));
    expect(new Set(entered.map(({ target }) => target))).toEqual(new Set(['src/clients/index.ts']));
  });

  it('has no files that import each other in a circle', () => {
    expect(circles(graphOf((path) => path))).toEqual([]);
  });

  it('has no folders that import each other in a circle', () => {
    // The files right in `src/` are entries, each by itself: handlers import the public API, production imports handlers.
    const folderOf = (path: string): string => (dirname(path) === 'src' ? path : dirname(path));
    expect(circles(graphOf(folderOf))).toEqual([]);
  });

  it('serves with the packages of production alone', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const needed = packagesOf('src/main.ts', [LOADED, LAZY]);
    expect(needed).toContain('fastify');
    expect(needed.filter((name) => !Object.hasOwn(dependencies, name))).toEqual([]);
  });

  it('reads and judges a contract without graphql-codegen, which only output waits for', () => {
    const isCodegen = (name: string): boolean => name.startsWith('@graphql-codegen/');
    expect(packagesOf('src/compiler/compile-contract.ts', [LOADED]).filter(isCodegen)).toEqual([]);
    expect(packagesOf('src/compiler/compile-contract.ts', [LOADED, LAZY]).filter(isCodegen)).toContain(
      '@graphql-codegen/cli',
    );
  });

  it('knows the shipped contract in handlers only', async () => {
    const words = /\b(storefront|users?|products?|reviews?|orders|sku)\b/i;
    const guilty: string[] = [];
    for await (const path of glob('src/**/*.ts', { cwd: root })) {
      const file = path.replaceAll('\\', '/');
      if (file.startsWith('src/handlers/') || file === VOCABULARY) continue;
      const code = readFileSync(join(root, file), 'utf8')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/\/\/.*$/gm, '');
      if (words.test(code)) guilty.push(file);
    }
    expect(guilty).toEqual([]);
  });
});
