import type { DatabaseSync } from 'node:sqlite';
import { type Compilable, sql } from 'kysely';
import type { PropertyDescriptor, ResourceDescriptor } from '../../descriptor/resource.ts';
import { type Index, indexesOf } from '../indexes.ts';
import { MigrationError } from '../migration-error.ts';
import { type Table, tableOf } from '../table.ts';
import { SQLITE_TYPES, sqliteDialect } from './sqlite-dialect.ts';

/**
 * Brings the tables to the contract's shape: makes what is missing, refuses what could lose data.
 * Throws `MigrationError`, with nothing changed.
 */
export function migrate(database: DatabaseSync, resources: readonly ResourceDescriptor[]): void {
  database.exec('begin immediate');
  try {
    database.exec('create table if not exists lockstep_secret (name text primary key, value blob not null) strict');
    database.exec(
      'create table if not exists lockstep_memory (key text primary key, value text not null, expires_at text not null) strict',
    );
    database.exec('create index if not exists lockstep_memory_expires_at_index on lockstep_memory (expires_at)');
    const differences = resources.flatMap((resource) => migrateTable(database, tableOf(resource), resources));
    if (differences.length > 0) throw new MigrationError(differences);
    database.exec('commit');
  } catch (error) {
    database.exec('rollback');
    throw error;
  }
}

function migrateTable(database: DatabaseSync, table: Table, resources: readonly ResourceDescriptor[]): string[] {
  const existing = columnsIn(database, table.name);
  if (existing.size === 0) run(database, createTable(table, resources));
  const differences = existing.size === 0 ? [] : alterTable(database, table, existing, resources);
  if (differences.length === 0) migrateIndexes(database, table);
  return differences;
}

interface ExistingColumn {
  readonly type: string;
  readonly isRequired: boolean;
}

function columnsIn(database: DatabaseSync, table: string): Map<string, ExistingColumn> {
  const columns = database.prepare('select name, lower(type) as type, "notnull" as required from pragma_table_info(?)');
  return new Map(
    columns
      .all(table)
      .map((row) => [row['name'] as string, { type: row['type'] as string, isRequired: row['required'] === 1 }]),
  );
}

function alterTable(
  database: DatabaseSync,
  table: Table,
  existing: ReadonlyMap<string, ExistingColumn>,
  resources: readonly ResourceDescriptor[],
): string[] {
  const known = new Set(table.columns.map(({ column }) => column));
  const extra = [...existing.keys()].filter((name) => !known.has(name));
  const differences = extra.map((name) => `column ${table.name}.${name} is not in the contract`);
  for (const property of table.columns) {
    const column = existing.get(property.column);
    if (column) differences.push(...columnDifferences(table, property, column));
    else if (isRequired(property)) differences.push(`column ${table.name}.${property.column} is new and required`);
    else run(database, addColumn(table, property, resources));
  }
  return differences;
}

function columnDifferences(table: Table, property: PropertyDescriptor, column: ExistingColumn): string[] {
  const name = `column ${table.name}.${property.column}`;
  const type = SQLITE_TYPES[property.type];
  return [
    ...(column.type === type ? [] : [`${name} is ${column.type}, the contract needs ${type}`]),
    ...(column.isRequired === isRequired(property)
      ? []
      : [`${name} is ${column.isRequired ? 'required' : 'optional'}, the contract says otherwise`]),
  ];
}

const isRequired = (property: PropertyDescriptor): boolean => property.required && !property.nullable;

const { schema } = sqliteDialect.builder;

function createTable(table: Table, resources: readonly ResourceDescriptor[]): Compilable {
  const empty = schema.createTable(table.name);
  return table.columns
    .reduce((create, property) => {
      const target = referenced(property, resources);
      return create.addColumn(property.column, SQLITE_TYPES[property.type], (column) => {
        const required = isRequired(property) ? column.notNull() : column;
        const keyed = property.name === 'id' ? required.primaryKey() : required;
        return target ? keyed.references(`${target.table}.id`).onDelete(target.onDelete) : keyed;
      });
    }, empty)
    .modifyEnd(sql`strict`);
}

function addColumn(table: Table, property: PropertyDescriptor, resources: readonly ResourceDescriptor[]): Compilable {
  const target = referenced(property, resources);
  return schema
    .alterTable(table.name)
    .addColumn(property.column, SQLITE_TYPES[property.type], (column) =>
      target ? column.references(`${target.table}.id`).onDelete(target.onDelete) : column,
    );
}

function referenced({ references }: PropertyDescriptor, resources: readonly ResourceDescriptor[]) {
  if (!references) return undefined;
  const { table } = resources.find(({ key }) => key === references.resource)!;
  return { table, onDelete: references.onDelete === 'set-null' ? 'set null' : references.onDelete } as const;
}

/** An index holds no data of its own: those that the contract no longer asks for are dropped. */
function migrateIndexes(database: DatabaseSync, table: Table): void {
  const wanted = new Map(indexesOf(table).map((index) => [index.name, index]));
  const existing = indexesIn(database, table.name);
  for (const name of existing) if (!wanted.has(name)) run(database, schema.dropIndex(name));
  for (const index of wanted.values()) if (!existing.has(index.name)) run(database, createIndex(table, index));
}

function indexesIn(database: DatabaseSync, table: string): Set<string> {
  const names = database.prepare("select name from pragma_index_list(?) where origin = 'c'");
  return new Set(names.all(table).map((row) => row['name'] as string));
}

function createIndex(table: Table, { name, columns, isUnique }: Index): Compilable {
  const create = schema
    .createIndex(name)
    .on(table.name)
    .columns([...columns]);
  return isUnique ? create.unique() : create;
}

function run(database: DatabaseSync, query: Compilable): void {
  database.exec(query.compile().sql);
}
