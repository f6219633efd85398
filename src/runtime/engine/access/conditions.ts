import { lookUp, onlyOf } from '../../../descriptor/look-up.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { CompareCondition, RowCondition, RuleValue, TenantCondition } from '../../../descriptor/row-access.ts';
import type { Claims, Principal } from '../../auth/principal.ts';
import type { Comparison, Condition } from '../../storage/store.ts';
import { isAcross, tenantReader } from './tenant.ts';
import { claimsOf, type ReadValue, ruleValue, ruleValues } from './values.ts';

/** What rules read of a caller. */
export interface RuleCaller {
  readonly claims: Claims | undefined;
  readonly scopes: ReadonlySet<string>;
}

const NO_SCOPES: ReadonlySet<string> = new Set();

/** What rules read of the one whom a token names; undefined: a caller without one. */
export const ruleCaller = (principal: Principal | undefined): RuleCaller => ({
  claims: claimsOf(principal),
  scopes: principal?.scopes ?? NO_SCOPES,
});

/**
 * The condition on rows for a caller; true for all rows, false for none. `onMissing` is called where it reads a claim that
 * is missing, or of another type than the property that it is compared with.
 */
export type ConditionFor = (caller: RuleCaller, onMissing?: () => void) => Condition | boolean;

/** Finds the property of a resource, by its key. */
export type PropertyIn = (resource: string, name: string) => PropertyDescriptor;

export const propertyIn =
  (descriptors: ReadonlyMap<string, ResourceDescriptor>): PropertyIn =>
  (resource, name) =>
    lookUp(descriptors, resource).properties.find((one) => one.name === name)!;

/**
 * Compiles a condition on the rows of a resource. Negation moves to the comparisons, each of which is false where a claim
 * is missing, negated or not; a negated relation is false where a claim in it is. Throws for what the compiler refuses: a
 * literal that is not a value of its property, and an operator that its type does not have.
 */
export function ruleCondition(
  find: PropertyIn,
  resource: string,
  condition: RowCondition,
  isNegated = false,
): ConditionFor {
  switch (condition.kind) {
    case 'all':
    case 'any': {
      const parts = condition.conditions.map((one) => ruleCondition(find, resource, one, isNegated));
      return combination((condition.kind === 'all') === isNegated ? 'any' : 'all', parts);
    }
    case 'not':
      return ruleCondition(find, resource, condition.condition, !isNegated);
    case 'compare':
      return comparison(find(resource, condition.property), condition, isNegated);
    case 'in':
      return oneOf(find(resource, condition.property), condition.values, isNegated);
    case 'isNull':
      return isNull(condition.property, isNegated);
    case 'tenant':
      // It stands first in rules, and in relations, and is never negated itself.
      return ofTenant(find(resource, condition.property), condition);
    case 'reference':
    case 'some':
      return relation(find, condition, isNegated);
  }
}

function combination(kind: 'all' | 'any', parts: readonly ConditionFor[]): ConditionFor {
  const decisive = kind === 'any';
  return (caller, onMissing) => {
    const found = parts.map((part) => part(caller, onMissing));
    if (found.includes(decisive)) return decisive;
    const conditions = found.filter((one) => typeof one !== 'boolean');
    if (conditions.length === 0) return !decisive;
    return onlyOf(conditions) ?? { kind, conditions };
  };
}

const signed = (comparison: Comparison, isNegated: boolean): Condition =>
  isNegated ? { kind: 'not', comparison } : comparison;

/** A comparison with what is read of a caller; false where that is missing. */
const comparing =
  <T>(read: (caller: RuleCaller) => T | undefined, compared: (value: T) => Condition | boolean): ConditionFor =>
  (caller, onMissing) => {
    const value = read(caller);
    if (value !== undefined) return compared(value);
    onMissing?.();
    return false;
  };

function comparison(
  property: PropertyDescriptor,
  { operator, value: given }: CompareCondition,
  isNegated: boolean,
): ConditionFor {
  const { name, type } = property;
  if (!mayCompare(property, operator)) throw new Error(`${name} (${type}) has no ${operator}.`);
  const read = comparable(operator, ruleValue(property, given));
  return comparing(
    ({ claims }) => read(claims),
    (value) => signed({ property: name, operator, value }, isNegated),
  );
}

/** Every text contains an empty one, which nobody means: it cannot be compared with. */
const comparable =
  (operator: CompareCondition['operator'], read: ReadValue): ReadValue =>
  (claims) => {
    const found = read(claims);
    return operator === 'contains' && found === '' ? undefined : found;
  };

/** Whether both databases compare values of a type like this. */
function mayCompare({ type }: PropertyDescriptor, operator: CompareCondition['operator']): boolean {
  switch (operator) {
    case 'eq':
      return type !== 'json';
    case 'contains':
      return type === 'string';
    default:
      return type !== 'json' && type !== 'boolean' && type !== 'decimal';
  }
}

function oneOf(property: PropertyDescriptor, values: readonly RuleValue[], isNegated: boolean): ConditionFor {
  if (!mayCompare(property, 'eq')) throw new Error(`${property.name} (${property.type}) has no in.`);
  const read = ruleValues(property, values);
  return comparing(
    ({ claims }) => read(claims),
    (found) => {
      if (found.length === 0) return isNegated;
      const one = { property: property.name, operator: 'eq', value: found[0]! } as const;
      return signed(found.length === 1 ? one : { ...one, operator: 'in', value: padded(found) }, isNegated);
    },
  );
}

/** Repeats the last value up to a power of two: lists of any length share a few statements. */
function padded<T>(values: readonly T[]): readonly T[] {
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return Array.from({ length }, (_, i) => values[Math.min(i, values.length - 1)]!);
}

function ofTenant(property: PropertyDescriptor, condition: TenantCondition): ConditionFor {
  const read = tenantReader(property, condition);
  return comparing(
    ({ claims, scopes }) => isAcross(condition, scopes) || read(claims),
    (value) => value === true || { property: property.name, operator: 'eq', value },
  );
}

function isNull(property: string, isNegated: boolean): ConditionFor {
  const condition = signed({ property, operator: 'eq', value: null }, isNegated);
  return () => condition;
}

/** A negated relation asks for `none`, whose own conditions stay as they are: no related row may meet them. */
function relation(find: PropertyIn, condition: RelatedCondition, isNone: boolean): ConditionFor {
  const { kind, resource, property } = condition;
  const conditionFor = ruleCondition(find, resource, condition.condition);
  const ends =
    kind === 'reference' ? { property, relatedProperty: 'id' } : { property: 'id', relatedProperty: property };
  const isBroad = kind === 'reference' && !isOfCaller(condition.condition);
  return (caller, onMissing) => {
    let isMissing = false;
    const related = conditionFor(caller, () => {
      isMissing = true;
      onMissing?.();
    });
    if (isNone && isMissing) return false;
    if (related === false) return isNone;
    const conditions = related === true ? [] : related.kind === 'all' ? related.conditions : [related];
    return { kind: 'related', ...ends, resource, conditions, isNone, ...(isBroad && { isBroad }) };
  };
}

type RelatedCondition = Extract<RowCondition, { readonly kind: 'reference' | 'some' }>;

/** Whether few rows meet the condition: those that have something of the caller's in them. */
function isOfCaller(condition: RowCondition): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.conditions.some(isOfCaller);
    case 'any':
      return condition.conditions.every(isOfCaller);
    case 'compare':
      return 'claim' in condition.value;
    case 'in':
      return condition.values.some((value) => 'claim' in value);
    case 'reference':
    case 'some':
      return isOfCaller(condition.condition);
    default:
      return false;
  }
}
