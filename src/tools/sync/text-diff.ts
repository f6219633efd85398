/** Lines shown before and after a change. */
const CONTEXT_LINES = 2;

interface Line {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

/** The differences of two texts in the unified format, with the lines around them; empty for equal texts. */
export function textDiff(path: string, before: string | undefined, after: string): string {
  const lines = diffLines(linesOf(before ?? ''), linesOf(after));
  const changed = lines.flatMap(({ sign }, at) => (sign === ' ' ? [] : [at]));
  if (changed.length === 0) return '';
  const isShown = lines.map((_, at) => changed.some((one) => Math.abs(one - at) <= CONTEXT_LINES));
  const hunks: string[] = [];
  let [old, fresh] = [1, 1];
  lines.forEach(({ sign, text }, at) => {
    if (isShown[at] && !isShown[at - 1]) hunks.push(`@@ -${old} +${fresh} @@`);
    if (isShown[at]) hunks.push(`${sign}${text}`);
    if (sign !== '+') old += 1;
    if (sign !== '-') fresh += 1;
  });
  return [`--- ${before === undefined ? '/dev/null' : path}`, `+++ ${path}`, ...hunks].join('\n');
}

const linesOf = (text: string): readonly string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));

/** What is equal at both ends is left out of the comparison, which takes quadratic time and space. */
function diffLines(a: readonly string[], b: readonly string[]): readonly Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const same = (lines: readonly string[]): readonly Line[] => lines.map((text) => ({ sign: ' ', text }));
  const middle = commonLines(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...same(a.slice(0, start)), ...middle, ...same(a.slice(a.length - end))];
}

/** By the longest common subsequence. */
function commonLines(a: readonly string[], b: readonly string[]): readonly Line[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i]! });
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)) {
      lines.push({ sign: '-', text: a[i]! });
      i += 1;
    } else {
      lines.push({ sign: '+', text: b[j]! });
      j += 1;
    }
  }
  return lines;
}
