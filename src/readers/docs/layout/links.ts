/** A path in the site: `docs/errors.html`. */
export type SitePath = string;

/** A link in Markdown to a page of the site, wherever it stands. */
export const link = (text: string, path: SitePath): string => `[${text}](site:${path})`;

/** Where the Markdown of a page is. */
export const markdownTwin = (path: SitePath): SitePath => path.replace(/\.html$/, '.md');

const IN_HTML = /(?<==")site:([^"]*)(?=")/g;
const IN_MARKDOWN = /\]\(site:([^()#\s]*)((?:#[^()\s]*)?)\)/g;

/** What a contract may write, and the site never does. */
const ELSEWHERE = /^[^#]*(?::|\.\.)|^\//;

/** The links of a page's HTML, seen from its own path; without one, from the root. */
export const relativeLinks = (html: string, from: SitePath | undefined): string =>
  html.replaceAll(IN_HTML, (_, to: SitePath) => (ELSEWHERE.test(to) ? '#' : seen(to, from)));

/**
 * The links of a page's Markdown: to the Markdown of other pages. With the address of the site they work wherever the text is
 * pasted.
 */
export const markdownLinks = (text: string, from: SitePath, site: string | undefined): string =>
  text.replaceAll(IN_MARKDOWN, (_, path: SitePath, fragment: string) => {
    const to = NOT_TWINNED.test(path) ? path : markdownTwin(path);
    return `](${site === undefined ? seen(to, from) : `${site}/${to}`}${fragment})`;
  });

/** Pages that are programs have no Markdown. */
const NOT_TWINNED = /graphiql|console\.html$/;

const seen = (to: SitePath, from: SitePath | undefined): string => (from === undefined ? `/${to}` : relative(from, to));

/** `docs/a.html` → `index.html`: `../index.html`. */
export function relative(from: SitePath, to: SitePath): string {
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  const steps = folder.split('/').slice(0, -1);
  const parts = to.split('/');
  let shared = 0;
  while (shared < steps.length && shared < parts.length - 1 && steps[shared] === parts[shared]) shared += 1;
  const up = '../'.repeat(steps.length - shared);
  return up + parts.slice(shared).join('/');
}
