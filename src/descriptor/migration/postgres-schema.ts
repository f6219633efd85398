import type { Index } from '../indexes.ts';
import type { PropertyDescriptor, PropertyType } from '../resource.ts';
import type { Table } from '../table.ts';
import { initialLiteral } from './literal.ts';
import { isRequired, referenced } from './plan.ts';
import type { Reference, SchemaDialect, Step } from './schema-dialect.ts';

/** Column types, as `format_type` names them. Text has the collation "C": by code point. */
export const POSTGRES_TYPES = {
  string: 'text',
  uuid: 'uuid',
  integer: 'bigint',
  int64: 'bigint',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamp(3) with time zone',
  json: 'jsonb',
} as const satisfies Readonly<Record<PropertyType, string>>;

/** How a column is sorted: NULL first, so that it sorts lowest. */
export function postgresDirection({ nullable, required }: PropertyDescriptor, direction: 'asc' | 'desc'): string {
  if (required && !nullable) return direction;
  return direction === 'asc' ? 'asc nulls first' : 'desc nulls last';
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const typeOf = ({ type }: PropertyDescriptor): string => POSTGRES_TYPES[type];
const declared = (property: PropertyDescriptor): string =>
  property.type === 'string' ? 'text collate "C"' : typeOf(property);
const alter = ({ name }: Table): string => `alter table ${quote(name)}`;
const alterColumn = (table: Table, { column }: PropertyDescriptor): string =>
  `${alter(table)} alter column ${quote(column)}`;

/** How Postgres defines tables. */
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
    `update ${quote(table.name)} set ${quote(property.column)} = /* the value for existing rows */`,
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
    return `${quote(name)} ${postgresDirection(property, 'asc')}`;
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
