import { statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const TEXT = /\.(?:[cm]?[jt]sx?|ya?ml|json|md|http)$/;
/** The most lines that are named of a file. */
const MOST = 5;

/** The text files among some files and folders that have a word, with the lines: `src/handlers/books.ts:3,12`. What is hidden is left out. */
export async function mentionsIn(places: readonly string[], words: readonly string[]): Promise<readonly string[]> {
  const pattern = new RegExp(`(?<![\\w$])(?:${words.map((word) => word.replaceAll('.', '\\.')).join('|')})(?![\\w$])`);
  const files = (await Promise.all(places.map(filesIn))).flat().sort();
  const found: string[] = [];
  for (const path of files) {
    const lines = (await readFile(path, 'utf8'))
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [at + 1] : []));
    if (lines.length > 0) found.push(`${path}:${lines.slice(0, MOST).join(',')}${lines.length > MOST ? '…' : ''}`);
  }
  return found;
}

async function filesIn(place: string): Promise<readonly string[]> {
  if (statSync(place, { throwIfNoEntry: false })?.isFile()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.flatMap((one) => (one.isFile() ? [join(one.parentPath, one.name)] : []));
  const isHidden = (path: string): boolean => /[\\/](?:\.|node_modules)/.test(path.slice(place.length));
  return paths.filter((path) => TEXT.test(path) && !isHidden(path));
}
