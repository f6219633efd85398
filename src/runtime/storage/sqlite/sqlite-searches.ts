import type { DatabaseSync } from 'node:sqlite';
import { quote } from '../../../descriptor/migration/literal.ts';
import type { LiveTable, SearchDialect } from '../../../descriptor/migration/schema-dialect.ts';
import { type Search, UNRANKED_SUFFIX } from '../../../descriptor/searches.ts';
import { wholeness } from './sqlite-search-parts.ts';
import { createTextIndex, dropTextIndex, type TextIndex } from './sqlite-text-index.ts';

const SUFFIX = '_search';

/** Indexes of trigrams (https://www.sqlite.org/fts5.html, 4.3.5). */
export const sqliteSearches: SearchDialect<Search> = {
  create: (table, { name, property: { column } }, isFilled) => {
    const textsOf: TextIndex['textsOf'] = (prefix) => [['text', prefix + quote(column)]];
    const index = { name, columns: [column], textsOf, options: "tokenize = 'trigram'", usPerRow: 100 };
    const what = `create search index ${name} on ${table.name} (${column})`;
    return [{ what, ...createTextIndex(table, index, isFilled) }];
  },
  drop: (_table, name) => [{ what: `drop search index ${name}`, sql: dropTextIndex(name) }],
  isOwn: (name) => name.endsWith(SUFFIX),
};

/**
 * The search indexes of one of the tables. One is valid only with all of its parts: who rebuilds the table loses its
 * triggers.
 */
export function liveSearches(database: DatabaseSync, table: string, tables: readonly string[]): LiveTable['indexes'] {
  const found = database
    .prepare("select name from sqlite_schema where type = 'table' and sql like '%using fts5%'")
    .all();
  const names = found
    .map(({ name }) => name as string)
    .filter((name) => (name.endsWith(SUFFIX) || name.endsWith(UNRANKED_SUFFIX)) && tableOf(name, tables) === table);
  return new Map(names.map((name) => [name, stateOf(database, table, name)]));
}

/** Names of indexes begin with their tables'; so may the name of a table with that of another: `orders_items`. */
const tableOf = (name: string, tables: readonly string[]): string | undefined =>
  tables.filter((table) => name.startsWith(`${table}_`)).sort((a, b) => b.length - a.length)[0];

function stateOf(database: DatabaseSync, table: string, name: string) {
  const { whole, filling } = database.prepare(wholeness(table, name)).get()!;
  return { isValid: whole === 1, isFilling: filling === 1 };
}
