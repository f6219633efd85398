import { markdownLinks, markdownTwin } from './layout/links.ts';
import { escaped, plain } from './layout/markdown.ts';
import type { Frame, Page, PageKind } from './layout/page.ts';

/** A page as Markdown, for readers that are programs. With the address of the site its links work wherever it is pasted. */
export const markdownOf = async (page: Page, site: string | undefined): Promise<string> =>
  markdownLinks(await page.text(), page.path, site);

const KINDS: readonly (readonly [kind: PageKind, title: string])[] = [
  ['guide', 'Guides'],
  ['page', 'Overviews'],
  ['operation', 'Operations'],
  ['resource', 'Resources'],
  ['error', 'Errors'],
  ['type', 'Types'],
];

/** `llms.txt`: the pages, each with what it says (llmstxt.org). */
export function llmsIndex(pages: readonly Page[], { title, version }: Frame, site: string | undefined): string {
  const at = (path: string): string => (site === undefined ? path : `${site}/${path}`);
  const sections = KINDS.flatMap(([kind, heading]) => {
    const own = pages.filter((page) => page.kind === kind);
    const items = own.map((page) => `- [${plain(page.title)}](${at(markdownTwin(page.path))}): ${page.description}`);
    return items.length === 0 ? [] : [`## ${heading}\n\n${items.join('\n')}\n`];
  });
  const schema = pages.some(({ path }) => path === 'docs/graphql.html')
    ? `- [GraphQL schema](${at('docs/schema.graphql')})\n`
    : '';
  return `# ${title}

> Version ${version}. ${schema === '' ? 'REST, described' : 'REST and GraphQL over the same resources, both described'} by one contract. All pages in one file: [llms-full.txt](${at('llms-full.txt')}).

## Machine-readable

- [OpenAPI 3.1](${at('docs/openapi.json')})
${schema}
${sections.join('\n')}`;
}

/** Samples in other languages than a shell's: of what is read at once, they would be the most. */
const OTHER_SAMPLES = /^```(?:ts TypeScript|python Python|go Go|java Java)\n[\s\S]*?^```\n+/gm;

/** All pages, one after the other. */
export async function llmsFull(pages: readonly Page[], site: string | undefined): Promise<string> {
  const texts: string[] = [];
  for (const [kind] of KINDS)
    for (const page of pages)
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
