import { onlyOf } from '../../../descriptor/look-up.ts';
import { quote } from '../../../descriptor/migration/literal.ts';
import type { SearchDialect } from '../../../descriptor/migration/schema-dialect.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import { UNRANKED_SUFFIX, type WordSearch } from '../../../descriptor/searches.ts';
import { askedIn } from '../../../descriptor/words/asked-words.ts';
import { LATER_EMOJI } from '../../../descriptor/words/word-characters.ts';
import { MAX_SEARCHED_LENGTH, rangesOf } from '../../../descriptor/words/words.ts';
import { createTextIndex, dropTextIndex } from './sqlite-text-index.ts';

/** Splits texts into words as `wordsOf` does. The index knows which levels of a row have a word, not where in them. */
export function fts5Words(): string {
  const emoji = rangesOf(LATER_EMOJI)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
    .join('');
  return `detail = column, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co' separators '${emoji}'"`;
}

/** The text of a level in the index. */
const levelName = (level: number): string => `level_${level + 1}`;

const joined = (prefix: string, properties: readonly PropertyDescriptor[]): string =>
  properties.map(({ column }) => `coalesce(${prefix}${quote(column)}, '')`).join(" || ' ' || ");

/** The texts of the levels, one after the other, as far as a row is searched. */
function textsOf({ levels }: WordSearch, prefix: string): (readonly [name: string, expression: string])[] {
  return levels.map((properties, i) => {
    const before = levels.slice(0, i).map((level) => ` - length(${joined(prefix, level)}) - 1`);
    const left = i === 0 ? MAX_SEARCHED_LENGTH : `max(0, ${MAX_SEARCHED_LENGTH}${before.join('')})`;
    return [levelName(i), `substr(${joined(prefix, properties)}, 1, ${left})`];
  });
}

/** Indexes of the words of several columns together. */
export const sqliteWords: SearchDialect<WordSearch> = {
  create: (table, search, isFilled) => {
    const { name, properties } = search;
    const columns = properties.map(({ column }) => column);
    const index = {
      name,
      columns,
      textsOf: (prefix: string) => textsOf(search, prefix),
      options: fts5Words(),
      usPerRow: 80,
    };
    const what = `create search index ${name} on ${table.name} (${columns.join(', ')})`;
    return [{ what, ...createTextIndex(table, index, isFilled) }];
  },
  drop: (_table, name) => [{ what: `drop search index ${name}`, sql: dropTextIndex(name) }],
  isOwn: (name) => name.endsWith(UNRANKED_SUFFIX),
};

/** What is asked for as a query of FTS5 (3.7, 3.8), in which terms are barewords and lower-case words no operators. */
export function fts5Query(text: string): string {
  const { rank, terms } = askedIn(text);
  const all = terms.map((forms) => onlyOf(forms) ?? `(${forms.join(' OR ')})`).join(' AND ');
  if (rank === undefined) return all;
  const within = (levels: number) => `{${Array.from({ length: levels }, (_, i) => levelName(i)).join(' ')}} : (${all})`;
  return rank === 1 ? within(1) : `(${within(rank)}) NOT (${within(rank - 1)})`;
}
