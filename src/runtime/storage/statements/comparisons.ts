import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Placed, SqlDialect } from '../dialect.ts';
import type { Comparison } from '../store.ts';
import { givenTo, isNull, valueIn } from './columns.ts';
import { isPacked, widthOfComparison } from './shapes.ts';

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The value of a group; no column has this name: columns are named in snake_case, without a trailing underscore. */
export const EACH_VALUE = sql.ref('value_');

/** The SQL test of a comparison on a column. */
export function comparisonTest(
  dialect: SqlDialect,
  property: Placed,
  comparison: Comparison,
  slot: number,
): RawBuilder<SqlBool> {
  const width = widthOfComparison(comparison);
  switch (comparison.operator) {
    case 'contains':
      return dialect.contains(property, slot);
    case 'in':
      if (width === 0) return sql`1 = 0`;
      if (isPacked(comparison.value)) return dialect.isAmong(property, slot);
      return oneOf(dialect, property, slots(slot, width));
    case 'eq':
      return comparison.value === null ? sql`${isNull(property)}` : dialect.equals(property, slot);
    case 'each':
      return sql`${valueIn(property)} = ${givenTo(property, EACH_VALUE)}`;
    default:
      return sql`${valueIn(property)} ${sql.raw(OPERATORS[comparison.operator as keyof typeof OPERATORS])} ${sql.val(slot)}`;
  }
}

function oneOf(dialect: SqlDialect, property: Placed, values: readonly number[]): RawBuilder<SqlBool> {
  if (property.type === 'decimal' || property.loose) {
    const equals = values.map((slot) => dialect.equals(property, slot));
    return sql`(${sql.join(equals, sql` or `)})`;
  }
  return sql`${valueIn(property)} in (${sql.join(values.map((slot) => givenTo(property, sql.val(slot))))})`;
}

const slots = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);
