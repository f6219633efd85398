import { readFile } from 'node:fs/promises';
import { LIBRARIES, type Library, libraryPath } from './libraries.ts';

const OWN = ['site.css', 'site.js', 'diagrams.js', 'parity.js', 'rest.js'];

/** Styles, scripts and fonts, by path in the site. */
export function assetFiles(): Promise<readonly [path: string, content: Buffer][]> {
  const own = OWN.map((name) => [name, new URL(`assets/${name}`, import.meta.url)] as const);
  const libraries = (Object.keys(LIBRARIES) as Library[]).map((name) => [name, libraryPath(name)] as const);
  return Promise.all(
    [...own, ...libraries].map(
      async ([name, path]): Promise<[string, Buffer]> => [`docs/assets/${name}`, await readFile(path)],
    ),
  );
}
