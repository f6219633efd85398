import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { AccessAlternative } from '../../../descriptor/row-access.ts';
import { type Compared, comparedBy } from '../../../descriptor/row-access-values.ts';
import type { Principal } from '../../auth/principal.ts';
import { ruleCaller, ruleCondition } from './conditions.ts';
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
  const lacksScope = scope !== undefined && principal?.scopes.has(scope) !== true;
  const compared = where ? [...comparedBy(where, resource)] : [];
  const lacks = [
    ...(lacksScope ? [`the scope \`${scope}\``] : []),
    ...new Set(compared.flatMap((one) => lackedClaim(one, propertyIn(descriptors, one), principal) ?? [])),
  ];
  const property = (key: string, name: string) => propertyIn(descriptors, { resource: key, property: name });
  const related = {
    property,
    listed: () => undefined,
    followed: () => undefined,
    get related() {
      return related;
    },
  };
  const condition = where
    ? ruleCondition({ property, related }, resource, where).conditionFor(ruleCaller(principal))
    : true;
  const isNever = lacksScope || condition === false;
  return {
    alternative,
    lacks,
    holds: isNever ? 'for no row' : condition === true ? 'for all rows' : 'depending on the row',
  };
}

const propertyIn = (descriptors: Descriptors, { resource, property }: Pick<Compared, 'resource' | 'property'>) =>
  descriptors.get(resource)!.properties.find(({ name }) => name === property)!;

function lackedClaim(
  { value, property, isOneOf }: Compared,
  descriptor: ResourceDescriptor['properties'][number],
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
