import type { DatabaseSync } from 'node:sqlite';
import { type ColumnDefinitionBuilder, type Compilable, sql } from 'kysely';
import { lookUp } from '../../../descriptor/look-up.ts';
import { initialLiteral, quote, quotedText } from '../../../descriptor/migration/literal.ts';
import { isRequired, referenced } from '../../../descriptor/migration/references.ts';
import type { LiveTable, Reference, SchemaDialect } from '../../../descriptor/migration/schema-dialect.ts';
import { isIdCounted, type PropertyType } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import { sqliteConversion } from './sqlite-conversion.ts';
import { SQLITE_TYPES, sqliteDialect } from './sqlite-dialect.ts';
import { liveSearches, sqliteSearches } from './sqlite-searches.ts';
import { sqliteWords } from './sqlite-words.ts';

const { schema } = sqliteDialect.builder;
const text = (query: Compilable): string => query.compile().sql;

/** A column as it is to be. */
interface Remade {
  readonly column: string;
  readonly type: string;
  /** No row is without a value: one that is gets none. */
  readonly isRequired?: boolean;
  readonly reference?: Reference | undefined;
  /** From the one that is there; undefined: the same. */
  readonly value?: string | undefined;
}

/** SQLite cannot alter a column: another one takes its place, which a transaction may do, with its values and what depends on it. */
function remade({ name: table }: Table, { parts = [] }: LiveTable, to: Remade): string[] {
  const [on, old, made] = [table, to.column, `${to.column}__made`].map(quote);
  // SQLite adds no column that refers to rows and needs a value.
  const isRequired = to.isRequired && !to.reference;
  const rule = isRequired ? ` not null default ${to.type === 'text' ? "''" : '0'}` : '';
  const refers = to.reference ? ` references ${quote(to.reference.table)} (id) on delete ${to.reference.onDelete}` : '';
  const value = to.value === undefined ? old : `iif(${old} is null, null, ${to.value})`;
  const names = new RegExp(`\\b${to.column}\\b`, 'i');
  const lost = parts.filter(({ type, sql }) => type === 'trigger' || names.test(sql));
  return [
    ...lost.map(({ type, name }) => `drop ${type} ${quote(name)}`),
    `alter table ${on} add column ${made} ${to.type}${rule}${refers}`,
    `update ${on} set ${made} = ${value}`,
    `alter table ${on} drop column ${old}`,
    `alter table ${on} rename column ${made} to ${old}`,
    ...lost.toReversed().map(({ sql }) => sql),
  ];
}

/** Notes the form of a column, which its type does not show. */
const noted = (table: string, column: string, type: PropertyType): string =>
  `update lockstep_contract set shapes = json_patch(shapes, ${quotedText(JSON.stringify({ stored: { [table]: { [column]: type } } }))}) where shapes is not null`;

export const sqliteSchema: SchemaDialect = {
  searches: sqliteSearches,
  words: sqliteWords,
  quote,
  typeOf: ({ type }) => SQLITE_TYPES[type],
  createTable: (table, tables) =>
    text(
      table.columns
        .reduce((create, property) => {
          const target = referenced(table, property, tables);
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
    const target = referenced(table, property, tables);
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
  // The table must be rebuilt (https://www.sqlite.org/lang_altertable.html, 7).
  countIds: ({ name }) => ({
    sql: [`-- rebuild ${quote(name)} with id integer primary key autoincrement`],
    isLossless: false,
  }),
  changeType: (table, { property, from, existing, reference }) => {
    const { column, type } = property;
    const name = quote(column);
    const value = from && sqliteConversion(name, from, type);
    const isSame = lookUp(existing.columns, column).type === SQLITE_TYPES[type];
    const to = { column, type: SQLITE_TYPES[type], isRequired: isRequired(property), reference, value };
    const update = `update ${quote(table.name)} set ${name} = ${value} where ${name} is not null`;
    return [...(isSame ? [update] : remade(table, existing, to)), noted(table.name, column, type)];
  },
  setRequired: (table, { column, type }, existing) => [
    `update ${quote(table.name)} set ${quote(column)} = /* what these rows get */ where ${quote(column)} is null`,
    ...remade(table, existing, { ...sameAs(existing, column), type: SQLITE_TYPES[type], isRequired: true }),
  ],
  dropRequired: (table, column, existing) => ({
    sql: remade(table, existing, sameAs(existing, column)),
    isLossless: false,
  }),
  changeReference: (table, { property, reference, existing }) => ({
    byHand: remade(table, existing, { ...sameAs(existing, property.column), reference }),
  }),
  // SQLite has neither foreign keys that are not valid, nor indexes that are not finished.
  validateReference: ({ name }) => ({ sql: `pragma foreign_key_check(${quote(name)})` }),
  rebuildIndex: (_table, name) => ({ sql: `reindex ${quote(name)}` }),
  createIndex: (table, { name, columns, isUnique }, isFilled) => {
    const create = schema
      .createIndex(name)
      .on(table.name)
      .columns([...columns]);
    const sql = text(isUnique ? create.unique() : create);
    return [{ sql, ...(isFilled && { rows: { table: table.name, usPerRow: 3 } }) }];
  },
  dropIndex: (_table, name) => ({ sql: text(schema.dropIndex(name)) }),
};

function sameAs({ columns }: LiveTable, column: string): Remade {
  const { type, onDelete, target } = lookUp(columns, column);
  const reference = target === undefined ? undefined : { table: target, onDelete: onDelete as Reference['onDelete'] };
  return { column, type, reference };
}

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
  const keys = database.prepare(
    'select "from" as name, lower(on_delete) as action, "table" as target from pragma_foreign_key_list(?)',
  );
  const parts = database.prepare(
    `select type, name, sql from sqlite_schema where sql is not null
     and (type in ('index', 'trigger') and tbl_name = ?1 or type = 'view' and sql like '%' || ?1 || '%') order by type`,
  );
  const counts = database.prepare("select sql like '% autoincrement%' as counts from sqlite_schema where name = ?");
  const isCounted = counts.get(table)?.['counts'] === 1;
  const indexes = database.prepare("select name from pragma_index_list(?) where origin = 'c'");
  const references = new Map(
    keys.all(table).map((key) => [key['name'], { onDelete: key['action'] as string, target: key['target'] as string }]),
  );
  return {
    columns: new Map(
      columns.all(table).map(({ name, type, required, value }) => {
        const column = { type: type as string, isRequired: required === 1, hasDefault: value !== null };
        const counted = isCounted && name === 'id' && { isCounted };
        return [name as string, { ...column, ...counted, ...references.get(name!) }];
      }),
    ),
    indexes: new Map<string, { readonly isValid: boolean }>([
      ...indexes.all(table).map(({ name }) => [name as string, { isValid: true }] as const),
      ...liveSearches(database, table, tables),
    ]),
    parts: parts
      .all(table)
      .map(({ type, name, sql }) => ({ type: String(type), name: String(name), sql: String(sql) })),
  };
}
