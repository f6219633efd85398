import type { CompiledContract } from '../../../descriptor/compiled-contract.ts';
import { type PropertyDescriptor, type ResourceDescriptor, resourceWithKey } from '../../../descriptor/resource.ts';
import { scopesOfRules } from '../../../descriptor/row-access.ts';
import type { Claims } from '../../../runtime/auth/index.ts';
import { isSubject, tenantClaims, tenantsOf, withClaim } from '../../../tools/token/index.ts';
import type { CallerClaims } from '../../testing/serve.ts';
import { factsOf, type RuleFact } from './rule-facts.ts';

/** A caller of the tests that a contract starts with. */
export interface CastMember {
  readonly name: string;
  readonly claims: CallerClaims;
  /** What sets it apart, as a comment says it. */
  readonly words: string;
}

/** The caller whose rows they are. */
export const OWNER = 'somebody';

/** Claims other than `sub` that rules compare, with the property of which each has a value. */
type ComparedClaims = ReadonlyMap<string, PropertyDescriptor>;

/**
 * The callers that the rules of a contract distinguish: one for whom they hold, another, one of another tenant, one for each
 * scope that they name, and one whose token has no scope at all.
 */
export function castOf(contract: CompiledContract): readonly CastMember[] {
  const { resources } = contract;
  const facts = factsOf(resources);
  const claims = comparedClaims(facts, resources);
  const ruled = [...new Set(resources.flatMap(scopesOfRules))];
  const plain = plainScopes(contract, ruled);
  const subjects = new Subjects(isCounted(facts, resources));
  const tenant = tenantClaims(contract);
  const member = (name: string, words: string, scopes: readonly string[], own: object): CastMember => {
    const scope = scopes.length > 0 ? { scope: scopes.join(' ') } : {};
    return { name, words, claims: { sub: subjects.next(), ...scope, ...own } };
  };
  const others = { ...tenant, ...claimValues(claims, 2) };
  const second = tenantsOf(contract)?.values[1];
  return [
    member(OWNER, 'The rows below are theirs.', plain, { ...tenant, ...claimValues(claims, 1) }),
    member('other', 'Has the same scopes, and none of the rows.', plain, others),
    ...(second !== undefined
      ? [member('foreigner', 'Is of another tenant.', plain, { ...others, ...tenantClaims(contract, second) })]
      : []),
    ...ruled.map((scope) => member(callerName(scope), `Has the scope \`${scope}\`, too.`, [...plain, scope], others)),
    ...(plain.length > 0 ? [member('unscoped', 'Has a token without a scope.', [], others)] : []),
  ];
}

/** The claims that rules compare, by their paths. */
function comparedClaims(facts: readonly RuleFact[], resources: readonly ResourceDescriptor[]): ComparedClaims {
  const found = new Map<string, PropertyDescriptor>();
  for (const { value, resource, property } of facts) {
    if (!('claim' in value) || isSubject(value.claim)) continue;
    const path = value.claim.join('.');
    if (!found.has(path)) found.set(path, propertyOf(resources, resource, property));
  }
  return found;
}

export const propertyOf = (
  resources: readonly ResourceDescriptor[],
  key: string,
  property: string,
): PropertyDescriptor => {
  const { parent, properties } = resourceWithKey(resources, key);
  const own = properties.find(({ name }) => name === property);
  return own ?? propertyOf(resources, parent!.resource, 'id');
};

/** Claims with the value that the n-th of two callers has of each. */
function claimValues(claims: ComparedClaims, n: 1 | 2): object {
  let all: Claims = {};
  for (const [path, property] of claims) all = withClaim(all, path.split('.'), claimValue(property, n));
  return all;
}

/** What the first caller has, which rows have, too, or another value of the same type. */
export function claimValue({ type, enum: values }: PropertyDescriptor, n: 1 | 2): unknown {
  if (values) return values[n - 1] ?? values[0];
  switch (type) {
    case 'uuid':
      return `019bc0de-7c00-7000-8000-0000000000e${n}`;
    case 'integer':
      return n;
    case 'int64':
      return String(n);
    case 'boolean':
      return n === 1;
    default:
      return n === 1 ? 'one' : 'two';
  }
}

/** The scopes that operations ask for and no rule does. */
function plainScopes({ resources }: CompiledContract, ruled: readonly string[]): readonly string[] {
  const schemes = resources
    .flatMap(({ actions }) => Object.values(actions))
    .flatMap(({ access }) => access.anyOf.flatMap((one) => one.schemes));
  return [...new Set(schemes.flatMap(({ scopes }) => scopes))].filter((scope) => !ruled.includes(scope));
}

/** `teams:write` is `teamsWrite`. */
const callerName = (scope: string): string =>
  scope.replace(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase());

function isCounted(facts: readonly RuleFact[], resources: readonly ResourceDescriptor[]): boolean {
  const compared = facts.filter(({ value }) => 'claim' in value && isSubject(value.claim));
  return compared.some(({ resource, property }) => {
    const { type } = propertyOf(resources, resource, property);
    return type === 'integer' || type === 'int64';
  });
}

/** A `sub` for each caller, of the type that rules compare it with. */
class Subjects {
  readonly #isCounted: boolean;
  #count = 0;

  constructor(counted: boolean) {
    this.#isCounted = counted;
  }

  next(): string {
    this.#count += 1;
    return this.#isCounted ? String(this.#count) : `019bc0de-7c00-7000-8000-0000000000a${this.#count.toString(16)}`;
  }
}
