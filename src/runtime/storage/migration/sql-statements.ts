import type { DatabaseKind } from '../location.ts';

/** One statement of a file, without the semicolon that ends it. */
export interface SqlStatement {
  readonly sql: string;
  /** Line of the file that it starts in, from 1. */
  readonly line: number;
}

/**
 * What ends or hides a semicolon: comments; texts (with escapes, plain), names in quotes, texts between dollars; words;
 * the semicolon; any other character.
 */
const TOKEN =
  /(--[^\n]*)|(\/\*)|[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)|([A-Za-z_][\w$]*)|;|\S/g;

/**
 * The statements of a file of SQL, in order. A semicolon in a comment, a text, a trigger of SQLite (`begin … end`) or a
 * function of Postgres (`$$ … $$`, `begin atomic … end`) ends none.
 */
export function sqlStatements(text: string, kind: DatabaseKind): SqlStatement[] {
  const statements: SqlStatement[] = [];
  const token = new RegExp(TOKEN);
  let first: number | undefined;
  let words: string[] = [];
  let depth = 0;
  const end = (at: number): void => {
    if (first !== undefined) statements.push({ sql: text.slice(first, at).trimEnd(), line: lineAt(text, first) });
    first = undefined;
    words = [];
    depth = 0;
  };
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [found, lineComment, comment, dollars, word] = match;
    if (lineComment !== undefined) continue;
    if (comment !== undefined) token.lastIndex = endOfComment(text, match.index, kind);
    else if (found === ';' && depth === 0) end(match.index);
    else {
      first ??= match.index;
      if (dollars !== undefined && kind === 'postgres') token.lastIndex = endOf(text, dollars, token.lastIndex);
      if (word === undefined) continue;
      depth = depthAfter(depth, words, word.toLowerCase());
      words.push(word.toLowerCase());
    }
  }
  end(text.length);
  return statements;
}

/** `begin` and `case` open what `end` closes, inside the body of a trigger or a function alone. */
function depthAfter(depth: number, words: readonly string[], word: string): number {
  if (depth > 0) return depth + (word === 'case' || word === 'begin' ? 1 : 0) - (word === 'end' ? 1 : 0);
  const isTrigger = word === 'begin' && words.includes('trigger');
  const isAtomic = word === 'atomic' && words.at(-1) === 'begin';
  return words[0] === 'create' && (isTrigger || isAtomic) ? 1 : 0;
}

/** Comments of Postgres may contain comments (PostgreSQL, 4.1.5). */
function endOfComment(text: string, start: number, kind: DatabaseKind): number {
  if (kind === 'sqlite') return endOf(text, '*/', start + 2);
  let depth = 0;
  for (const match of text.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += match[0] === '/*' ? 1 : -1;
    if (depth === 0) return start + match.index + 2;
  }
  return text.length;
}

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? text.length : at + mark.length;
}

/** The line of a position in a text, from 1. */
export const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;
