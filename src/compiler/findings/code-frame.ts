import type { Location } from './finding.ts';

/** Lines before and after the one that is meant. */
const AROUND = 2;

/** The lines of a file around a place, which is marked. */
export function codeFrame(text: string, { line, column }: Pick<Location, 'line' | 'column'>): string {
  const lines = text.split('\n');
  const first = Math.max(1, line - AROUND);
  const last = Math.min(lines.length, line + AROUND);
  const width = String(last).length;
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .flatMap((number) => {
      const row = `${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${lines[number - 1]}`.trimEnd();
      return number === line ? [row, `  ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1))}^`] : [row];
    })
    .join('\n');
}
