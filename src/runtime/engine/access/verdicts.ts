import type { OwnerRule, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type AccessAlternative, type Compared, comparedBy } from '../../../descriptor/row-access.ts';
import { accessSentence } from '../../../descriptor/row-access-words.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Refusals } from '../resource/access.ts';
import { propertyIn, ruleCaller, ruleCondition } from './conditions.ts';
import { claimAt, claimsOf, ruleValues } from './values.ts';

/** What an alternative of a rule says of the rows, for one caller: it holds for all of them, for none, or it depends. */
export interface Verdict {
  readonly alternative: AccessAlternative;
  readonly holds: 'for all rows' | 'for no row' | 'depending on the row';
  /** What the caller lacks for it: "the scope `a`", "the claim `org.id`". */
  readonly lacks: readonly string[];
}

type Descriptors = ReadonlyMap<string, ResourceDescriptor>;

/** The verdict on each alternative of a resource's rule, for a caller; `descriptors` are those of all resources, by key. */
export const verdictsOn = (
  alternatives: readonly AccessAlternative[],
  resource: string,
  descriptors: Descriptors,
  principal: Principal | undefined,
): readonly Verdict[] => alternatives.map((alternative) => verdictOn(alternative, resource, descriptors, principal));

function verdictOn(
  alternative: AccessAlternative,
  resource: string,
  descriptors: Descriptors,
  principal: Principal | undefined,
): Verdict {
  const { scope, where } = alternative;
  const find = propertyIn(descriptors);
  const lacksScope = scope !== undefined && principal?.scopes.has(scope) !== true;
  const compared = where ? comparedBy(where, resource) : [];
  const lacks = [
    ...(lacksScope ? [`the scope \`${scope}\``] : []),
    ...new Set(compared.flatMap((one) => lackedClaim(one, find(one.resource, one.property), principal) ?? [])),
  ];
  const condition = where ? ruleCondition(find, resource, where)(ruleCaller(principal)) : true;
  const isNever = lacksScope || condition === false;
  return {
    alternative,
    lacks,
    holds: isNever ? 'for no row' : condition === true ? 'for all rows' : 'depending on the row',
  };
}

function lackedClaim(
  { value, property, isOneOf }: Compared,
  descriptor: PropertyDescriptor,
  principal: Principal | undefined,
): string | undefined {
  if (!('claim' in value)) return undefined;
  const claims = claimsOf(principal);
  const claim = claimAt(claims, value.claim);
  const name = `the claim \`${value.claim.join('.')}\``;
  if (claim === undefined) return name;
  const isUsable = (isOneOf || !Array.isArray(claim)) && ruleValues(descriptor, [value])(claims) !== undefined;
  return isUsable ? undefined : `${name} with a value of \`${property}\``;
}

/** The words on the rules of a resource; `descriptors` are those of all resources, by key. */
export function refusalsOf(
  { key, name, owner, rowAccess = {} }: ResourceDescriptor,
  descriptors: Descriptors,
): Refusals {
  return {
    access(action, principal) {
      const alternatives = rowAccess[action] ?? [];
      const rule = accessSentence(action, alternatives, [...descriptors.values()]);
      const lacks = new Set(verdictsOn(alternatives, key, descriptors, principal).flatMap((verdict) => verdict.lacks));
      const missing = lacks.size === 0 ? '' : ` The caller lacks ${[...lacks].join(', ')}.`;
      return `Each ${name} ${rule.replace('Can', 'can')}${missing}`;
    },
    owner: () => `Each ${name} ${ownerWords(owner!)}`,
  };
}

/** "can be changed where its `userId` is the caller's `sub`, or by callers with the scope `a`." */
function ownerWords({ property, scope }: OwnerRule): string {
  const exempt = scope === undefined ? '' : `, or by callers with the scope \`${scope}\``;
  return `can be changed where its \`${property}\` is the caller's \`sub\`${exempt}.`;
}
