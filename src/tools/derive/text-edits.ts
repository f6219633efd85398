/** A text put into another at an offset. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** The text with all insertions, those at one offset in their order. */
export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = '';
  let done = 0;
  for (const { offset, text: added } of insertions.toSorted((a, b) => a.offset - b.offset)) {
    result += text.slice(done, offset) + added;
    done = offset;
  }
  return result + text.slice(done);
}

/** The white space that the line of an offset begins with. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start))![0];
}
