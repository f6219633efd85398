import type { RowCondition, RuleValue } from './row-access.ts';

/** A property that rules of row access compare with a value. */
export interface Compared {
  /** Key of the resource. */
  readonly resource: string;
  readonly property: string;
  readonly value: RuleValue;
  /** Whether the value is one of several, so that a claim may be a list. */
  readonly isOneOf: boolean;
}

/** What a condition on the rows of a resource, by its key, compares with what. */
export function* comparedBy(condition: RowCondition, resource: string): Iterable<Compared> {
  switch (condition.kind) {
    case 'all':
    case 'any':
      for (const one of condition.conditions) yield* comparedBy(one, resource);
      break;
    case 'not':
      yield* comparedBy(condition.condition, resource);
      break;
    case 'reference':
    case 'some':
      yield* comparedBy(condition.condition, condition.resource);
      break;
    case 'compare':
      yield { resource, property: condition.property, value: condition.value, isOneOf: false };
      break;
    case 'in':
      for (const value of condition.values) yield { resource, property: condition.property, value, isOneOf: true };
      break;
    case 'tenant':
      yield { resource, property: condition.property, value: { claim: condition.claim }, isOneOf: false };
      break;
    case 'isNull':
  }
}
