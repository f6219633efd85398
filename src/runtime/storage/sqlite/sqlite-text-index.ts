import { lookUp } from '../../../descriptor/look-up.ts';
import { quote, quotedText } from '../../../descriptor/migration/literal.ts';
import type { Pieces, Step } from '../../../descriptor/migration/step.ts';
import type { Table } from '../../../descriptor/table.ts';
import { SQLITE_TYPES } from './sqlite-dialect.ts';
import { partsOf } from './sqlite-search-parts.ts';

/** An index of texts by FTS5. */
export interface TextIndex {
  readonly name: string;
  /** The columns that its texts are made of. */
  readonly columns: readonly string[];
  /** Its texts by name, as expressions over the columns, each behind a prefix: ``, `new.` or `old.`. */
  readonly textsOf: (prefix: string) => readonly (readonly [name: string, expression: string])[];
  /** Options of the virtual table. */
  readonly options: string;
  /** Microseconds that a row takes. */
  readonly usPerRow: number;
}

/**
 * An index by FTS5, which keeps no text (https://www.sqlite.org/fts5.html, 4.4.3), and a table that gives each row a number
 * that nothing changes: a rowid may be another after `vacuum`. Triggers keep both, whoever writes.
 */
export function createTextIndex(
  table: Table,
  { name, columns, textsOf, options, usPerRow }: TextIndex,
  isFilled: boolean,
): Pick<Step, 'sql' | 'rows'> {
  const { rows, triggers, filled } = partsOf(name);
  const [index, ids, mark, on] = [name, rows, filled, table.name].map(quote) as [string, string, string, string];
  const [inserted, updated, deleted] = triggers.map(quote) as [string, string, string];
  const texts = textsOf('')
    .map(([text]) => text)
    .join(', ');
  const valuesOf = (prefix: string) =>
    textsOf(prefix)
      .map(([, expression]) => expression)
      .join(', ');
  const add = `insert into ${index} (rowid, ${texts}) select n, ${valuesOf('new.')} from ${ids} where id = new.id;`;
  const remove = `insert into ${index} (${index}, rowid, ${texts}) select 'delete', n, ${valuesOf('old.')} from ${ids} where id = old.id;`;
  const idType = SQLITE_TYPES[lookUp(table.column, 'id').type];
  const names = columns.map(quote);
  const isChanged = names.map((column) => `new.${column} is not old.${column}`).join(' or ');
  const parts = [
    `create virtual table ${index} using fts5 (${texts}, content = '', ${options})`,
    `create table ${ids} (n integer primary key, id ${idType} not null unique) strict`,
    `create trigger ${inserted} after insert on ${on} begin insert into ${ids} (id) values (new.id); ${add} end`,
    `create trigger ${updated} after update of ${names.join(', ')} on ${on} when ${isChanged} begin ${remove} ${add} end`,
    `create trigger ${deleted} after delete on ${on} begin ${remove} delete from ${ids} where id = old.id; end`,
  ];
  if (!isFilled) return { sql: parts.join(';\n') };
  // Rows that are new meanwhile are in the index; those that are yet to be added are taken as they are then.
  const pieces: Pieces = {
    mark: `select cast(id as text) from ${mark} where id is not null`,
    next: (count, after) => [
      `insert into ${ids} (id) select id from ${on} where ${after === undefined ? '' : `id > ${quotedText(after)} and `}not exists (select 1 from ${ids} where id = ${on}.id) order by id limit ${count}`,
      // Those that were added last have the highest numbers.
      `update ${mark} set n = last.n - changes(), id = last.id from (select id, n from ${ids} order by n desc limit 1) as last`,
      `insert into ${index} (rowid, ${texts}) select ${ids}.n, ${valuesOf(`${on}.`)} from ${ids} cross join ${on} using (id) where ${ids}.n > (select n from ${mark})`,
      `select cast(id as text) from ${mark} where n < (select max(n) from ${ids})`,
    ],
    end: `drop table ${mark}`,
  };
  const marked = `create table ${mark} (id any, n integer) strict;\ninsert into ${mark} values (null, null)`;
  return { sql: [...parts, marked].join(';\n'), rows: { table: table.name, usPerRow, pieces } };
}

export function dropTextIndex(name: string): string {
  const { rows, triggers, filled } = partsOf(name);
  const dropped = triggers.map((trigger) => `drop trigger if exists ${quote(trigger)}`);
  return [...dropped, ...[name, rows, filled].map((table) => `drop table if exists ${quote(table)}`)].join(';\n');
}
