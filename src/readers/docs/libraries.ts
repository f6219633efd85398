import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/** Where the package keeps its copies: whoever depends on it does not install what these come with. */
const COPIES = new URL('assets/libraries/', import.meta.url);

/** Files of other packages that the site serves as they are: `package` and `file` in it, by the name in `docs/assets/`. */
export const LIBRARIES = {
  'minisearch.js': { package: 'minisearch', file: 'dist/umd/index.js' },
  'plex-mono-bold.woff2': { package: '@fontsource/ibm-plex-mono', file: 'files/ibm-plex-mono-latin-600-normal.woff2' },
  'plex-mono.woff2': { package: '@fontsource/ibm-plex-mono', file: 'files/ibm-plex-mono-latin-400-normal.woff2' },
  'plex-sans.woff2': {
    package: '@fontsource-variable/ibm-plex-sans',
    file: 'files/ibm-plex-sans-latin-wght-normal.woff2',
  },
  'scalar.js': { package: '@scalar/api-reference', file: 'dist/browser/standalone.js' },
} as const;

export type Library = keyof typeof LIBRARIES;

/** The path of a library's file: the package's copy, or what is installed. Throws when neither is there. */
export function libraryPath(name: Library): string {
  const copy = new URL(name, COPIES);
  return existsSync(copy) ? fileURLToPath(copy) : installedPath(name);
}

/** The licences of all of them, one after the other. */
export async function licencesOf(): Promise<string> {
  const roots = new Map((Object.keys(LIBRARIES) as Library[]).map((name) => [LIBRARIES[name].package, rootOf(name)]));
  const texts = [...roots].map(async ([name, root]) => {
    const file = (await readdir(root)).find((one) => /^licen[cs]e/i.test(one));
    const { license } = JSON.parse(await readFile(`${root}/package.json`, 'utf8')) as { readonly license?: string };
    return `${name} (${license})\n\n${file === undefined ? '' : await readFile(`${root}/${file}`, 'utf8')}`;
  });
  return (await Promise.all(texts)).join('\n\n');
}

const rootOf = (name: Library): string => installedPath(name).slice(0, -LIBRARIES[name].file.length - 1);

/** Packages need not export their manifest or this file, so the folder is looked for where modules are. */
export function installedPath(name: Library): string {
  const { package: from, file } = LIBRARIES[name];
  const folders = createRequire(import.meta.url).resolve.paths(from) ?? [];
  const path = folders.map((folder) => `${folder}/${from}/${file}`).find((one) => existsSync(one));
  if (path === undefined) throw new Error(`${from} is not installed.`);
  return path;
}
