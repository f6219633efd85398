import { GENERATOR } from '../../../compiler/sdl/index.ts';
import { pagePolicy, policyElement, scriptHashes } from '../../../runtime/http/index.ts';
import { markdownTwin, relativeLinks, type SitePath } from './links.ts';
import { escaped, rendered } from './markdown.ts';
import { type Section, sectionsIn } from './sections.ts';

/** What a page is about; search ranks by it. */
export type PageKind = 'guide' | 'operation' | 'resource' | 'type' | 'error' | 'page';

export interface Page {
  readonly path: SitePath;
  readonly title: string;
  /** One sentence of what stands there, as plain text. */
  readonly description: string;
  readonly kind: PageKind;
  /** Its Markdown; links to other pages are `site:PATH`. */
  readonly text: () => string | Promise<string>;
  /** What is made of its HTML. */
  readonly finished?: (html: string) => string;
  /** Names by which readers look for it. */
  readonly words?: readonly string[];
  /** What it belongs to: others of the same group are listed beside it. */
  readonly group?: NavLink;
  /** The scripts to run, in order: names of assets, or paths in the site. */
  readonly scripts?: readonly string[];
  /** Whether a library draws with inline styles, and fills the page. */
  readonly isConsole?: boolean;
  /** Whether it is served at paths that are not its own: its links start at the root. */
  readonly isAnywhere?: boolean;
}

/** A page of text beside the reference. */
export const textPage = (path: SitePath, title: string, description: string, text: Page['text']): Page => ({
  path,
  title,
  description,
  kind: 'page',
  text,
});

export interface NavLink {
  readonly title: string;
  readonly path: SitePath;
}

/** Styles, scripts and fonts: each at a path with a digest of what it contains, so that it may be kept for ever. */
export interface Assets {
  /** Where a file is, by its name; to ask for another is a programming error. */
  path(name: string): SitePath;
  readonly files: ReadonlyMap<SitePath, Buffer>;
}

/** What search reads; it is made when somebody searches, so that its path has no digest. */
export const SEARCH_INDEX: SitePath = 'docs/assets/search-index.js';

/** What all pages of a site share. */
export interface Frame {
  /** Title of the API. */
  readonly title: string;
  readonly version: string;
  readonly links: readonly NavLink[];
  /** The origin of the API, which may be another than the site's. */
  readonly origin: string;
  /** The other pages of a group, by the path of what they belong to. */
  readonly groups: ReadonlyMap<SitePath, readonly NavLink[]>;
  readonly assets: Assets;
  /** Whether tags have pages, since there are too many operations to list all together. */
  readonly isDivided: boolean;
  /** Of the author: a logo, by its path in the site. */
  readonly logo?: SitePath | undefined;
}

/** Runs before the first paint, so that a dark page never flashes white. */
const COLOUR_MODE = `try{var m=localStorage.getItem("lockstep.mode");if(m!=="light"&&m!=="dark")m=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";document.documentElement.classList.add(m)}catch(e){}`;

/** The complete HTML of a page, which loads nothing from other hosts. */
export async function html(page: Page, frame: Frame): Promise<string> {
  const { path, title, description, scripts = [], isConsole = false, isAnywhere = false, finished } = page;
  const made = rendered(await page.text());
  const body = finished ? finished(made) : made;
  const asset = (name: string): string => `site:${name.includes('/') ? name : frame.assets.path(name)}`;
  const text = `<!doctype html>
<html lang="en" data-root="site:" data-search="${asset('minisearch.js')}" data-ranks="${asset('search.js')}" data-index="site:${SEARCH_INDEX}">
<head>
<meta charset="utf-8">
${GENERATOR}
<meta name="viewport" content="width=device-width, initial-scale=1">
${policyElement(policyOf(page, frame))}
<title>${escaped(title === frame.title ? title : `${title} – ${frame.title}`)}</title>
<meta name="description" content="${escaped(description)}">
<link rel="icon" href="${asset('icon.svg')}">
<link rel="preload" href="${asset('plex-sans.woff2')}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${asset('site.css')}">
${isAnywhere ? '' : `<link rel="alternate" type="text/markdown" href="site:${markdownTwin(path)}">\n`}<script>${COLOUR_MODE}</script>
${['site.js', ...scripts].map((name) => `<script src="${asset(name)}" defer></script>`).join('\n')}
</head>
<body${isConsole ? ' class="wide"' : ''}>
<a class="skip" href="#main">Skip to the content</a>
${headerOf(page, frame)}
<div class="frame">
${isConsole ? '' : sidebar(page, frame, sectionsIn(body))}${isConsole ? `<div id="main" tabindex="-1">\n${body}\n</div>` : `<main id="main" tabindex="-1">\n${body}\n</main>`}
</div>
${isConsole ? '' : footerOf(page, frame)}
</body>
</html>
`;
  return relativeLinks(text, isAnywhere ? undefined : path);
}

