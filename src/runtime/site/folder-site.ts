import { accessSync, type Dirent, readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { systemFault } from '../../descriptor/config-error.ts';
import { mediaTypeOf, type Site } from './site.ts';

/** The files that a folder has at first, each read when it is asked for. Throws `ConfigError` if the folder has no `index.html`. */
export function folderSite(folder: string): Site {
  const paths = pathsIn(folder);
  const read = async (path: string): Promise<Buffer | undefined> =>
    paths.has(path) ? readFile(join(folder, path)) : undefined;
  return {
    async file(path) {
      const body = await read(path);
      return body && { type: mediaTypeOf(path), body, brotli: await read(`${path}.br`) };
    },
  };
}

/** Links are what they lead to: a folder may be mounted as links. */
const isFile = (entry: Dirent): boolean =>
  entry.isSymbolicLink() ? statSync(join(entry.parentPath, entry.name)).isFile() : entry.isFile();

function pathsIn(folder: string): ReadonlySet<string> {
  try {
    accessSync(join(folder, 'index.html'));
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => isFile(entry));
    return new Set(entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')));
  } catch (error) {
    throw systemFault('DOCS_DIR', folder, error);
  }
}
