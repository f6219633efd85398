import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Lines shown before and after a change. */
const CONTEXT_LINES = 2;

/** The differences of two texts in the unified format, with the lines around them; empty for equal texts. */
export function textDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  const from = before === undefined ? '/dev/null' : path;
  return createTwoFilesPatch(from, path, before ?? '', after, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
  }).trimEnd();
}
