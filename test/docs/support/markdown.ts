import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import MarkdownIt, { type Token } from 'markdown-it';

export const root = join(import.meta.dirname, '..', '..', '..');
const markdown = new MarkdownIt({ html: true });

const markdownIn = (folder: string, recursive = false): readonly string[] =>
  readdirSync(join(root, folder), { recursive, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));

/** The README and each page of `docs/`, as paths below the root. */
export const pages: readonly string[] = [
  'README.md',
  ...markdownIn('docs', true)
    .map((name) => `docs/${name}`)
    .sort(),
];

/** The pages, and the other documents at the root. */
export const documents: readonly string[] = [...new Set([...markdownIn(''), ...pages])];

export const textOf = (document: string): string => readFileSync(join(root, document), 'utf8');

export const blockTokensIn = (text: string): readonly Token[] => markdown.parse(text, {});

export const blockTokensOf = (document: string): readonly Token[] => blockTokensIn(textOf(document));

/** Blocks, each followed by its parts. */
const tokensOf = (document: string): readonly Token[] =>
  blockTokensOf(document).flatMap((token) => [token, ...(token.children ?? [])]);

/** Targets of the links and pictures of a document that stay on this site. */
export const linksOf = (document: string): readonly string[] =>
  tokensOf(document).flatMap((token) => {
    const target = token.attrGet('href') ?? token.attrGet('src');
    return typeof target === 'string' && !/^[a-z][a-z+.-]*:/.test(target) ? [target] : [];
  });

/** The anchor that GitHub derives from a heading. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');

/** The anchors of a document: its headings, numbered if they repeat, and explicit ids. */
export function anchorsOf(document: string): ReadonlySet<string> {
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
