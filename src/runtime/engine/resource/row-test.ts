import type { PropertyDescriptor, PropertyType } from '../../../descriptor/resource.ts';
import type { Comparison, Condition, Row, StoredValue } from '../../storage/store.ts';

/** Whether a condition holds for a row. */
export type RowTest = (row: Row) => boolean;

/** Types whose values are equal where what is stored is. */
const EQUAL_AS_STORED: ReadonlySet<PropertyType> = new Set([
  'string',
  'uuid',
  'integer',
  'int64',
  'number',
  'boolean',
  'date',
  'date-time',
]);

/** Types whose stored values JavaScript orders as databases do. */
const ORDERED_AS_STORED: ReadonlySet<PropertyType> = new Set(['integer', 'number', 'date', 'date-time']);

/**
 * Tests rows in memory by conditions that must all hold; undefined where only the database can tell: by other rows, or
 * by what it compares in ways of its own.
 */
export const rowTest = (
  properties: readonly PropertyDescriptor[],
  conditions: readonly Condition[],
): RowTest | undefined => testOf(properties, { kind: 'all', conditions });

function testOf(properties: readonly PropertyDescriptor[], condition: Condition): RowTest | undefined {
  switch (condition.kind) {
    case 'related':
      return undefined;
    case 'not': {
      const holds = comparisonTest(properties, condition.comparison);
      return holds && ((row) => !holds(row));
    }
    case 'all':
    case 'any': {
      const tests = condition.conditions.flatMap((one) => testOf(properties, one) ?? []);
      if (tests.length < condition.conditions.length) return undefined;
      return condition.kind === 'all'
        ? (row) => tests.every((test) => test(row))
        : (row) => tests.some((test) => test(row));
    }
    default:
      return comparisonTest(properties, condition);
  }
}

function comparisonTest(properties: readonly PropertyDescriptor[], { property, operator, value }: Comparison) {
  const at = properties.findIndex(({ name }) => name === property);
  const { type } = properties[at]!;
  if (operator === 'eq' && value === null) return (row: Row) => row[at] === null;
  if (operator === 'eq' || operator === 'in') {
    const values = new Set(operator === 'in' ? (value as readonly StoredValue[]) : [value as StoredValue]);
    return EQUAL_AS_STORED.has(type) || values.size === 0 ? (row: Row) => values.has(row[at]!) : undefined;
  }
  const compare = ORDERED_AS_STORED.has(type) ? COMPARISONS[operator] : undefined;
  return compare && ((row: Row) => row[at] !== null && compare(row[at]!, value as string | number));
}

const COMPARISONS: Partial<Record<Comparison['operator'], (own: string | number, value: string | number) => boolean>> =
  {
    gt: (own, value) => own > value,
    gte: (own, value) => own >= value,
    lt: (own, value) => own < value,
    lte: (own, value) => own <= value,
  };
