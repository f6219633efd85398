import type { DatabaseSync } from 'node:sqlite';
import type { SearchDialect } from '../../../descriptor/migration/schema-dialect.ts';
import type { Search } from '../../../descriptor/searches.ts';
import type { Table } from '../../../descriptor/table.ts';
import { SQLITE_TYPES } from './sqlite-dialect.ts';
import { partsOf, wholeness } from './sqlite-search-parts.ts';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const SUFFIX = '_search';

/**
 * An index of trigrams by FTS5, which keeps no text (https://www.sqlite.org/fts5.html, 4.4.3 and 4.3.5), and a table that
 * gives each row a number that nothing changes: a rowid may be another after `vacuum`. Triggers keep both, whoever writes.
 */
function create(table: Table, { name, property }: Search): string {
  const { rows, triggers } = partsOf(name);
  const [index, ids, on, text] = [name, rows, table.name, property.column].map(quote) as [
    string,
    string,
    string,
    string,
  ];
  const [inserted, updated, deleted] = triggers.map(quote) as [string, string, string];
  const add = `insert into ${index} (rowid, text) select n, new.${text} from ${ids} where id = new.id;`;
  const remove = `insert into ${index} (${index}, rowid, text) select 'delete', n, old.${text} from ${ids} where id = old.id;`;
  const idType = SQLITE_TYPES[table.column.get('id')!.type];
  return [
    `create virtual table ${index} using fts5 (text, content = '', tokenize = 'trigram')`,
    `create table ${ids} (n integer primary key, id ${idType} not null unique) strict`,
    `insert into ${ids} (id) select id from ${on}`,
    `insert into ${index} (rowid, text) select n, ${text} from ${on} join ${ids} using (id)`,
    `create trigger ${inserted} after insert on ${on} begin insert into ${ids} (id) values (new.id); ${add} end`,
    `create trigger ${updated} after update of ${text} on ${on} when new.${text} is not old.${text} begin ${remove} ${add} end`,
    `create trigger ${deleted} after delete on ${on} begin ${remove} delete from ${ids} where id = old.id; end`,
  ].join(';\n');
}

function drop(name: string): string {
  const { rows, triggers } = partsOf(name);
  const dropped = triggers.map((trigger) => `drop trigger if exists ${quote(trigger)}`);
  return [...dropped, `drop table if exists ${quote(name)}`, `drop table if exists ${quote(rows)}`].join(';\n');
}

export const sqliteSearches: SearchDialect = {
  create: (table, search) => [
    {
      what: `create search index ${search.name} on ${table.name} (${search.property.column})`,
      sql: create(table, search),
    },
  ],
  drop: (name) => [{ what: `drop search index ${name}`, sql: drop(name) }],
  isOwn: (name) => name.endsWith(SUFFIX),
};

/** The search indexes of a table. One is valid only with all of its parts: who rebuilds the table loses its triggers. */
export function liveSearches(database: DatabaseSync, table: string): Map<string, { readonly isValid: boolean }> {
  const found = database
    .prepare("select name from sqlite_schema where type = 'table' and sql like '%using fts5%'")
    .all();
  const names = found
    .map(({ name }) => name as string)
    .filter((name) => name.startsWith(`${table}_`) && name.endsWith(SUFFIX));
  return new Map(names.map((name) => [name, { isValid: isWhole(database, table, name) }]));
}

function isWhole(database: DatabaseSync, table: string, name: string): boolean {
  return database.prepare(wholeness(table, name)).get()!['whole'] === 1;
}
