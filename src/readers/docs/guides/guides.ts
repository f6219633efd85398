import { link } from '../layout/links.ts';
import { items, lines, plain } from '../layout/markdown.ts';
import { type Page, textPage } from '../layout/page.ts';
import type { Reference } from '../reference/reference.ts';
import { consistency, states, versions } from './changes.ts';
import { errors, retries } from './failures.ts';
import { filters } from './filters.ts';
import { type Guide, guidePath } from './guide.ts';
import { paging, sorting } from './lists.ts';
import { Shown } from './shown.ts';
import { clients, firstCall, tokens } from './start.ts';
import { subscriptions } from './subscriptions.ts';
import { concurrency, idempotency, nulls } from './writes.ts';

/** In the order in which readers need them. */
const GUIDES: readonly Guide[] = [
  ...[firstCall, tokens, paging, filters, sorting, nulls, idempotency, concurrency],
  ...[errors, retries, subscriptions, versions, consistency, states, clients],
];

/** What guides are listed under. */
export const GUIDES_LIST = { title: 'Guides', path: 'docs/guides.html' };

/** The guides of what a contract declares, those of its authors, and the list of all; an author's takes the place of ours. */
export function guidePages(reference: Reference, own: readonly Page[]): readonly Page[] {
  const shown = new Shown(reference);
  const group = GUIDES_LIST;
  const made = GUIDES.flatMap((guide): Page[] => {
    const { name, title, description, words } = guide;
    const text = guide.text(shown, reference);
    if (text === undefined) return [];
    return [
      {
        path: guidePath(name),
        title,
        description,
        kind: 'guide',
        words,
        group,
        text: () => lines(`# ${plain(title)}`, text),
      },
    ];
  });
  const replaced = new Set(own.map(({ path }) => path));
  const pages = [...made.filter(({ path }) => !replaced.has(path)), ...own];
  const list = items(pages.map(({ title, path, description }) => `${link(title, path)}: ${description}`));
  return [
    textPage(group.path, group.title, 'How to do things, one after the other.', () => lines('# Guides', list)),
    ...pages,
  ];
}
