import { join } from 'node:path';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { FileChange } from './contract-files.ts';

/** Lines shown before and after a change. */
const CONTEXT_LINES = 2;

/** The differences of two texts in the unified format, with the lines around them; empty for equal texts. */
export function textDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return '';
  const [from, to] = [before, after].map((text) => (text === undefined ? '/dev/null' : path)) as [string, string];
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}

/** The differences of changed files of a folder, one after the other. */
export const diffOf = (folder: string, changes: readonly FileChange[]): string =>
  changes.map(({ path, before, after }) => textDiff(join(folder, path), before, after)).join('\n\n');
