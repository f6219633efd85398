import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import MarkdownIt from 'markdown-it';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');
const documents = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const markdown = new MarkdownIt({ html: true });

const tokensOf = (document: string) =>
  markdown.parse(readFileSync(join(root, document), 'utf8'), {}).flatMap((token) => [token, ...(token.children ?? [])]);

/** Where the links of a document lead that are not to other sites. */
const linksOf = (document: string): readonly string[] =>
  tokensOf(document).flatMap((token) => {
    const target = token.attrGet('href') ?? token.attrGet('src');
    return typeof target === 'string' && !/^[a-z][a-z+.-]*:/.test(target) ? [target] : [];
  });

/** What GitHub makes of a heading. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** The anchors of a document: its headings, a number behind those that repeat one, and ids that are written. */
function anchorsOf(document: string): ReadonlySet<string> {
  const tokens = tokensOf(document);
  const seen = new Map<string, number>();
  const headings = tokens.flatMap(({ type }, at) => {
    if (type !== 'heading_open') return [];
    const text = tokens[at + 1]!.children!.filter((part) => part.type === 'text' || part.type === 'code_inline');
    const slug = slugOf(text.map(({ content }) => content).join(''));
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return [count === 0 ? slug : `${slug}-${count}`];
  });
  const written = tokens.flatMap(({ content }) => [...content.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!));
  return new Set([...headings, ...written]);
}

/** Why a link of a document leads nowhere. */
function faultOf(document: string, link: string): string | undefined {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), decodeURIComponent(path));
  if (!existsSync(join(root, target))) return `${link}: there is no ${target}`;
  if (anchor === undefined || anchorsOf(target).has(anchor)) return undefined;
  return `${link}: ${target} has no such heading`;
}

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
});
