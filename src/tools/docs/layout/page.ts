import { GENERATOR } from '../../../compiler/sdl/generated-folder.ts';
import { pagePolicy, policyElement, scriptHashes } from '../../../runtime/http/page-policy.ts';
import { escaped, rendered } from './markdown.ts';
import { type Section, sectionsIn } from './sections.ts';

/** What all pages of a site share. */
export interface Frame {
  /** Title of the API. */
  readonly title: string;
  readonly version: string;
  readonly links: readonly NavLink[];
  /** The origin of the API, which may be another than the site's. */
  readonly origin: string;
}

export interface NavLink {
  readonly title: string;
  /** Path in the site: `docs/rest.html`. */
  readonly path: string;
}

export interface Page {
  /** Path in the site: `docs/errors.html`. */
  readonly path: string;
  readonly title: string;
  /** HTML of the page's content. */
  readonly body: string;
  /** The same as Markdown, whose links lead to other pages' HTML. */
  readonly text: string;
  /** Paths in the site of the scripts to run, in order. */
  readonly scripts?: readonly string[];
  /** Whether the content has its own layout and fills the page. */
  readonly isWide?: boolean;
  /** Whether it is served at paths that are not its own: its links start at the root. */
  readonly isAnywhere?: boolean;
}

/** A page written in Markdown. */
export const markdownPage = (path: string, title: string, text: string): Page => ({
  path,
  title,
  body: rendered(text),
  text,
  ...(text.includes('```mermaid') && { scripts: DIAGRAMS }),
});

/** What draws the diagrams of a page. */
const DIAGRAMS: readonly string[] = ['docs/assets/mermaid.js', 'docs/assets/diagrams.js'];

/** Runs before the first paint, so that a dark page never flashes white. */
const COLOUR_MODE = `try{var m=localStorage.getItem("lockstep.mode");if(m!=="light"&&m!=="dark")m=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";document.documentElement.classList.add(m)}catch(e){}`;

/** Where the Markdown of a page is. */
export const markdownPath = (path: string): string => path.replace(/\.html$/, '.md');

/** The complete HTML of a page, which loads nothing from other hosts. */
export function html(page: Page, frame: Frame): string {
  const { path, title, body, scripts = [], isWide = false } = page;
  const to = linker(page);
  const all = ['docs/assets/site.js', ...scripts].map((script) => `<script src="${to(script)}" defer></script>`);
  const sections = isWide ? [] : sectionsIn(body);
  return `<!doctype html>
<html lang="en" data-root="${to('')}">
<head>
<meta charset="utf-8">
${GENERATOR}
<meta name="viewport" content="width=device-width, initial-scale=1">
${policyElement(policyOf(scripts, frame))}
<title>${escaped(title === frame.title ? title : `${title} – ${frame.title}`)}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${to('docs/assets/site.css')}">
${page.isAnywhere ? '' : `<link rel="alternate" type="text/markdown" href="${to(markdownPath(path))}">\n`}<script>${COLOUR_MODE}</script>
${all.join('\n')}
</head>
<body${isWide ? ' class="wide"' : ''}>
<a class="skip" href="#main">Skip to the content</a>
${headerOf(page, frame)}
<div class="frame">
${tableOfContents(sections)}${isWide ? `<div id="main" tabindex="-1">\n${body}\n</div>` : `<main id="main" tabindex="-1">\n${body}\n</main>`}
</div>
${isWide ? '' : footerOf(page, frame)}
</body>
</html>
`;
}

/** Links from a page to paths of the site. */
const linker =
  ({ path, isAnywhere = false }: Page) =>
  (target: string): string =>
    isAnywhere ? `/${target}` : relativeLink(path, target);

function headerOf(page: Page, { title, version, links }: Frame): string {
  const to = linker(page);
  const { path } = page;
  const items = links.map(
    (link) =>
      `<a href="${to(link.path)}"${link.path === path ? ' aria-current="page"' : ''}>${escaped(link.title)}</a>`,
  );
  return `<header class="top">
<a class="brand" href="${to('index.html')}"><span class="mark" aria-hidden="true"></span>${escaped(title)} <small>${escaped(version)}</small></a>
<nav id="pages" aria-label="Documentation">
${items.join('\n')}
</nav>
<button id="find" type="button" aria-haspopup="dialog"><span>Search</span> <kbd aria-hidden="true">/</kbd></button>
<button id="mode" type="button" aria-label="Light or dark" title="Light or dark"><span aria-hidden="true">◐</span></button>
<button id="menu" type="button" aria-expanded="false" aria-controls="pages">Menu</button>
</header>`;
}

function tableOfContents(sections: readonly Section[]): string {
  const MIN_SECTIONS = 3;
  if (sections.length < MIN_SECTIONS) return '';
  const items = sections.map(({ id, title, level }) => `<li class="level${level}"><a href="#${id}">${title}</a></li>`);
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>\n${items.join('\n')}\n</ul></nav>\n`;
}

function footerOf(page: Page, { title, version }: Frame): string {
  const to = linker(page);
  const own = page.isAnywhere ? '' : `<a href="${to(markdownPath(page.path))}">This page as Markdown</a> `;
  return `<footer>
<p>${escaped(title)} ${escaped(version)}</p>
<p>${own}<a href="${to('llms.txt')}">llms.txt</a></p>
</footer>`;
}

/** Two bars in step. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 3h9v4H2z" fill="#0f766e"/><path d="M5 9h9v4H5z" fill="#b4306f"/></svg>',
)}`;

/** Allows only the inline script that every page has, and inline styles where a library draws with them. */
const policyOf = (scripts: readonly string[], { origin }: Frame): string =>
  pagePolicy({
    'script-src': `'self' ${scriptHashes([COLOUR_MODE])}`,
    'style-src': scripts.some(isLibrary) ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': "'self' data: blob:",
    'font-src': "'self' data:",
    'worker-src': "'self' blob:",
    'connect-src': `'self' ${origin}`,
  });

const isLibrary = (script: string): boolean => /\/(?:mermaid|scalar)\.js$/.test(script);

/** `docs/a.html` → `index.html`: `../index.html`. */
function relativeLink(from: string, to: string): string {
  const depth = from.split('/').length - 1;
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  if (folder !== '' && to.startsWith(folder)) return to.slice(folder.length);
  return '../'.repeat(depth) + to;
}
