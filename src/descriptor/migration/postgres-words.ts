import { WORDS_SUFFIX, type WordSearch } from '../searches.ts';
import { columnOf, type Table } from '../table.ts';
import { askedIn } from '../words/asked-words.ts';
import { BETWEEN_WORDS, LATER_EMOJI, REMOVED_MARKS } from '../words/word-characters.ts';
import { letterPairs, MAX_SEARCHED_LENGTH, MAX_WORD_LENGTH, rangesOf } from '../words/words.ts';
import { quote, quotedText } from './literal.ts';
import { analyzed, searchIndex } from './postgres-searches.ts';
import type { SearchDialect } from './schema-dialect.ts';
import type { Pieces } from './step.ts';

/** Characters of regular expressions and of `translate`, as `words.ts` has them. */
function characters() {
  const escaped = (point: number): string => `\\U${Math.max(point, 1).toString(16).padStart(8, '0')}`;
  const marks = rangesOf(REMOVED_MARKS)
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)))
    .join('');
  // `translate` looks for each character from the first on, so that those that most texts have come first.
  const usual = ' abcdefghijklmnopqrstuvwxyz0123456789';
  const pairs = letterPairs();
  const changed = pairs.map(([one]) => one).join('') + marks;
  const separators = rangesOf(`${BETWEEN_WORDS} ${LATER_EMOJI}`)
    .map(([first, last]) => `${escaped(first)}-${escaped(last)}`)
    .join('');
  return { changed, written: usual + changed, same: usual + pairs.map(([, one]) => one).join(''), separators };
}

/**
 * The words of a text, as `wordsOf` has them, whatever locale the database has and whatever text search configurations: of
 * Postgres' own parser, they would depend on these, and be others than those of SQLite. It takes 0.1 to 0.3 ms for a text of
 * 500 characters, which the planner knows.
 */
