import { link } from '../layout/links.ts';
import { items, lines } from '../layout/markdown.ts';
import { type NavLink, type Page, textPage } from '../layout/page.ts';

/** What browsers see where there is nothing. */
export const unknownPage = (links: readonly NavLink[]): Page => ({
  ...textPage('404.html', 'Not found', 'There is nothing at this address.', () =>
    lines(
      '# There is nothing here',
      'The address may be mistyped. Try the search above, or one of these:',
      items([link('Start', 'index.html'), ...links.map(({ title, path }) => link(title, path))]),
    ),
  ),
  isAnywhere: true,
});
