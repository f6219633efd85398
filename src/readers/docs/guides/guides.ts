import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { link } from '../layout/links.ts';
import { items, lines, plain } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';
import type { Reference } from '../reference/reference.ts';
import { consistency, states, versions } from './changes.ts';
import { errors, retries } from './failures.ts';
import { filters } from './filters.ts';
import { batches, linking, totals } from './further.ts';
import { type Guide, guidePath } from './guide.ts';
import { including, paging, sorting } from './lists.ts';
import { Shown } from './shown.ts';
import { clients, firstCall, tokens } from './start.ts';
import { subscriptions } from './subscriptions.ts';
import { filled } from './template.ts';
import { concurrency, idempotency, nulls } from './writes.ts';

/** In the order in which readers need them. */
const GUIDES: readonly Guide[] = [
  ...[
    firstCall,
    tokens,
    paging,
    filters,
    sorting,
    including,
    totals,
    nulls,
    idempotency,
    concurrency,
    batches,
    linking,
  ],
  ...[errors, retries, subscriptions, versions, consistency, states, clients],
];

/** What guides are listed under. */
export const GUIDES_LIST = { title: 'Guides', path: 'docs/guides.html' };

/** The guides of what a contract declares, those of its authors, and the list of all; an author's takes the place of ours. */
export async function guidePages(reference: Reference, own: readonly Page[]): Promise<readonly Page[]> {
  const group = GUIDES_LIST;
  const made = (await Promise.all(GUIDES.map((guide) => guidePage(guide, reference, new Shown(reference))))).flat();
  const replaced = new Set(own.map(({ path }) => path));
  const pages = [...made.filter(({ path }) => !replaced.has(path)), ...own];
  const list = items(pages.map(({ title, path, description }) => `${link(title, path)}: ${description}`));
  return [
    textPage(group.path, group.title, 'How to do things, one after the other.', () => lines('# Guides', list)),
    ...pages,
  ];
}

/** How a file of a guide begins. */
interface Heading {
  readonly title: string;
  readonly description: string;
  /** What readers call it who do not know its title. */
  readonly words: string;
}

async function guidePage(guide: Guide, reference: Reference, shown: Shown): Promise<readonly Page[]> {
  const values = guide.values(shown, reference);
  if (!values) return [];
  const file = await readFile(new URL(`${guide.name}.md`, import.meta.url), 'utf8');
  const [, heading = '', template = ''] = /^---\n([\s\S]*?)^---\n([\s\S]*)$/m.exec(file) ?? [];
  const { title, description, words } = parse(heading) as Heading;
  const text = filled(template, { ...shown.values(values.resource), ...values });
  return [
    {
      ...{ path: guidePath(guide.name), title, description, kind: 'guide', words: words.split(', ') },
      group: GUIDES_LIST,
      text: () => lines(`# ${plain(title)}`, text),
    },
  ];
}
