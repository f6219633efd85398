import { markdownLinks, markdownTwin } from './layout/links.ts';
import { escaped, plain } from './layout/markdown.ts';
import type { Frame, Page, PageKind } from './layout/page.ts';

/** Samples in other languages than a shell's: of what is read at once, they would be the most. */
const OTHER_SAMPLES = /^```(?:ts TypeScript|python Python|go Go|java Java)\n[\s\S]*?^```\n+/gm;

/**
 * A page as Markdown, for readers that are programs. With the address of the site its links work wherever it is pasted. Of many operations
 * it has the samples of a shell alone.
 */
export async function markdownOf(page: Page, { isDivided }: Frame, site: string | undefined): Promise<string> {
  const text = await page.text();
  const isShort = isDivided && page.kind === 'operation';
  return markdownLinks(isShort ? text.replace(OTHER_SAMPLES, '') : text, page.path, site);
}

const KINDS: readonly (readonly [kind: PageKind, title: string])[] = [
  ['guide', 'Guides'],
  ['page', 'Overviews'],
  ['operation', 'Operations'],
  ['resource', 'Resources'],
  ['error', 'Errors'],
  ['type', 'Types'],
];

/** What a reader should begin with: of many operations, types and facts, the pages that lead to them. */
const begunWith = (pages: readonly Page[], isDivided: boolean): readonly Page[] =>
  isDivided
    ? pages.filter(({ kind, path }) => kind !== 'operation' && kind !== 'type' && !path.startsWith('docs/parity/'))
    : pages;

/** `llms.txt`: the pages, each with what it says (llmstxt.org). */
export function llmsIndex(
  pages: readonly Page[],
  { title, version, isDivided }: Frame,
  site: string | undefined,
): string {
  const at = (path: string): string => (site === undefined ? path : `${site}/${path}`);
  const sections = KINDS.flatMap(([kind, heading]) => {
    const own = begunWith(pages, isDivided).filter((page) => page.kind === kind);
    const items = own.map((page) => `- [${plain(page.title)}](${at(markdownTwin(page.path))}): ${page.description}`);
    return items.length === 0 ? [] : [`## ${heading}\n\n${items.join('\n')}\n`];
  });
  const schema = pages.some(({ path }) => path === 'docs/graphql.html')
    ? `- [GraphQL schema](${at('docs/schema.graphql')})\n`
    : '';
  return `# ${title}

> Version ${version}. ${schema === '' ? 'REST, described' : 'REST and GraphQL over the same resources, both described'} by one contract. ${isDivided ? 'Operations and types are on the pages of their tags, all other pages' : 'All pages'} in one file: [llms-full.txt](${at('llms-full.txt')}).

## Machine-readable

- [OpenAPI 3.1](${at('docs/openapi.json')})
${schema}
${sections.join('\n')}`;
}

/** The pages of `llms.txt`, one after the other. */
export async function llmsFull(
  pages: readonly Page[],
  { isDivided }: Frame,
  site: string | undefined,
): Promise<string> {
  const texts: string[] = [];
  for (const [kind] of KINDS)
    for (const page of begunWith(pages, isDivided))
      if (page.kind === kind && !page.isConsole)
        texts.push(markdownLinks((await page.text()).replace(OTHER_SAMPLES, ''), '', site));
  return texts.join('\n\n---\n\n');
}

/** The addresses of all pages (sitemaps.org). */
export const sitemap = (pages: readonly Page[], site: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${pages.map(({ path }) => `<url><loc>${escaped(`${site}/${path}`)}</loc></url>`).join('\n')}
</urlset>
`;
