import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import { alternativesOf, partsOf, type RowCondition, type RuleValue } from '../../../descriptor/row-access.ts';

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
    return [...owned, ...conditions.flatMap((where) => conditionFacts(where, key))];
  });

function conditionFacts(whole: RowCondition, key: string): readonly RuleFact[] {
  return [...partsOf(whole, key)].flatMap(({ condition, resource, isRelated }) => {
    const fact = (value: RuleValue, property: string): RuleFact => ({ resource, property, value, isOwn: !isRelated });
    if (condition.kind === 'in') return condition.values.slice(0, 1).map((value) => fact(value, condition.property));
    const isMet = condition.kind === 'compare' && condition.operator !== 'gt' && condition.operator !== 'lt';
    return isMet ? [fact(condition.value, condition.property)] : [];
  });
}
