import type { SearchDialect } from '../../../descriptor/migration/schema-dialect.ts';
import { WORDS_SUFFIX, type WordSearch } from '../../../descriptor/searches.ts';
import { LATER_EMOJI } from '../../../descriptor/words/word-characters.ts';
import { MAX_SEARCHED_LENGTH, rangesOf } from '../../../descriptor/words/words.ts';
import { createTextIndex, dropTextIndex } from './sqlite-text-index.ts';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const emoji = rangesOf(LATER_EMOJI)
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
  .join('');

/** Splits texts into words as `wordsOf` does. The index knows which rows have a word, not where in them. */
export const FTS5_WORDS = `detail = none, tokenize = "unicode61 remove_diacritics 2 categories 'L* N* M* Co' separators '${emoji}'"`;

/** Indexes of the words of several columns together. */
export const sqliteWords: SearchDialect<WordSearch> = {
  create: (table, { name, properties }) => {
    const columns = properties.map(({ column }) => column);
    const joined = (prefix: string) =>
      columns.map((column) => `coalesce(${prefix}${quote(column)}, '')`).join(" || ' ' || ");
    const textOf = (prefix: string) => `substr(${joined(prefix)}, 1, ${MAX_SEARCHED_LENGTH})`;
    return [
      {
        what: `create search index ${name} on ${table.name} (${columns.join(', ')})`,
        sql: createTextIndex(table, { name, columns, textOf, options: FTS5_WORDS }),
      },
    ];
  },
  drop: (name) => [{ what: `drop search index ${name}`, sql: dropTextIndex(name) }],
  isOwn: (name) => name.endsWith(WORDS_SUFFIX),
};
