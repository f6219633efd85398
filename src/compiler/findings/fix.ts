/** A position in a text file, counted from 1. */
interface Position {
  readonly line: number;
  readonly column: number;
}

/** An edit of one of the author's files that removes a finding. */
export interface Fix extends Position {
  /** Relative to the contract folder. */
  readonly file: string;
  /** End of the text that is replaced, exclusive; absent when `text` is only inserted. */
  readonly end?: Position;
  /** What is written at the position. An insertion includes the line breaks and the indentation that it needs. */
  readonly text: string;
}

/**
 * The text of a file with fixes applied; all of them are for this file, and their positions are those of the given
 * text. Of fixes that overlap, the first in the file is applied: a second run finds what is left.
 */
export function applyFixes(text: string, fixes: readonly Fix[]): string {
  const lines = lineStarts(text);
  const offsetOf = ({ line, column }: Position): number => (lines[line - 1] ?? text.length) + column - 1;
  const edits = fixes
    .map((fix) => ({ start: offsetOf(fix), end: offsetOf(fix.end ?? fix), text: fix.text }))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  let fixed = '';
  let done = 0;
  for (const { start, end, text: written } of edits) {
    if (start < done) continue;
    fixed += text.slice(done, start) + written;
    done = end;
  }
  return fixed + text.slice(done);
}

/** The offset at which each line begins. */
function lineStarts(text: string): number[] {
  return [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
}
