import { createHash } from 'node:crypto';
import { GENERATOR } from '../../../compiler/sdl/generated-folder.ts';
import { escaped, rendered } from './markdown.ts';

/** What all pages of a site share. */
export interface Frame {
  /** Title of the API. */
  readonly title: string;
  readonly version: string;
  readonly links: readonly NavLink[];
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
  /** Additional HTML for the head. */
  readonly head?: string;
  /** Paths in the site of the scripts to run, in order. */
  readonly scripts?: readonly string[];
  /** Whether the content has its own layout and fills the page. */
  readonly isWide?: boolean;
}

/** A page written in Markdown. */
export const markdownPage = (path: string, title: string, text: string): Page => ({
  path,
  title,
  body: rendered(text),
  ...(text.includes('```mermaid') && { scripts: ['docs/assets/mermaid.min.js', 'docs/assets/diagrams.js'] }),
});

/** Runs before the first paint, so that a dark page never flashes white. Redoc stores its mode under the same key. */
export const COLOUR_MODE = `try{var m=localStorage.getItem("redoc.colorMode");if(m!=="light"&&m!=="dark")m=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";document.documentElement.classList.add(m)}catch(e){}`;

/** The complete HTML of a page, which loads nothing from other hosts. */
export function html({ path, title, body, head = '', scripts = [], isWide = false }: Page, frame: Frame): string {
  const to = (target: string): string => relativeLink(path, target);
  const nav = frame.links
    .map(
      (link) =>
        `<a href="${to(link.path)}"${link.path === path ? ' aria-current="page"' : ''}>${escaped(link.title)}</a>`,
    )
    .join('\n');
  const all = ['docs/assets/site.js', ...scripts].map((script) => `<script src="${to(script)}" defer></script>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${GENERATOR}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policyOf(body)}">
<title>${escaped(title === frame.title ? title : `${title} – ${frame.title}`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('docs/assets/site.css')}">
<script>${COLOUR_MODE}</script>
${head}
${all.join('\n')}
</head>
<body${isWide ? ' class="wide"' : ''}>
<a class="skip" href="#main">Skip to the content</a>
<header>
<a class="brand" href="${to('index.html')}">${escaped(frame.title)} <small>${escaped(frame.version)}</small></a>
<nav aria-label="Documentation">
${nav}
</nav>
<button id="mode" type="button" aria-label="Light or dark" title="Light or dark">◐</button>
</header>
<main id="main" tabindex="-1">
${body}
</main>
</body>
</html>
`;
}

/** The policy allows only the inline scripts that the page was built with. */
function policyOf(body: string): string {
  const inline = [COLOUR_MODE, ...[...body.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text]) => text!)];
  const hashes = [...new Set(inline)].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  return [
    "default-src 'self'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

/** `docs/a.html` → `index.html`: `../index.html`. */
export function relativeLink(from: string, to: string): string {
  const depth = from.split('/').length - 1;
  const folder = from.slice(0, from.lastIndexOf('/') + 1);
  if (folder !== '' && to.startsWith(folder)) return to.slice(folder.length);
  return '../'.repeat(depth) + to;
}
