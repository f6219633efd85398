import type { Comparison, Condition, StoredValue } from '../store.ts';

/**
 * A list of more values is one placeholder, a JSON array: as many as a claim has, in each of the places that a rule is in,
 * would be more than a statement may have.
 */
const MAX_LISTED = 32;

/** Whether the values of a comparison are one JSON array. */
export const isPacked = (value: Comparison['value']): boolean => Array.isArray(value) && value.length > MAX_LISTED;

/** The number of placeholders of a comparison. */
export function widthOfComparison({ value }: Comparison): number {
  if (value === null) return 0;
  return Array.isArray(value) && !isPacked(value) ? value.length : 1;
}

/** The number of placeholders of a condition. */
export function width(condition: Condition): number {
  switch (condition.kind) {
    case undefined:
      return widthOfComparison(condition);
    case 'not':
      return widthOfComparison(condition.comparison);
    default:
      return widthOf(condition.conditions);
  }
}

/** The number of placeholders of several conditions. */
export function widthOf(conditions: readonly Condition[]): number {
  let sum = 0;
  for (const condition of conditions) sum += width(condition);
  return sum;
}

/** A text that is the same for conditions that differ only in their values, and so share a statement. */
export function shapeOf(conditions: readonly Condition[]): string {
  let shape = '';
  for (const condition of conditions)
    shape +=
      condition.kind === undefined
        ? `${condition.property} ${isPacked(condition.value) ? 'among' : condition.operator} ${width(condition)},`
        : `${shapeOfTree(condition)},`;
  return shape;
}

function shapeOfTree(condition: Exclude<Condition, Comparison>): string {
  switch (condition.kind) {
    case 'not':
      return `not ${shapeOf([condition.comparison])}`;
    case 'related': {
      const { property, resource, relatedProperty, conditions, isNone } = condition;
      return `${isNone ? 'none' : 'some'} ${property} ${resource} ${relatedProperty} (${shapeOf(conditions)})`;
    }
    default:
      return `${condition.kind} (${shapeOf(condition.conditions)})`;
  }
}

/** The values of the placeholders, in order; `searchText` says what a database is asked for words by. */
export function valuesOf(
  searchText: (text: string) => string,
  conditions: readonly Condition[],
  into: StoredValue[] = [],
): StoredValue[] {
  for (const condition of conditions)
    if (condition.kind === undefined) addValues(searchText, condition, into);
    else eachComparison(condition, undefined, (comparison) => addValues(searchText, comparison, into));
  return into;
}

function addValues(searchText: (text: string) => string, { operator, value }: Comparison, into: StoredValue[]): void {
  if (operator === 'search') into.push(searchText(value as string));
  else if (isPacked(value)) into.push(JSON.stringify(value));
  else if (Array.isArray(value)) into.push(...value);
  else if (value !== null) into.push(value as StoredValue);
}

/** Visits each comparison of a tree, with the key of the resource whose rows it is on; undefined: those of the tree. */
export function eachComparison(
  condition: Condition,
  resource: string | undefined,
  visit: (comparison: Comparison, resource: string | undefined) => void,
): void {
  if (condition.kind === undefined) visit(condition, resource);
  else if (condition.kind === 'not') visit(condition.comparison, resource);
  else {
    const inner = condition.kind === 'related' ? condition.resource : resource;
    for (const one of condition.conditions) eachComparison(one, inner, visit);
  }
}

/** The values of a statement's placeholders, in order. */
export function bind<T>(slots: readonly number[], values: readonly T[]): T[] {
  const bound = new Array<T>(slots.length);
  for (let i = 0; i < slots.length; i++) bound[i] = values[slots[i]!]!;
  return bound;
}
