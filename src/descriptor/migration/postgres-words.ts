import type { WordSearch } from '../searches.ts';
import { BETWEEN_WORDS, LATER_EMOJI, REMOVED_MARKS } from '../words/word-characters.ts';
import { LETTERS, MAX_SEARCHED_LENGTH, MAX_WORD_LENGTH, rangesOf } from '../words/words.ts';
import { analyzed, dropped } from './postgres-searches.ts';
import type { SearchDialect } from './schema-dialect.ts';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

const escaped = (point: number): string => `\\U${Math.max(point, 1).toString(16).padStart(8, '0')}`;
const separators = rangesOf(`${BETWEEN_WORDS} ${LATER_EMOJI}`)
  .map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
  .join('');

const marks = rangesOf(REMOVED_MARKS)
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
  .join('');

/** `translate` looks for each character from the first on, so that those that most texts have come first. */
const usual = ' abcdefghijklmnopqrstuvwxyz0123456789';
const changed = LETTERS.map(([one]) => one).join('') + marks;
const written = usual + changed;
const same = usual + LETTERS.map(([, one]) => one).join('');

/**
 * The words of a text, as `wordsOf` has them, whatever locale the database has and whatever text search configurations: of
 * Postgres' own parser, they would depend on these, and be others than those of SQLite. It takes 0.1 to 0.3 ms for a text of
 * 500 characters, which the planner is told.
 */
const WORDS = `create or replace function lockstep_words(source text) returns tsvector
language plpgsql immutable strict parallel safe cost 1000 as $lockstep$
declare
  words text := lower(left(source, ${MAX_SEARCHED_LENGTH}) collate "C");
begin
  if words ~ '[${changed}]' then
    words := translate(words, '${written}', '${same}');
  end if;
  return (
    select coalesce(array_to_tsvector(array_agg(left(word, ${MAX_WORD_LENGTH}))), ''::tsvector)
    from unnest(string_to_array(regexp_replace(words, '[${separators}]+', ' ', 'g'), ' ')) as word
    where word <> ''
  );
end $lockstep$`;

/** The words of a row, as its index has them. */
export const wordsOfRow = ({ properties }: WordSearch): string =>
  `lockstep_words(${properties.map(({ column }) => `coalesce(${quote(column)}, '')`).join(" || ' ' || ")})`;

/** GIN indexes of the words of rows. */
export const postgresWords: SearchDialect<WordSearch> = {
  prerequisite: { what: 'create function lockstep_words', sql: WORDS },
  create: (table, search, isFilled) => [
    {
      what: `create search index ${search.name} on ${table.name} (${search.properties.map(({ column }) => column).join(', ')})`,
      sql: `create index ${isFilled ? 'concurrently ' : ''}${quote(search.name)} on ${quote(table.name)} using gin (${wordsOfRow(search)})`,
      isConcurrent: isFilled,
    },
    ...(isFilled ? [analyzed(table)] : []),
  ],
  drop: dropped,
  // Others may give their indexes names of this form.
  isOwn: () => false,
};