function words(): string {
  const { changed, written, same, separators } = characters();
  return `create or replace function lockstep_words(source text) returns tsvector
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
}

/**
 * The words of a row, each behind the number of the first of its texts that has it: `1whale`. So both databases count
 * ranks alike, and the index knows how many rows there are of each.
 */
const ROW_WORDS = `create or replace function lockstep_row_words(texts text[]) returns tsvector
language plpgsql immutable parallel safe cost 1000 as $lockstep$
declare
  remaining int := ${MAX_SEARCHED_LENGTH};
  content text;
  parts tsvector[] := '{}';
begin
  foreach content in array texts loop
    parts := parts || lockstep_words(left(content, greatest(remaining, 0)));
    remaining := remaining - length(content) - 1;
  end loop;
  return (
    select coalesce(array_to_tsvector(array_agg(level || word)), ''::tsvector)
    from (
      select word, min(level) as level
      from unnest(parts) with ordinality as part (words, level), unnest(tsvector_to_array(words)) as word
      group by word
    ) as first
  );
end $lockstep$`;

/**
 * Holds for each row, at the price of looking at its words. The planner, which takes that for nothing, would read rows in
 * the order of the list until it has a page, where the index knows of few that have the words.
 */
const FOUND = `create or replace function lockstep_found(words tsvector) returns boolean
language plpgsql immutable parallel safe cost 1000 as $lockstep$
begin
  return true;
end $lockstep$`;

/** So many times ten words are known by how many rows have them; of all others, too many rows are expected. */
const STATISTICS = 400;

/** The words of a row with columns behind a prefix: ``, or `new.`. */
function rowWords({ levels }: WordSearch, prefix: string): string {
  const texts = levels.map((properties) =>
    properties.map(({ column }) => `coalesce(${prefix}${quote(column)}, '')`).join(" || ' ' || "),
  );
  return `lockstep_row_words(array[${texts.join(', ')}])`;
}

const columnsOf = ({ properties }: WordSearch): string => properties.map(({ column }) => column).join(', ');

/** Whoever writes, with whatever schemas before this one in the session. */
function trigger(table: Table, search: WordSearch): string {
  const [name, on] = [quote(search.name), quote(table.name)];
  const columns = search.properties.map(({ column }) => quote(column)).join(', ');
  return [
    `create or replace function ${name}() returns trigger language plpgsql set search_path from current as $lockstep$
begin
  new.${name} := ${rowWords(search, 'new.')};
  return new;
end $lockstep$`,
    `drop trigger if exists ${name} on ${on}`,
    `create trigger ${name} before insert or update of ${columns} on ${on} for each row execute function ${name}()`,
  ].join(';\n');
}

/**
 * Gives the rows that are there their words. Rows that somebody holds a lock on are left for later, so that nobody waits
 * for long, and no two for each other. Names end as those of no column do.
 */
function filling(table: Table, search: WordSearch): Pieces {
  const [name, on] = [quote(search.name), quote(table.name)];
  const key = table.key.map((property) => quote(columnOf(table, property).column));
  const keys = key.join(', ');
  const behind = (after: string): string => {
    const values = table.tenant ? (JSON.parse(after) as readonly string[]) : [after];
    return ` and (${keys}) > (${values.map((value) => quotedText(String(value))).join(', ')})`;
  };
  const last = table.tenant
    ? `jsonb_build_array(${key.map((one) => `written_.${one}::text`).join(', ')})::text`
    : `written_.${key[0]}::text`;
  return {
    next: (rows, after) => [
      `with some_ as (
  select ${keys} from ${on} where ${name} is null${after === undefined ? '' : behind(after)}
  order by ${keys} limit ${rows} for update skip locked
), written_ as (
  update ${on} set ${name} = ${rowWords(search, '')} from some_
  where ${key.map((one) => `${on}.${one} = some_.${one}`).join(' and ')} returning ${key.map((one) => `some_.${one}`).join(', ')}
)
select ${last} from written_ order by ${key.map((one) => `written_.${one} desc`).join(', ')} limit 1`,
    ],
    left: `select 1 from ${on} where ${name} is null limit 1`,
  };
}

/**
 * GIN indexes of the words of rows, which a column keeps that a trigger writes: a generated column would have the table
 * written anew under a lock, and words made at each read take 0.1 to 0.3 ms a row.
 */
export const postgresWords: SearchDialect<WordSearch> = {
  prerequisite: {
    what: 'create functions lockstep_words, lockstep_row_words, lockstep_found',
    get sql() {
      return [words(), ROW_WORDS, FOUND].join(';\n');
    },
  },
  prepare: (table, search, isFilled) => {
    const lock = { mode: 'access exclusive', tables: [table.name] } as const;
    const [name, on] = [quote(search.name), quote(table.name)];
    const add = `alter table ${on} add column if not exists ${name} tsvector;
alter table ${on} alter column ${name} set statistics ${STATISTICS}`;
    const what = `keep words of ${table.name} in column ${search.name}`;
    // Tables on other nodes have no triggers; the table is written anew, under a lock.
    if (table.isDistributed) {
      const generated = `alter table ${on} add column if not exists ${name} tsvector generated always as (${rowWords(search, '')}) stored`;
      return [{ what, sql: generated, lock, ...(isFilled && { rows: { table: table.name, usPerRow: 250 } }) }];
    }
    const sql = `${add};\n${trigger(table, search)}`;
    if (!isFilled) return [{ what, sql }];
    return [
      { what, sql, lock },
      {
        what: `fill column ${search.name}`,
        sql: '',
        isConcurrent: true,
        rows: { table: table.name, usPerRow: 250, pieces: filling(table, search) },
      },
    ];
  },
  create: (table, search, isFilled) => [
    ...searchIndex(table, search.name, columnsOf(search), `(${quote(search.name)})`, isFilled, 20),
    ...(isFilled ? [analyzed(table)] : []),
  ],
  drop: (table, name) => [
    {
      what: `drop search index ${name}`,
      sql: [
        `drop trigger if exists ${quote(name)} on ${quote(table.name)}`,
        `drop function if exists ${quote(name)}()`,
        `alter table ${quote(table.name)} drop column if exists ${quote(name)}`,
      ].join(';\n'),
      lock: { mode: 'access exclusive', tables: [table.name] },
    },
  ],
  isOwn: (name) => name.endsWith(WORDS_SUFFIX),
};

/** What is asked for as a `tsquery`. Terms are letters, marks and digits of any script, which mean nothing else in one. */
export function tsqueryText({ levels }: WordSearch, text: string): string {
  const { rank, terms } = askedIn(text);
  const within = (last: number) => all(terms.map((forms) => any(inLevels(forms, 1, last))));
  if (rank === undefined) return within(levels.length);
  if (rank === 1) return within(1);
  // A word is in one level, and the index knows in how many rows; what else a row has that begins so, it does not.
  const here = any(terms.flatMap((forms) => inLevels(forms, rank, rank)));
  const isOneWord = terms.length === 1 && terms[0]!.length === 1 && !terms[0]![0]!.endsWith('*');
  return isOneWord ? here : all([within(rank), here, `!${within(rank - 1)}`]);
}

function inLevels(forms: readonly string[], first: number, last: number): string[] {
  const levels = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  return levels.flatMap((level) => forms.map((form) => level + form.replace('*', ':*')));
}

const all = (parts: readonly string[]): string => `(${parts.join('&')})`;
const any = (parts: readonly string[]): string => `(${parts.join('|')})`;
