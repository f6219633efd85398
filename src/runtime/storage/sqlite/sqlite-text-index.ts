import { quote } from '../../../descriptor/migration/literal.ts';
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
}

/**
 * An index by FTS5, which keeps no text (https://www.sqlite.org/fts5.html, 4.4.3), and a table that gives each row a number
 * that nothing changes: a rowid may be another after `vacuum`. Triggers keep both, whoever writes.
 */
export function createTextIndex(table: Table, { name, columns, textsOf, options }: TextIndex): string {
  const { rows, triggers } = partsOf(name);
  const [index, ids, on] = [name, rows, table.name].map(quote) as [string, string, string];
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
  const idType = SQLITE_TYPES[table.column.get('id')!.type];
  const names = columns.map(quote);
  const isChanged = names.map((column) => `new.${column} is not old.${column}`).join(' or ');
  return [
    `create virtual table ${index} using fts5 (${texts}, content = '', ${options})`,
    `create table ${ids} (n integer primary key, id ${idType} not null unique) strict`,
    `insert into ${ids} (id) select id from ${on}`,
    `insert into ${index} (rowid, ${texts}) select n, ${valuesOf('')} from ${on} join ${ids} using (id)`,
    `create trigger ${inserted} after insert on ${on} begin insert into ${ids} (id) values (new.id); ${add} end`,
    `create trigger ${updated} after update of ${names.join(', ')} on ${on} when ${isChanged} begin ${remove} ${add} end`,
    `create trigger ${deleted} after delete on ${on} begin ${remove} delete from ${ids} where id = old.id; end`,
  ].join(';\n');
}

export function dropTextIndex(name: string): string {
  const { rows, triggers } = partsOf(name);
  const dropped = triggers.map((trigger) => `drop trigger if exists ${quote(trigger)}`);
  return [...dropped, `drop table if exists ${quote(name)}`, `drop table if exists ${quote(rows)}`].join(';\n');
}
