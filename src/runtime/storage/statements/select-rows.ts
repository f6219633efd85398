import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';

type Test = RawBuilder<SqlBool>;

/** All columns, as rows of the store have them. */
export const columnsIn = (dialect: SqlDialect, table: Table) =>
  table.columns.map((property) => dialect.select(property).as(property.column));

export function rowsWhere(dialect: SqlDialect, table: Table, where: readonly Test[]) {
  const rows = dialect.builder.selectFrom(table.name).select(columnsIn(dialect, table));
  return where.length === 0 ? rows : rows.where(all(where));
}

export const all = (tests: readonly Test[]): Test => sql.join([...tests], sql` and `);
