import type { Location } from './finding.ts';

/** Lines of context before and after the marked line. */
const CONTEXT_LINES = 2;

/** The lines of a file around a location, which is marked. */
export function codeFrame(text: string, { line, column }: Pick<Location, 'line' | 'column'>): string {
  const lines = text.split('\n');
  const first = Math.max(1, line - CONTEXT_LINES);
  const last = Math.min(lines.length, line + CONTEXT_LINES);
  const width = String(last).length;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .flatMap((number) => {
      const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${lines[number - 1]}`.trimEnd();
      return number === line ? [row, `  ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1))}^`] : [row];
    })
    .join('\n');
}
