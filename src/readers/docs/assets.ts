import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { SitePath } from './layout/links.ts';
import type { Assets } from './layout/page.ts';
import { labelStyles } from './layout/table-labels.ts';
import { LIBRARIES, type Library, libraryPath } from './libraries.ts';

const OWN = ['icon.svg', 'site.css', 'site.js', 'parity.js', 'console.js', 'moved.js', 'search.js'];

interface OwnAssets {
  readonly logo: { readonly name: string; readonly content: Buffer } | undefined;
  readonly styles: string;
}

/** `own`: what the authors of a contract add. */
export async function readAssets({ logo, styles: own }: OwnAssets): Promise<Assets> {
  const read = async (name: string, path: URL | string) => [name, await readFile(path)] as const;
  const all = new Map<string, Buffer>([
    ...(await Promise.all((Object.keys(LIBRARIES) as Library[]).map((name) => read(name, libraryPath(name))))),
    ...(await Promise.all(OWN.map((name) => read(name, new URL(`assets/${name}`, import.meta.url))))),
  ]);
  if (logo) all.set(logo.name, logo.content);
  const paths = new Map([...all].map(([name, content]) => [name, hashed(name, content)]));
  // Styles name fonts, so that theirs change with them.
  const styles = Buffer.from(
    `${String(all.get('site.css'))}${labelStyles()}${own}`.replaceAll(
      /url\("([\w-]+\.woff2)"\)/g,
      (_, name: string) => `url("${paths.get(name) ?? name}")`,
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
