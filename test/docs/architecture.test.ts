import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Graph,
  graphOf,
  HALVES,
  importsOf,
  roomOf,
  rooms,
  roomsWithin,
  shortName,
  sourceFiles,
} from '../support/rooms.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The picture of the rooms in a folder; its nodes have the names of rooms up to the first line break. */
function pictureOf(half: string): string {
  const [, section] = page.split(`The folders of \`${half}\``);
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
  it.each(HALVES)('has the picture of %s that its imports make', async (half) => {
    const among = roomsWithin(half, rooms());
    const nodeOf = (path: string): string | undefined => {
      const room = roomOf(path, among);
      return room && shortName(room);
    };
    const imports = importsOf((await sourceFiles()).filter((file) => file.startsWith(half)));
    expect(arrowsOf(pictureOf(half))).toEqual(shortest(graphOf(imports, nodeOf)));
  });

  it.each(HALVES)('shows every room of %s', (half) => {
    const names = roomsWithin(half, rooms()).map(shortName);
    const shown = [...pictureOf(half).matchAll(/\["([^"<]+?)\/?<br\/>/g)].map(([, name]) => name!);
    expect(shown.sort()).toEqual(names.sort());
  });

  it('names files and folders that are there', () => {
    const named = [
      ...page.matchAll(/`((?:src|test|docs|scripts|contracts|generated|deploy|\.ci)\/[^`\s]+|CONTRIBUTING\.md)`/g),
    ];
    expect(named.length).toBeGreaterThan(80);
    expect(named.map(([, path]) => path!).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
