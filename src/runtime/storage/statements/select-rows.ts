import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { hasHiddenTenant, type SelectedColumn, type Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';
import type { RowQuery } from '../store.ts';
import { selectFrom } from './columns.ts';

type Test = RawBuilder<SqlBool>;

/** What a query reads of each row. */
export type Read = Pick<RowQuery, 'columns' | 'order'>;

const WHOLE: Read = { order: [] };

/** Whether the query reads a property; it has null instead of one that it does not read. */
export const isRead = ({ columns, order }: Read, name: string): boolean =>
  !columns || columns.names.has(name) || order.some(({ property }) => property === name);

/** All columns, as rows of the store have them; behind them the one that names the tenant, if the query asks for it. */
export const columnsIn = (dialect: SqlDialect, table: Table, read = WHOLE) =>
  table.selected?.map((one) => selected(one).as(one.column)) ??
  (table.tenant ? selectedOf(table, read) : table.columns).map((property) =>
    (!read.columns || isRead(read, property.name) ? dialect.select(property) : sql`null`).as(property.column),
  );

/** The columns of a table of others are read whole: ids and versions are made of them. */
export function selected({ column, json }: SelectedColumn): RawBuilder<unknown> {
  if (json === undefined) return sql`${sql.id(column)}`;
  return json === 'texts' ? sql`to_jsonb(${sql.id(column)}::text[])` : sql`to_jsonb(${sql.id(column)})`;
}

export const selectedOf = (table: Table, read: Read): Table['columns'] =>
  hasHiddenTenant(table) && isAsked(read, table.tenant?.name ?? '') ? table.stored : table.columns;

const isAsked = (read: Read, name: string): boolean => isRead({ ...read, columns: read.columns ?? NONE }, name);

const NONE = { names: new Set<string>(), shape: '' };

export function rowsWhere(dialect: SqlDialect, table: Table, where: readonly Test[], read?: Read) {
  const rows = selectFrom(dialect.builder, table).select(columnsIn(dialect, table, read));
  return where.length === 0 ? rows : rows.where(all(where));
}

export const all = (tests: readonly Test[]): Test => sql.join([...tests], sql` and `);
