import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { hasFewValues } from '../../../descriptor/resource.ts';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { Comparison, RowQuery } from '../store.ts';
import { valueIn } from './columns.ts';
import { comparisonsIn } from './conditions.ts';
import { width, widthOf } from './shapes.ts';

type Test = RawBuilder<SqlBool>;

/** A list of more values is tested by one query. */
const MAX_BRANCHES = 8;

/**
 * Splits a list query that filters by several values of a property (one that has few distinct values) into one query
 * per value. An index sorts the rows of each, and the database merges them; a single query would sort all rows with
 * any of the values. Undefined when splitting does not help.
 */
export function branchesOf(table: Table, query: RowQuery, filters: readonly Test[]): readonly Test[][] | undefined {
  const condition = dividedBy(table, query);
  if (!condition) return undefined;
  const at = query.conditions.indexOf(condition);
  const firstSlot = widthOf(query.conditions.slice(0, at));
  const column = valueIn(columnOf(table, condition.property));
  return Array.from({ length: width(condition) }, (_, i) =>
    filters.with(at, sql<SqlBool>`${column} = ${sql.val(firstSlot + i)}`),
  );
}

/** The condition whose values are queried one by one. */
export function dividedBy(table: Table, query: RowQuery): Comparison | undefined {
  const condition = comparisonsIn(query.conditions).find((one) => isDivisible(table, one));
  return condition && isMergeable(table, query) && isSorted(query, condition.property) ? condition : undefined;
}

function isDivisible(table: Table, condition: Comparison): boolean {
  const values = condition.operator === 'in' ? width(condition) : 0;
  return values > 1 && values <= MAX_BRANCHES && hasFewValues(columnOf(table, condition.property));
}

/** A union can only be ordered by the columns it selects, and an int64 is selected as text. */
export function isMergeable(table: Table, { order }: RowQuery): boolean {
  return order.every((key) => columnOf(table, key.property).type !== 'int64');
}

/** Whether an index on the property and the first key of the order can sort each branch. */
function isSorted({ order }: RowQuery, property: string): boolean {
  return order[0]!.property !== property && order[0]!.property !== 'id';
}
