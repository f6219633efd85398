import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { SqlDialect } from '../dialect.ts';
import type { Comparison } from '../store.ts';
import { isPacked, widthOfComparison } from './shapes.ts';

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The value of a group; no column has this name: columns are named in snake_case, without a trailing underscore. */
export const EACH_VALUE = sql.ref('value_');

/** The SQL test of a comparison on a column, whose name may begin with that of its table: `orders.state`. */
export function comparisonTest(
  dialect: SqlDialect,
  property: PropertyDescriptor,
  comparison: Comparison,
  slot: number,
): RawBuilder<SqlBool> {
  const { column } = property;
  const width = widthOfComparison(comparison);
  switch (comparison.operator) {
    case 'contains':
      return dialect.contains(column, slot);
    case 'in':
      if (width === 0) return sql`1 = 0`;
      if (isPacked(comparison.value)) return dialect.isAmong(property, slot);
      return oneOf(dialect, property, slots(slot, width));
    case 'eq':
      return comparison.value === null ? sql`${sql.ref(column)} is null` : dialect.equals(property, slot);
    case 'each':
      return sql`${sql.ref(column)} = ${EACH_VALUE}`;
    default:
      return sql`${sql.ref(column)} ${sql.raw(OPERATORS[comparison.operator as keyof typeof OPERATORS])} ${sql.val(slot)}`;
  }
}

function oneOf(dialect: SqlDialect, property: PropertyDescriptor, values: readonly number[]): RawBuilder<SqlBool> {
  if (property.type === 'decimal') {
    const equals = values.map((slot) => dialect.equals(property, slot));
    return sql`(${sql.join(equals, sql` or `)})`;
  }
  return sql`${sql.ref(property.column)} in (${sql.join(values.map((slot) => sql.val(slot)))})`;
}

const slots = (first: number, count: number): number[] => Array.from({ length: count }, (_, i) => first + i);
