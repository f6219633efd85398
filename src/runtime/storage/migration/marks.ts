import { createHash } from 'node:crypto';

/** The marks of a hand-written migration: lines `-- lockstep: …` at its top, among blank lines and comments. */
const MARKS = {
  'no transaction': 'runs outside a transaction, statement by statement',
  'before tables': 'runs before the first tables of a new database are made',
  'after tables': 'runs after the tables and columns of the contract exist, before rows are checked',
  'existing rows': 'changes existing tables or rows: recorded and not run on a new database',
  'breaks old instances': 'instances of the contract recorded last fail after it, which is intended',
  'this database alone': 'is not needed on the other database',
  'not renamed': 'names columns and tables that have left the contract and were not renamed',
} as const;

export type Mark = keyof typeof MARKS;

/** Marks that name something after their words. */
const NAMING: Partial<Record<Mark, RegExp>> = { 'not renamed': /^\s+(\S+)$/ };

/** A text in its marks, and the rest. */
export interface MarkedText {
  readonly marks: ReadonlySet<Mark>;
  /** What a mark names, in each of its lines. */
  named(mark: Mark): readonly string[];
  /** SHA-256, in hexadecimal, with any of its marks left out: the first without all of them. */
  readonly digests: readonly string[];
  /** The first line with an unknown mark, from 1, and why. */
  readonly unknown?: { readonly line: number; readonly why: string };
}

const LINE = /^\s*--\s*lockstep:\s*(.*?)\s*$/;
const HEAD = /^(?:[^\S\n]*(?:--[^\n]*)?\n)*(?:[^\S\n]*--[^\n]*$)?/;

export function readMarks(text: string): MarkedText {
  const [head] = HEAD.exec(text)!;
  const lines = head.split(/(?<=\n)/).map((line) => ({ line, ...markIn(line) }));
  const marks = new Set(lines.flatMap(({ mark }) => mark ?? []));
  const i = lines.findIndex(({ line, mark }) => mark === undefined && LINE.test(line));
  return {
    marks,
    named: (wanted) => lines.flatMap(({ mark, named }) => (mark === wanted ? (named ?? []) : [])),
    digests: digestsOf(lines, text.slice(head.length), [...marks]),
    ...(i !== -1 && { unknown: { line: i + 1, why: unknown(lines[i]!.line) } }),
  };
}

interface MarkedLine {
  readonly line: string;
  readonly mark?: Mark;
  readonly named?: string;
}

function markIn(line: string): Omit<MarkedLine, 'line'> {
  const said = LINE.exec(line)?.[1] ?? '';
  for (const mark of Object.keys(MARKS) as Mark[]) {
    const naming = NAMING[mark];
    if (!naming && said === mark) return { mark };
    const named = said.startsWith(mark) && naming?.exec(said.slice(mark.length))?.[1];
    if (named) return { mark, named };
  }
  return {};
}

function digestsOf(lines: readonly MarkedLine[], rest: string, marks: readonly Mark[]): readonly string[] {
  const [mark, ...others] = marks;
  if (mark === undefined) {
    const head = lines.map(({ line }) => line).join('');
    return [createHash('sha256').update(head).update(rest).digest('hex')];
  }
  const without = lines.filter((line) => line.mark !== mark);
  return [...new Set([...digestsOf(without, rest, others), ...digestsOf(lines, rest, others)])];
}

function unknown(line: string): string {
  const known = Object.keys(MARKS).map((mark) => `\`-- lockstep: ${mark}${mark in NAMING ? ' table.column' : ''}\``);
  return `\`${line.trim()}\` is not known. Write one of ${known.join(', ')}.`;
}
