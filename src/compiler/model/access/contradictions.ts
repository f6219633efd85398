import { isDeepStrictEqual } from 'node:util';
import type { RowCondition } from '../../../descriptor/row-access.ts';

type Literal = string | number | boolean;

/** Whether conditions that must all hold never do: two of them exclude each other. */
export function contradicts(conditions: readonly RowCondition[]): boolean {
  const flat = conditions.flatMap(conjuncts);
  return flat.some((one, index) => flat.slice(index + 1).some((other) => exclude(one, other)));
}

const conjuncts = (condition: RowCondition): readonly RowCondition[] =>
  condition.kind === 'all' ? condition.conditions.flatMap(conjuncts) : [condition];

function exclude(a: RowCondition, b: RowCondition): boolean {
  return (
    negates(a, b) ||
    negates(b, a) ||
    nullAndValue(a, b) ||
    nullAndValue(b, a) ||
    noValueInBoth(a, b) ||
    empty(a, b) ||
    empty(b, a)
  );
}

const negates = (a: RowCondition, b: RowCondition): boolean => a.kind === 'not' && isDeepStrictEqual(a.condition, b);

/** A comparison with null does not hold. */
const nullAndValue = (a: RowCondition, b: RowCondition): boolean =>
  a.kind === 'isNull' && (b.kind === 'compare' || b.kind === 'in') && a.property === b.property;

/** Two equalities, or lists of `in`, without a common literal. */
function noValueInBoth(a: RowCondition, b: RowCondition): boolean {
  const [first, second] = [valuesOf(a), valuesOf(b)];
  if (!first || !second || first.property !== second.property) return false;
  return !first.values.some((value) => second.values.includes(value));
}

function valuesOf(
  condition: RowCondition,
): { readonly property: string; readonly values: readonly Literal[] } | undefined {
  if (condition.kind !== 'in' && !(condition.kind === 'compare' && condition.operator === 'eq')) return undefined;
  const values = condition.kind === 'in' ? condition.values : [condition.value];
  const literals = values.flatMap((value) => ('literal' in value ? [value.literal] : []));
  return literals.length === values.length ? { property: condition.property, values: literals } : undefined;
}

/** A number that is to be above one bound and below a lower one. */
function empty(a: RowCondition, b: RowCondition): boolean {
  const [low, high] = [boundOf(a, 'gt', 'gte'), boundOf(b, 'lt', 'lte')];
  if (!low || !high || low.property !== high.property) return false;
  return low.value > high.value || (low.value === high.value && (low.isStrict || high.isStrict));
}

function boundOf(condition: RowCondition, strict: 'gt' | 'lt', inclusive: 'gte' | 'lte') {
  if (condition.kind !== 'compare' || !('literal' in condition.value)) return undefined;
  const { operator, property, value } = condition;
  if (typeof value.literal !== 'number' || (operator !== strict && operator !== inclusive)) return undefined;
  return { property, value: value.literal, isStrict: operator === strict };
}
