import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { systemFault } from '../../descriptor/config-error.ts';
import { mediaTypeOf, type Site, type SiteFile } from './site.ts';

/** Reads the files of a folder, once. Throws `ConfigError` if the folder has no `index.html`. */
export function folderSite(folder: string): Site {
  const files = filesIn(folder);
  return { file: async (path) => files.get(path) };
}

function filesIn(folder: string): ReadonlyMap<string, SiteFile> {
  try {
    readFileSync(join(folder, 'index.html'));
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(
      entries.map((entry) => {
        const file = join(entry.parentPath, entry.name);
        const path = relative(folder, file).replaceAll('\\', '/');
        return [path, { type: mediaTypeOf(path), body: readFileSync(file) }];
      }),
    );
  } catch (error) {
    throw systemFault('DOCS_DIR', folder, error);
  }
}
