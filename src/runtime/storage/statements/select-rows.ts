import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';
import type { RowQuery } from '../store.ts';

type Test = RawBuilder<SqlBool>;

/** What a query reads of each row. */
export type Read = Pick<RowQuery, 'columns' | 'order'>;

const WHOLE: Read = { order: [] };

/** Whether the query reads a property; it has null instead of one that it does not read. */
export const isRead = ({ columns, order }: Read, name: string): boolean =>
  !columns || columns.names.has(name) || order.some(({ property }) => property === name);

/** All columns, as rows of the store have them. */
export const columnsIn = (dialect: SqlDialect, table: Table, read = WHOLE) =>
  table.columns.map((property) =>
    (isRead(read, property.name) ? dialect.select(property) : sql`null`).as(property.column),
  );

export function rowsWhere(dialect: SqlDialect, table: Table, where: readonly Test[], read?: Read) {
  const rows = dialect.builder.selectFrom(table.name).select(columnsIn(dialect, table, read));
  return where.length === 0 ? rows : rows.where(all(where));
}

export const all = (tests: readonly Test[]): Test => sql.join([...tests], sql` and `);
