import { escaped } from '../layout/markdown.ts';
import type { NavLink, Page } from '../layout/page.ts';

/** What a browser sees where there is nothing. It is served at any path, so its links start at the root. */
export function unknownPage(links: readonly NavLink[]): Page {
  const items = links.map(({ title, path }) => `<li><a href="/${path}">${escaped(title)}</a></li>`).join('\n');
  return {
    path: '404.html',
    title: 'Not found',
    text: '# Not found\n',
    body: `<h1>There is nothing here</h1>\n<p>The address may be mistyped. Try the search above, or one of these:</p>\n<ul>\n<li><a href="/">Start</a></li>\n${items}\n</ul>`,
    isAnywhere: true,
  };
}
