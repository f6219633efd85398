import { existsSync, readFileSync } from 'node:fs';
import { glob } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Graph,
  graphOf,
  HALVES,
  type Import,
  importsOf,
  type Room,
  roomOf,
  rooms,
  roomsWithin,
  shortName,
  sourceFiles,
} from './support/rooms.ts';

const root = join(import.meta.dirname, '..');

/** The words of all contracts: which property looks like a name, an address, a price. */
const VOCABULARY = 'src/tools/samples/words.ts';

let files: readonly string[];
let imports: readonly Import[];

beforeAll(async () => {
  files = await sourceFiles();
  imports = importsOf(files);
});

function forbidden(among: readonly Room[], everything: readonly string[]): readonly string[] {
  return imports.flatMap(({ file, target }) => {
    const from = roomOf(file, among);
    const to = roomOf(target, among);
    if (!from || !to || from === to) return [];
    if (from.mayImport[0]?.startsWith('everything')) return everything.includes(to.name) ? [`${file} > ${target}`] : [];
    return from.mayImport.includes(shortName(to)) ? [] : [`${file} > ${target}`];
  });
}

/** Entered by the files directly in them, and by `index.ts` of the folders within. */
const FACED = ['src/compiler/', 'src/runtime/', 'src/tools/', 'src/proving/', 'src/readers/', 'src/authoring/'];

/** The clients have a second face, for the samples of the documentation. */
const SECOND_FACE = 'src/readers/clients/samples.ts';

/** Whether those outside of its part may import a file. */
function isFace(path: string, part: string): boolean {
  return !path.slice(part.length).includes('/') || path.endsWith('/index.ts') || path === SECOND_FACE;
}

/** The strongly connected components of more than one node (Tarjan). */
function circles(edges: Graph): readonly (readonly string[])[] {
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
  it('has a row for every folder', () => {
    const all = rooms();
    const hasRoom = (file: string): boolean => {
      const half = HALVES.find((folder) => file.startsWith(folder));
      return roomOf(file, all) !== undefined && (!half || roomOf(file, roomsWithin(half, all)) !== undefined);
    };
    expect(files.filter((file) => !hasRoom(file))).toEqual([]);
  });

  it('has only the imports that CONTRIBUTING allows', () => {
    const all = rooms();
    const inside = HALVES.map((half) => roomsWithin(half, all));
    const house = all.filter((room) => !inside.flat().includes(room));
    expect(forbidden(house, ['test/'])).toEqual([]);
    expect(inside.flatMap((among) => forbidden(among, []))).toEqual([]);
  });

  it('enters the clients by their faces, of which that of the command loads nothing else', () => {
    const isWithin = (path: string): boolean =>
      /^(?:src|test)\/readers\/clients\//.test(path) || path.startsWith('test/outside/');
    const entered = imports.filter(({ file, target }) => target.startsWith('src/readers/clients/') && !isWithin(file));
    expect(new Set(entered.map(({ target }) => target))).toEqual(
      new Set(['src/readers/clients/index.ts', 'src/readers/clients/samples.ts']),
    );
    expect(packagesOf('src/readers/clients/index.ts', [LOADED])).toEqual([]);
  });

  it.each(FACED)('enters %s by the files directly in it, and by the faces of its rooms', (part) => {
    const entered = imports.filter(
      ({ file, target }) => target.startsWith(part) && !file.startsWith(part) && !file.startsWith('test/'),
    );
    expect(entered.length).toBeGreaterThan(0);
    expect(entered.filter(({ target }) => !isFace(target, part))).toEqual([]);
  });

  it('has no files that import each other in a circle', () => {
    expect(circles(graphOf(imports, (path) => path))).toEqual([]);
  });

  it('has no folders that import each other in a circle', () => {
    // The files right in `src/` are entries, each by itself: handlers import the public API, production imports handlers.
    const folderOf = (path: string): string => (dirname(path) === 'src' ? path : dirname(path));
    expect(circles(graphOf(imports, folderOf))).toEqual([]);
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

  it('lets no protocol identify, count or authorize callers, or give turns, but through admission', () => {
    const guarded = imports.filter(({ target }) =>
      /^src\/runtime\/(?:auth\/(?!principal\.ts|identity-text\.ts)|http\/(?:rate-limiter|pressure)\.ts)/.test(target),
    );
    expect(guarded.some(({ file }) => file.startsWith('src/runtime/admission/'))).toBe(true);
    expect(guarded.filter(({ file }) => /^src\/runtime\/(?:rest|graphql)\//.test(file))).toEqual([]);
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
