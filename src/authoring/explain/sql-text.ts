import type { StoredValue } from '../../runtime/storage/index.ts';
import type { Statement } from '../../runtime/storage/statements/index.ts';

/** Placeholders, and what is quoted, where none are. */
const TOKENS = /"[^"]*"|'[^']*'|\?|\$\d+/g;

/** A statement with its values in place of the placeholders; those that `nameOf` names are `:name`. */
export function withValues(
  { sql, slots }: Statement,
  values: readonly StoredValue[],
  nameOf: (value: StoredValue) => string | undefined,
): string {
  let next = 0;
  return sql.replaceAll(TOKENS, (token) => {
    if (token.startsWith('"') || token.startsWith("'")) return token;
    const at = token === '?' ? next++ : Number(token.slice(1)) - 1;
    const value = values[slots[at]!]!;
    const name = nameOf(value);
    return name === undefined ? literal(value) : `:${name}`;
  });
}

const literal = (value: StoredValue): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

const CLAUSES = /^(from|where|order by|limit|union all) /;

/** The columns of a table, and those of rows that are given as one value. */
const COLUMNS = /^select (?:(?! from ).)*,(?:(?! from ).)* from (?=")/s;
const GIVEN_COLUMNS = /^(select \S+ from \(select )(?:(?! from ).)*(, \S[^,]* as position_ from )/s;

/** SQL on several lines: a clause, and each part that `and` joins at its top, on a line; the columns are left out. */
export function onLines(sql: string): readonly string[] {
  const lines: string[] = [];
  let depth = 0;
  let line = '';
  const flush = (): void => {
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = '';
  };
  const words = sql
    .replace(COLUMNS, 'select * from ')
    .replace(GIVEN_COLUMNS, '$1…$2')
    .split(/(?<= )/);
  words.forEach((word, i) => {
    const rest = words.slice(i, i + 2).join('');
    if (depth === 0 && CLAUSES.test(`${rest} `)) flush();
    if (depth === 0 && word === 'and ') {
      flush();
      line = '  ';
    }
    depth += count(word, '(') - count(word, ')');
    line += word;
  });
  flush();
  return lines;
}

const count = (text: string, letter: string): number => text.split(letter).length - 1;
