import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { alternativesOf, type RowCondition, type RuleValue } from '../../../descriptor/row-access.ts';

/** What a row has where a rule holds for it. */
export interface RuleFact {
  /** Key of the resource whose row it is: that of the rule, or one that the rule goes to. */
  readonly resource: string;
  readonly property: string;
  readonly value: RuleValue;
  /** Whether the rule is of the same resource. */
  readonly isOwn: boolean;
}

/** What rows have so that the rules of rows, owners and properties hold, in the order in which these are written. */
export const factsOf = (resources: readonly ResourceDescriptor[]): readonly RuleFact[] =>
  resources.flatMap((resource) => {
    const { key, owner } = resource;
    const owned: RuleFact[] = owner
      ? [{ resource: key, property: owner.property, value: { claim: ['sub'] }, isOwn: true }]
      : [];
    const conditions = alternativesOf(resource).flatMap(({ where }) => where ?? []);
    return [...owned, ...conditions.flatMap((where) => conditionFacts(where, key, true))];
  });

function conditionFacts(condition: RowCondition, resource: string, isOwn: boolean): readonly RuleFact[] {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.flatMap((one) => conditionFacts(one, resource, isOwn));
    case 'compare': {
      const { property, operator, value } = condition;
      return operator === 'gt' || operator === 'lt' ? [] : [{ resource, property, value, isOwn }];
    }
    case 'in':
      return condition.values.slice(0, 1).map((value) => ({ resource, property: condition.property, value, isOwn }));
    case 'reference':
    case 'some':
      return conditionFacts(condition.condition, condition.resource, false);
    default:
      return [];
  }
}
