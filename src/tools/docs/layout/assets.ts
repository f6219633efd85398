import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { LIBRARIES, type Library, libraryPath } from '../libraries.ts';
import type { SitePath } from './links.ts';

const OWN = ['site.css', 'site.js', 'parity.js', 'console.js', 'moved.js', 'search.js'];

/** Styles, scripts and fonts: each at a path with a digest of what it contains, so that it may be kept for ever. */
export interface Assets {
  /** Where a file is, by its name; to ask for another is a programming error. */
  path(name: string): SitePath;
  readonly files: ReadonlyMap<SitePath, Buffer>;
}

interface OwnAssets {
  readonly logo: { readonly name: string; readonly content: Buffer } | undefined;
  readonly styles: string;
}

/** What search reads; it is made when somebody searches, so that its path has no digest. */
export const SEARCH_INDEX: SitePath = 'docs/assets/search-index.js';

/** `own`: what the authors of a contract add. */
export async function readAssets({ logo, styles: own }: OwnAssets): Promise<Assets> {
  const read = async (name: string, path: URL | string) => [name, await readFile(path)] as const;
  const all = new Map<string, Buffer>([
    ...(await Promise.all((Object.keys(LIBRARIES) as Library[]).map((name) => read(name, libraryPath(name))))),
    ...(await Promise.all(OWN.map((name) => read(name, new URL(`../assets/${name}`, import.meta.url))))),
  ]);
  if (logo) all.set(logo.name, logo.content);
  const paths = new Map([...all].map(([name, content]) => [name, hashed(name, content)]));
  // Styles name fonts, so that theirs change with them.
  const styles = Buffer.from(
    `${String(all.get('site.css'))}${own}`.replaceAll(
      /url\("([\w-]+\.woff2)"\)/g,
      (_, name: string) => `url("${nameIn(paths, name)}")`,
    ),
  );
  all.set('site.css', styles);
  paths.set('site.css', hashed('site.css', styles));
  const path = (name: string): SitePath => `${FOLDER}${nameIn(paths, name)}`;
  return {
    path,
    files: new Map([...all].map(([name, content]) => [path(name), content])),
  };
}

const FOLDER = 'docs/assets/';

function nameIn(paths: ReadonlyMap<string, string>, name: string): string {
  const path = paths.get(name);
  if (path === undefined) throw new Error(`The site has no asset ${name}.`);
  return path;
}

/** `site.css` → `site.1f2e3d4c5b.css`. */
const hashed = (name: string, content: Buffer): string =>
  name.replace(/(?=\.\w+$)/, `.${createHash('sha256').update(content).digest('hex').slice(0, 10)}`);
