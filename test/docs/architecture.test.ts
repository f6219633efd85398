import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Graph, graphOf, importsOf, sourceFiles } from '../support/rooms.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

const PICTURES = ['src/', 'src/compiler/', 'src/runtime/', 'src/runtime/engine/'];

/** The folder right in another one that a file is in; `*.ts` for those beside the folders. */
const nodeIn =
  (folder: string) =>
  (file: string): string | undefined => {
    if (!file.startsWith(folder)) return undefined;
    const [first, ...deeper] = file.slice(folder.length).split('/');
    if (deeper.length > 0) return first;
    // The public API is the face of the runtime; the other files of `src/` are entries.
    if (folder === 'src/') return first === 'index.ts' ? 'runtime' : undefined;
    return '*.ts';
  };

/** The picture of the rooms in a folder; its nodes have the names of rooms up to the first line break. */
function pictureOf(folder: string): string {
  const [, section] = page.split(`The folders of \`${folder}\``);
  return /```mermaid\n([\s\S]*?)```/.exec(section!)![1]!;
}

/** `from > to`, sorted, for each arrow. */
function arrowsOf(picture: string): readonly string[] {
  const labels = new Map(
    [...picture.matchAll(/^ {2}(\w+)\["([^"<]+?)\/?<br\/>/gm)].map(([, id, name]) => [id!, name!]),
  );
  return [...picture.matchAll(/^ {2}(\w+) --> ([\w &]+)$/gm)]
    .flatMap(([, from, targets]) => targets!.split(' & ').map((to) => `${labels.get(from!)} > ${labels.get(to)}`))
    .sort();
}

/** The arrows that do not follow from others. */
function shortest(graph: Graph): readonly string[] {
  const reaches = (from: string, to: string): boolean =>
    from === to || [...(graph.get(from) ?? [])].some((next) => reaches(next, to));
  const isShort = (from: string, to: string): boolean =>
    ![...graph.get(from)!].some((other) => other !== to && reaches(other, to));
  return [...graph]
    .flatMap(([from, targets]) => [...targets].filter((to) => isShort(from, to)).map((to) => `${from} > ${to}`))
    .sort();
}

describe('docs/architecture.md', () => {
  it.each(PICTURES)('has the picture of %s that its imports make', async (folder) => {
    const imports = importsOf((await sourceFiles()).filter((file) => file.startsWith(folder)));
    expect(arrowsOf(pictureOf(folder))).toEqual(shortest(graphOf(imports, nodeIn(folder))));
  });

  it.each(PICTURES)('shows every room of %s', async (folder) => {
    const names = new Set((await sourceFiles()).flatMap((file) => nodeIn(folder)(file) ?? []));
    const shown = [...pictureOf(folder).matchAll(/\["([^"<]+?)\/?<br\/>/g)].map(([, name]) => name!);
    expect(shown.sort()).toEqual([...names].sort());
  });

  it('names files and folders that are there', () => {
    const named = [
      ...page.matchAll(/`((?:src|test|docs|scripts|contracts|generated|deploy|\.ci)\/[^`\s]+|CONTRIBUTING\.md)`/g),
    ];
    expect(named.length).toBeGreaterThan(80);
    expect(named.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
