import { withoutMarkup } from '../layout/markdown.ts';
import type { Page, PageKind } from '../layout/page.ts';

/** What is found, and where it leads. */
interface Entry {
  readonly id: number;
  readonly kind: PageKind;
  readonly title: string;
  /** Names and other words by which it is found. */
  readonly words: string;
  /** Path in the site, with a fragment. */
  readonly path: string;
  /** What it says, shortened. */
  readonly text: string;
}

/** How much of a page is searched, in characters. Of the reference, names and descriptions are enough. */
const MAX_TEXT: Readonly<Record<PageKind, number>> = {
  ...{ guide: 1_500, page: 500, error: 400, operation: 400, resource: 300, type: 200 },
};

/** The same of a section: that of a guide to its end, as far as an author's keeps within bounds. */
const MAX_SECTION: Readonly<Partial<Record<PageKind, number>>> = { guide: 10_000, page: MAX_TEXT.page };

/** A script that holds what search needs: an entry for each page, and for the sections of those beside the reference. */
export async function searchIndex(pages: readonly Page[]): Promise<string> {
  const found: Omit<Entry, 'id'>[] = [];
  for (const page of pages) if (!page.isConsole && !page.isAnywhere) found.push(...(await entriesOf(page)));
  return `globalThis.searchIndex = ${JSON.stringify(found.map((entry, id): Entry => ({ id, ...entry })))};\n`;
}

async function entriesOf(page: Page): Promise<Omit<Entry, 'id'>[]> {
  const { kind, title, path, description, words = [] } = page;
  const text = await page.text();
  const own = {
    ...{ kind, title, path, words: words.join(' ') },
    text: described(description, prose(text)).slice(0, MAX_TEXT[kind]),
  };
  return [own, ...sectionsOf(page, text)];
}

const described = (description: string, text: string): string =>
  text.includes(description) ? text : `${description} ${text}`;

/** The headings of a page, each with what stands below it; the page itself comes before them. */
function sectionsOf({ kind, title, path }: Page, text: string): Omit<Entry, 'id'>[] {
  const most = MAX_SECTION[kind];
  if (most === undefined) return [];
  const [, ...sections] = withoutCode(text).split(/^## /m);
  return sections.map((section) => {
    const [heading = '', ...below] = section.split('\n');
    const name = withoutMarkup(heading);
    return {
      kind: 'page',
      title: `${title}: ${name}`,
      path: `${path}#${slugOf(name)}`,
      words: '',
      text: prose(below.join('\n')).slice(0, most),
    };
  });
}

/** As markdown-it-anchor makes them. */
const slugOf = (text: string): string => encodeURIComponent(text.trim().toLowerCase().replace(/\s+/g, '-'));

const withoutCode = (text: string): string => text.replace(/^(`{3,})[\s\S]*?^\1$/gm, ' ');

/** Without code, samples and headings. */
const prose = (text: string): string =>
  withoutMarkup(
    withoutCode(text)
      .replace(/^#{1,6} .*$/gm, ' ')
      .replace(/^\|[-| ]+\|$/gm, ' ')
      .replaceAll('|', ' '),
  );
