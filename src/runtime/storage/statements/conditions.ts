import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import { wordSearchOf } from '../../../descriptor/searches.ts';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';
import type { Condition, StoredValue } from '../store.ts';

const OPERATORS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The number of placeholders of a condition. */
export function width(condition: Condition): number {
  if (condition.value === null) return 0;
  return Array.isArray(condition.value) ? condition.value.length : 1;
}

/** A text that is the same for conditions that differ only in their values, and so share a statement. */
export function shapeOf(conditions: readonly Condition[]): string {
  let shape = '';
  for (const condition of conditions) shape += `${condition.property} ${condition.operator} ${width(condition)},`;
  return shape;
}

export function valuesOf(conditions: readonly Condition[], into: StoredValue[] = []): StoredValue[] {
  for (const { value } of conditions) {
    if (Array.isArray(value)) into.push(...value);
    else if (value !== null) into.push(value as StoredValue);
  }
  return into;
}

/** One SQL test per condition; placeholders are numbered from `firstSlot`. */
export function tests(
  dialect: SqlDialect,
  table: Table,
  conditions: readonly Condition[],
  firstSlot: number,
): RawBuilder<SqlBool>[] {
  let slot = firstSlot;
  return conditions.map((condition) => {
    const first = slot;
    slot += width(condition);
    if (condition.operator === 'search') return dialect.hasWords(wordSearchOf(table)!, first);
    return test(dialect, columnOf(table, condition.property), condition, first);
  });
}

function test(
  dialect: SqlDialect,
  property: PropertyDescriptor,
  condition: Condition,
  slot: number,
): RawBuilder<SqlBool> {
  const { column } = property;
  switch (condition.operator) {
    case 'contains':
      return dialect.contains(column, slot);
    case 'in':
      if (width(condition) === 0) return sql`1 = 0`;
      return oneOf(dialect, property, slots(slot, width(condition)));
    case 'eq':
      return condition.value === null ? sql`${sql.ref(column)} is null` : dialect.equals(property, slot);
    default:
      return sql`${sql.ref(column)} ${sql.raw(OPERATORS[condition.operator as keyof typeof OPERATORS])} ${sql.val(slot)}`;
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
