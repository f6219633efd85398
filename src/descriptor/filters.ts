import type { FilterOperator, PropertyType } from './resource.ts';

/** The query parameter that takes conditions as JSON, where it has `content`. */
export const FILTER_PARAMETER = 'filter';

/** Comparisons in one filter: more than interfaces for people build. */
export const MAX_FILTER_COMPARISONS = 50;

/** Objects of conditions inside each other, the filter itself included. */
export const MAX_FILTER_DEPTH = 6;

/** The operators that compare a property with values of its type. */
export const VALUE_OPERATORS: readonly string[] = ['eq', 'gt', 'gte', 'lt', 'lte', 'in', 'contains'];

export const RANGE_OPERATORS: readonly string[] = ['gt', 'gte', 'lt', 'lte'] satisfies FilterOperator[];
const RANGE_TYPES: readonly PropertyType[] = ['string', 'uuid', 'integer', 'int64', 'number', 'date', 'date-time'];

/** Whether an operator compares values of a type; `isEnum`: those of an enum. */
export function compares(operator: string, type: PropertyType, isEnum: boolean): boolean {
  if (operator === 'contains') return type === 'string' && !isEnum;
  return !RANGE_OPERATORS.includes(operator) || (RANGE_TYPES.includes(type) && !isEnum);
}
