import { isDeepStrictEqual } from 'node:util';
import { comparedBy, type RowCondition } from '../../../descriptor/row-access.ts';
import { contradicts } from './contradictions.ts';

/** What can be said of a condition whatever the rows and the caller are; undefined: it depends on them. */
export type Constant = 'always' | 'never' | undefined;

/** Whether a property of a resource, by the resource's key, always has a value. */
export type IsPresent = (resource: string, property: string) => boolean;

/** Judges a condition on rows of a resource. */
export function constantOf(condition: RowCondition, resource: string, isPresent: IsPresent): Constant {
  const inner = (one: RowCondition, of = resource) => constantOf(one, of, isPresent);
  switch (condition.kind) {
    case 'all':
      return contradicts(condition.conditions) ? 'never' : joined(condition.conditions, inner, 'always', 'never');
    case 'any':
      return excludesNothing(condition.conditions) ? 'always' : joined(condition.conditions, inner, 'never', 'always');
    case 'not':
      return opposite(inner(condition.condition));
    case 'in':
      return condition.values.length === 0 ? 'never' : undefined;
    case 'isNull':
      return isPresent(resource, condition.property) ? 'never' : undefined;
    case 'reference': {
      const found = inner(condition.condition, condition.resource);
      return found === 'always' && !isPresent(resource, condition.property) ? undefined : found;
    }
    case 'some':
      return inner(condition.condition, condition.resource) === 'never' ? 'never' : undefined;
    case 'compare':
    case 'tenant':
      return undefined;
  }
}

/** `every` where all are it, `one` where one is. */
function joined(
  conditions: readonly RowCondition[],
  judge: (condition: RowCondition) => Constant,
  every: 'always' | 'never',
  one: 'always' | 'never',
): Constant {
  const judged = conditions.map(judge);
  if (judged.includes(one)) return one;
  return judged.every((found) => found === every) ? every : undefined;
}

function opposite(constant: Constant): Constant {
  if (constant === undefined) return undefined;
  return constant === 'always' ? 'never' : 'always';
}

/** A condition or its opposite: what neither compares with a claim holds for every row. */
function excludesNothing(conditions: readonly RowCondition[]): boolean {
  return conditions.some(
    (one) =>
      one.kind === 'not' && !readsClaims(one) && conditions.some((other) => isDeepStrictEqual(other, one.condition)),
  );
}

/** Whether a condition compares with claims of the caller. */
export const readsClaims = (condition: RowCondition): boolean =>
  comparedBy(condition, '').some(({ value }) => 'claim' in value);
