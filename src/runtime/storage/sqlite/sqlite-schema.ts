import type { DatabaseSync } from 'node:sqlite';
import { type ColumnDefinitionBuilder, type Compilable, sql } from 'kysely';
import { initialLiteral, quote } from '../../../descriptor/migration/literal.ts';
import { isRequired, referenced } from '../../../descriptor/migration/references.ts';
import type { LiveTable, SchemaChange, SchemaDialect } from '../../../descriptor/migration/schema-dialect.ts';
import { isIdCounted } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import { SQLITE_TYPES, sqliteDialect } from './sqlite-dialect.ts';
import { liveSearches, sqliteSearches } from './sqlite-searches.ts';
import { sqliteWords } from './sqlite-words.ts';

const { schema } = sqliteDialect.builder;
const text = (query: Compilable): string => query.compile().sql;

/** SQLite cannot alter a column; the table must be rebuilt (https://www.sqlite.org/lang_altertable.html, 7). */
const rebuild = ({ name }: Table, what: string): string[] => [`-- rebuild ${quote(name)} ${what}`];
const rebuilt = (table: Table, what: string): SchemaChange => ({ sql: rebuild(table, what), isLossless: false });

export const sqliteSchema: SchemaDialect = {
  searches: sqliteSearches,
  words: sqliteWords,
  quote,
  typeOf: ({ type }) => SQLITE_TYPES[type],
  createTable: (table, tables) =>
    text(
      table.columns
        .reduce((create, property) => {
          const target = referenced(property, tables);
          return create.addColumn(property.column, SQLITE_TYPES[property.type], (column) => {
            const required = isRequired(property) ? column.notNull() : column;
            const keyed = property.name === 'id' ? keyOf(table, required) : required;
            return target ? keyed.references(`${target.table}.id`).onDelete(target.onDelete) : keyed;
          });
        }, schema.createTable(table.name))
        .modifyEnd(sql`strict`),
    ),
  addReferences: () => [],
  addColumn: (table, property, tables) => {
    const target = referenced(property, tables);
    const initial = initialLiteral(property);
    const add = schema.alterTable(table.name).addColumn(property.column, SQLITE_TYPES[property.type], (column) => {
      const filled = initial === undefined ? column : column.defaultTo(sql.raw(initial));
      const required = isRequired(property) ? filled.notNull() : filled;
      return target ? required.references(`${target.table}.id`).onDelete(target.onDelete) : required;
    });
    return [{ what: `add column ${table.name}.${property.column}`, sql: text(add) }];
  },
  addRequired: (table, property) => [
    `alter table ${quote(table.name)} add column ${quote(property.column)} ${SQLITE_TYPES[property.type]} not null default /* the value for existing rows */`,
  ],
  renameColumn: (table, from, to) => `alter table ${quote(table.name)} rename column ${quote(from)} to ${quote(to)}`,
  countIds: (table) => rebuilt(table, 'with id integer primary key autoincrement'),
  changeType: (table, property) => rebuild(table, `with ${property.column} as ${SQLITE_TYPES[property.type]}`),
  setRequired: (table, { column }) => [
    `update ${quote(table.name)} set ${quote(column)} = /* what these rows get */ where ${quote(column)} is null`,
    ...rebuild(table, `with ${column} not null`),
  ],
  dropRequired: (table, property) => rebuilt(table, `with ${property.column} null`),
  changeReference: (table, { property, reference: { table: target, onDelete } }) => ({
    byHand: rebuild(table, `with ${property.column} references ${quote(target)} (id) on delete ${onDelete}`),
  }),
  // SQLite has neither foreign keys that are not valid, nor indexes that are not finished.
  validateReference: ({ name }) => ({ sql: `pragma foreign_key_check(${quote(name)})` }),
  rebuildIndex: (name) => ({ sql: `reindex ${quote(name)}` }),
  createIndex: (table, { name, columns, isUnique }, isFilled) => {
    const create = schema
      .createIndex(name)
      .on(table.name)
      .columns([...columns]);
    const sql = text(isUnique ? create.unique() : create);
    return { sql, ...(isFilled && { rows: { table: table.name, usPerRow: 3 } }) };
  },
  dropIndex: (name) => ({ sql: text(schema.dropIndex(name)) }),
};

/** Without `autoincrement`, SQLite gives the id of a deleted last row to the next one. */
function keyOf({ descriptor }: Table, column: ColumnDefinitionBuilder): ColumnDefinitionBuilder {
  return isIdCounted(descriptor) ? column.primaryKey().autoIncrement() : column.primaryKey();
}

/** The tables that the database has now. */
export function liveTables(database: DatabaseSync): Map<string, LiveTable> {
  const names = database.prepare("select name from pragma_table_list where type = 'table' and schema = 'main'").all();
  const tables = names.map(({ name }) => name as string);
  return new Map(tables.map((name) => [name, liveTable(database, name, tables)]));
}

function liveTable(database: DatabaseSync, table: string, tables: readonly string[]): LiveTable {
  const columns = database.prepare(
    'select name, lower(type) as type, "notnull" as required, dflt_value as value from pragma_table_info(?)',
  );
  const keys = database.prepare('select "from" as name, lower(on_delete) as action from pragma_foreign_key_list(?)');
  const counts = database.prepare("select sql like '% autoincrement%' as counts from sqlite_schema where name = ?");
  const isCounted = counts.get(table)?.['counts'] === 1;
  const indexes = database.prepare("select name from pragma_index_list(?) where origin = 'c'");
  const actions = new Map(keys.all(table).map((key) => [key['name'], key['action'] as string]));
  return {
    columns: new Map(
      columns.all(table).map(({ name, type, required, value }) => {
        const onDelete = actions.get(name!);
        const column = { type: type as string, isRequired: required === 1, hasDefault: value !== null };
        const counted = isCounted && name === 'id' && { isCounted };
        return [name as string, { ...column, ...counted, ...(onDelete !== undefined && { onDelete }) }];
      }),
    ),
    indexes: new Map<string, { readonly isValid: boolean }>([
      ...indexes.all(table).map(({ name }) => [name as string, { isValid: true }] as const),
      ...liveSearches(database, table, tables),
    ]),
  };
}
