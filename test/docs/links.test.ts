import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import earlierAnchors from './support/earlier-anchors.json' with { type: 'json' };
import { anchorsOf, documents, linksOf, root, textOf } from './support/markdown.ts';

/** Why a link of a document leads nowhere. */
function faultOf(document: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), decodeURIComponent(path));
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || anchorsOf(target).has(anchor)) return undefined;
  return `${link}: ${target} has no such heading`;
}

/** Files whose texts users see: messages, advice of rules, help of commands, and files to deploy. */
const sources = [
  ...['codegen.ts', 'compose.yaml', 'Dockerfile', 'docs/rules.md'],
  ...['src', 'scripts', 'deploy', 'contracts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1)),
  ),
];

/** Pages that a file names, with their anchors: `docs/rules.md#drift`. */
const pagesIn = (text: string): readonly string[] => text.match(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g) ?? [];

describe('links', () => {
  it.each(documents)('of %s lead to files and headings that are there', (document) => {
    expect(linksOf(document).flatMap((link) => faultOf(document, link) ?? [])).toEqual([]);
  });

  it('are found, with their faults', () => {
    expect(linksOf('README.md').length).toBeGreaterThan(20);
    expect(faultOf('README.md', 'docs/contract.md#six-actions')).toBeUndefined();
    expect(faultOf('README.md', 'docs/contract.md#seven-actions')).toContain('has no such heading');
    expect(faultOf('docs/graphql.md', 'contracts.md')).toContain('there is no docs/contracts.md');
  });

  it('that the product prints lead to pages and headings that are there', () => {
    const named = sources.flatMap((file) => pagesIn(textOf(file)).map((page) => [file, page] as const));
    expect(named.length).toBeGreaterThan(15);
    expect(named.flatMap(([file, page]) => (faultOf('', page) ? [`${file}: ${page}`] : []))).toEqual([]);
    expect(pagesIn("advice: 'Read docs/graphql.md#none.'").map((page) => faultOf('', page))).toEqual([
      'docs/graphql.md#none: docs/graphql.md has no such heading',
    ]);
  });

  it.each(Object.entries(earlierAnchors))('to %s of earlier releases still work', (page, earlier) => {
    const anchors = anchorsOf(page);
    expect(earlier.length).toBeGreaterThan(0);
    expect(earlier.filter((anchor) => !anchors.has(anchor))).toEqual([]);
  });
});
