import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { columnOf, hasFewValues, type Table } from '../../../descriptor/table.ts';
import type { Condition, RowQuery } from '../store.ts';
import { width } from './conditions.ts';

type Test = RawBuilder<SqlBool>;

/** Beyond this, a list of values is one test. */
const MAX_BRANCHES = 8;

/**
 * The filters of a list that names several values of a property with few, once per value: the database merges queries
 * that an index sorts, where one query for all values would sort every row that has one of them.
 * Undefined when that is of no use.
 */
export function branchesOf(table: Table, query: RowQuery, filters: readonly Test[]): readonly Test[][] | undefined {
  const at = query.conditions.findIndex((condition) => isDivisible(table, condition));
  const condition = query.conditions[at];
  if (!condition || !isMergeable(table, query) || !isSorted(query, condition.property)) return undefined;
  const firstSlot = query.conditions.slice(0, at).reduce((sum, before) => sum + width(before), 0);
  const column = sql.ref(columnOf(table, condition.property).column);
  return Array.from({ length: width(condition) }, (_, i) =>
    filters.with(at, sql<SqlBool>`${column} = ${sql.val(firstSlot + i)}`),
  );
}

function isDivisible(table: Table, condition: Condition): boolean {
  const values = condition.operator === 'in' ? width(condition) : 0;
  return values > 1 && values <= MAX_BRANCHES && hasFewValues(columnOf(table, condition.property));
}

/** A union is ordered by what it selects, and an int64 is selected as text. */
export function isMergeable(table: Table, { order }: RowQuery): boolean {
  return order.every((key) => columnOf(table, key.property).type !== 'int64');
}

/** An index on the property and the order's first key sorts each branch. */
function isSorted({ order }: RowQuery, property: string): boolean {
  return order[0]!.property !== property && order[0]!.property !== 'id';
}