function headerOf({ path }: Page, { title, version, links, logo }: Frame): string {
  const items = links.map(
    (link) =>
      `<a href="site:${link.path}"${link.path === path ? ' aria-current="page"' : ''}>${escaped(link.title)}</a>`,
  );
  const mark =
    logo === undefined
      ? '<span class="mark" aria-hidden="true"></span>'
      : `<img class="logo" src="site:${logo}" alt="" height="24">`;
  return `<header class="top">
<a class="brand" href="site:index.html">${mark}${escaped(title)} <small>${escaped(version)}</small></a>
<nav id="pages" aria-label="Documentation">
${items.join('\n')}
</nav>
<button id="find" type="button" aria-haspopup="dialog"><span>Search</span> <kbd aria-hidden="true">/</kbd></button>
<button id="mode" type="button" aria-label="Light or dark" title="Light or dark"><span aria-hidden="true">◐</span></button>
<details id="menu"><summary>Menu</summary></details>
</header>`;
}

/** Of a larger group, a page has the link to its list alone. */
const MAX_BESIDE = 60;

/** The sections of a page, and the other pages of its group. */
function sidebar({ path, group }: Page, { groups }: Frame, sections: readonly Section[]): string {
  const MIN_SECTIONS = 3;
  const own = sections.map(({ id, title, level }) => `<li class="level${level}"><a href="#${id}">${title}</a></li>`);
  const beside = (group && groups.get(group.path)) ?? [];
  const others = beside.map(
    (one) =>
      `<li><a href="site:${one.path}"${one.path === path ? ' aria-current="page"' : ''}>${escaped(one.title)}</a></li>`,
  );
  const listed = beside.length > MAX_BESIDE ? '' : `<ul>\n${others.join('\n')}\n</ul>`;
  const lists = [
    ...(own.length < MIN_SECTIONS ? [] : [`<p>On this page</p><ul>\n${own.join('\n')}\n</ul>`]),
    ...(group && beside.length > 0 ? [`<p><a href="site:${group.path}">${escaped(group.title)}</a></p>${listed}`] : []),
  ];
  return lists.length === 0
    ? ''
    : `<nav class="contents" aria-label="On this page and beside it">${lists.join('\n')}</nav>\n`;
}

function footerOf({ path, isAnywhere }: Page, { title, version }: Frame): string {
  const own = isAnywhere ? '' : `<a href="site:${markdownTwin(path)}">This page as Markdown</a> `;
  return `<footer>
<p>${escaped(title)} ${escaped(version)}</p>
<p>${own}<a href="site:llms.txt">llms.txt</a></p>
</footer>`;
}

/** Allows only the inline script that every page has, and inline styles where a library draws with them. */
const policyOf = ({ isConsole }: Page, { origin }: Frame): string =>
  pagePolicy({
    'script-src': `'self' ${scriptHashes([COLOUR_MODE])}`,
    'style-src': isConsole ? "'self' 'unsafe-inline'" : "'self'",
    'img-src': "'self' data: blob:",
    'font-src': "'self' data:",
    'worker-src': "'self' blob:",
    'connect-src': `'self' ${origin}`,
  });
