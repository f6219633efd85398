import { type RawBuilder, sql } from 'kysely';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';
import { columnsOf, givenTo, rowsOf, valueIn } from './columns.ts';
import { EACH_VALUE } from './comparisons.ts';

type Sql = RawBuilder<unknown>;

/** So many rows are read, tested and sorted in a few milliseconds. */
export const FEW_ROWS = 1_000;

const LED = sql.ref('led_');
/** A limit keeps how the rows are found apart from what else is asked of them. */
const WHOLE = { select: sql`*`, limit: sql.lit(1e12) };
const ONE_MORE = { select: sql`1`, limit: sql.lit(FEW_ROWS + 1) };

/**
 * The rows that have a value, by an index that begins with the property: neither database may choose another way, whatever
 * else is asked and however many rows it thinks have it. For an equality and a limit, Postgres would scan the table.
 * `within`: what the index begins with before.
 */
export function rowsHaving(
  table: Table,
  property: string,
  value: Sql,
  within: Sql | undefined,
  { select, limit } = WHOLE,
): Sql {
  const found = columnOf(table, property);
  const column = valueIn(found);
  const one = found.parts ? givenTo(found, value) : value;
  const id = table.relation ? sql.join(columnsOf(columnOf(table, 'id'))) : sql.id('id');
  const first = found.parts ? sql.join(columnsOf(found)) : column;
  const order = property === 'id' ? id : sql`${first}, ${id}`;
  return sql`select ${select} from ${rowsOf(table)} where ${within ? sql`${within} and ` : sql``}${column} >= ${one} and ${column} <= ${one} order by ${order} limit ${limit}`;
}

/** The rows that have one of the values, and a query for their number, up to one more than few. */
export function rowsHavingAny(
  table: Table,
  property: string,
  values: readonly Sql[],
  within: Sql | undefined,
): { rows: Sql; count: Sql } {
  const united = (of: typeof WHOLE): Sql => {
    const parts = values.map(
      (value) => sql`select * from (${rowsHaving(table, property, value, within, of)}) as ${LED}`,
    );
    return sql`${sql.join(parts, sql` union all `)} limit ${of.limit}`;
  };
  return { rows: united(WHOLE), count: counted(united(ONE_MORE)) };
}

/** How many rows have a value of the table `each_`, up to one more than few. */
export function countOfEachValue(dialect: SqlDialect, table: Table, property: string, within: Sql | undefined): Sql {
  const found = { ...columnOf(table, property), of: table.name };
  const rows = dialect.hasLateral
    ? sql`lateral (${rowsHaving(table, property, EACH_VALUE, within, ONE_MORE)}) as ${LED}`
    : sql`${rowsOf(table)} where ${valueIn(found)} = ${givenTo(found, EACH_VALUE)}`;
  return counted(sql`select 1 from ${sql.ref('each_')} cross join ${rows} limit ${ONE_MORE.limit}`);
}

const counted = (rows: Sql): Sql => sql`select count(*) as ${sql.ref('count')} from (${rows}) as ${LED}`;
