import type { Index } from '../../../descriptor/indexes.ts';
import { isRequired, type Reference, referenced, type Step } from '../../../descriptor/migration/plan.ts';
import type { LiveColumn, LiveTable, SchemaDialect } from '../../../descriptor/migration/schema-dialect.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { Table } from '../../../descriptor/table.ts';
import { initialLiteral } from '../migration/literal.ts';
import type { Query } from './link.ts';
import { POSTGRES_TYPES, postgresDialect } from './postgres-dialect.ts';

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const typeOf = ({ type }: PropertyDescriptor): string => POSTGRES_TYPES[type];
const declared = (property: PropertyDescriptor): string =>
  property.type === 'string' ? 'text collate "C"' : typeOf(property);
const alter = ({ name }: Table): string => `alter table ${quote(name)}`;
const alterColumn = (table: Table, { column }: PropertyDescriptor): string =>
  `${alter(table)} alter column ${quote(column)}`;

export const postgresSchema: SchemaDialect = {
  quote,
  typeOf,
  createTable: (table) => {
    const columns = table.columns.map((property) => {
      const key = property.name === 'id' ? ' primary key' : '';
      return `${quote(property.column)} ${declared(property)}${isRequired(property) ? ' not null' : ''}${key}`;
    });
    return `create table ${quote(table.name)} (${columns.join(', ')})`;
  },
  addReferences: (table, tables) =>
    table.columns.flatMap((property): Step[] => {
      const target = referenced(property, tables);
      if (!target) return [];
      const what = `column ${table.name}.${property.column} refers to ${target.table} on delete ${target.onDelete}`;
      return [{ what, sql: `${alter(table)} ${addReference(table, property, target)}` }];
    }),
  addColumn: (table, property, tables) => {
    const target = referenced(property, tables);
    return [
      `${alter(table)} add column ${quote(property.column)} ${declared(property)}`,
      initialLiteral(property) === undefined ? '' : ` default ${initialOf(property)}`,
      isRequired(property) ? ' not null' : '',
      target ? `, ${addReference(table, property, target)}` : '',
    ].join('');
  },
  addRequired: (table, property) => [
    `${alter(table)} add column ${quote(property.column)} ${declared(property)}`,
    `update ${quote(table.name)} set ${quote(property.column)} = /* what the rows get */`,
    `${alterColumn(table, property)} set not null`,
  ],
  changeType: (table, property) => [
    `${alterColumn(table, property)} type ${declared(property)} using ${quote(property.column)}::${typeOf(property)}`,
  ],
  setRequired: (table, property) => [
    `update ${quote(table.name)} set ${quote(property.column)} = /* what these rows get */ where ${quote(property.column)} is null`,
    `${alterColumn(table, property)} set not null`,
  ],
  dropRequired: (table, property) => ({ sql: [`${alterColumn(table, property)} drop not null`], isLossless: true }),
  // Rows are checked without keeping others from writing (PostgreSQL, ALTER TABLE: notes).
  changeReference: (table, property, target, { constraint }) => ({
    sql: [
      ...(constraint === undefined ? [] : [`${alter(table)} drop constraint ${quote(constraint)}`]),
      `${alter(table)} ${addReference(table, property, target)}`,
    ],
    isLossless: true,
  }),
  createIndex: (table, index, isFilled) => ({
    sql: `create ${index.isUnique ? 'unique ' : ''}index ${isFilled ? 'concurrently ' : ''}${quote(index.name)} on ${quote(table.name)} (${keys(table, index)})`,
    isConcurrent: isFilled,
  }),
  dropIndex: (name, isFilled) => ({
    sql: `drop index ${isFilled ? 'concurrently ' : ''}${quote(name)}`,
    isConcurrent: isFilled,
  }),
};

/** NULL first, so that it sorts lowest. */
function keys(table: Table, { columns }: Index): string {
  const sorted = columns.map((name) => {
    const property = table.columns.find(({ column }) => column === name)!;
    return `${quote(name)} ${postgresDialect.direction(property, 'asc')}`;
  });
  return sorted.join(', ');
}

/** Checked at the end of each statement, or of a transaction that asks for it. */
function addReference(table: Table, { column }: PropertyDescriptor, { table: target, onDelete }: Reference): string {
  const name = quote(constraintName(table.name, column));
  return `add constraint ${name} foreign key (${quote(column)}) references ${quote(target)} (id) on delete ${onDelete} deferrable`;
}

const MAX_NAME = 63;
const constraintName = (table: string, column: string): string => `${table}_${column}_fkey`.slice(-MAX_NAME);

function initialOf(property: PropertyDescriptor): string {
  const literal = initialLiteral(property)!;
  return property.type === 'boolean' ? `'${literal}'` : literal;
}

const COLUMNS = `
  select c.relname, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.atthasdef, k.conname,
         case k.confdeltype when 'c' then 'cascade' when 'n' then 'set null' when 'r' then 'restrict'
                            when 'd' then 'set default' when 'a' then 'no action' end
  from pg_attribute a
  join pg_class c on c.oid = a.attrelid and c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
  left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and k.conkey = array[a.attnum]
  where a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`;

const INDEXES = `
  select t.relname, i.relname, x.indisvalid from pg_index x
  join pg_class i on i.oid = x.indexrelid
  join pg_class t on t.oid = x.indrelid and t.relnamespace = current_schema()::regnamespace
  where not exists (select from pg_constraint k where k.conindid = x.indexrelid and k.contype in ('p', 'u', 'x'))`;

/** The tables that are there. */
export async function liveTables(query: Query): Promise<Map<string, LiveTable>> {
  const tables = new Map<string, { columns: Map<string, LiveColumn>; indexes: Map<string, { isValid: boolean }> }>();
  for (const [table, name, type, isRequired, hasDefault, constraint, onDelete] of (await query(COLUMNS)).rows) {
    const live = tables.get(table!) ?? { columns: new Map(), indexes: new Map() };
    tables.set(table!, live);
    live.columns.set(name!, {
      type: type!,
      isRequired: isRequired === 't',
      hasDefault: hasDefault === 't',
      ...(constraint && { constraint, onDelete: onDelete! }),
    });
  }
  for (const [table, name, isValid] of (await query(INDEXES)).rows)
    tables.get(table!)?.indexes.set(name!, { isValid: isValid === 't' });
  return tables;
}
