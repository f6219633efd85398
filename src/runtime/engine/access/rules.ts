import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import {
  type AccessAlternative,
  ROW_ACTIONS,
  type RowAction,
  type RowCondition,
} from '../../../descriptor/row-access.ts';
import { columnOf, tableOf } from '../../../descriptor/table.ts';
import { tenantRules } from '../../../descriptor/tenant.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Condition } from '../../storage/store.ts';
import type { AccessRule, AccessRules } from '../resource/access-rule.ts';
import {
  type ConditionFor,
  type ConditionReader,
  type RelatedReader,
  type RuleCaller,
  ruleCaller,
  ruleCondition,
} from './conditions.ts';
import { perCaller } from './per-caller.ts';

const ALL: readonly Condition[] = [];
const NOTHING: readonly Condition[] = [{ property: 'id', operator: 'in', value: [] }];

/** The rules of a resource's `x-access`, compiled once; `descriptors` are those of all resources, by key. */
export function accessRules(
  descriptor: ResourceDescriptor,
  descriptors: ReadonlyMap<string, ResourceDescriptor>,
): AccessRules | undefined {
  const { key, rowAccess } = descriptor;
  if (!rowAccess) return undefined;
  const rules: { [A in RowAction]?: AccessRule } = {};
  for (const action of ROW_ACTIONS) {
    const alternatives = rowAccess[action];
    if (alternatives) rules[action] = compiledRule(key, alternatives, descriptors);
  }
  return rules;
}

/** One rule on rows of a resource, compiled once; `descriptors` are those of all resources, by key. */
export const compiledRule = (
  resource: string,
  alternatives: readonly AccessAlternative[],
  descriptors: ReadonlyMap<string, ResourceDescriptor>,
): AccessRule => accessRule(resource, alternatives, readerOf(descriptors));

/** Finds properties for the conditions of one rule, and remembers which. */
function readerOf(descriptors: ReadonlyMap<string, ResourceDescriptor>) {
  const tables = new Map([...descriptors].map(([key, descriptor]) => [key, tableOf(descriptor)]));
  const find = (resource: string, name: string): PropertyDescriptor => columnOf(tables.get(resource)!, name);
  const properties = new Set<string>();
  const reads = new Map<string, { readonly properties: Set<string>; isListed: boolean; isFollowed: boolean }>();
  const readsOf = (resource: string) => {
    const known = reads.get(resource) ?? { properties: new Set(), isListed: false, isFollowed: false };
    reads.set(resource, known);
    return known;
  };
  const related: RelatedReader = {
    property(resource, name) {
      readsOf(resource).properties.add(name);
      return find(resource, name);
    },
    listed(resource) {
      readsOf(resource).isListed = true;
    },
    followed(resource) {
      readsOf(resource).isFollowed = true;
    },
    get related() {
      return related;
    },
  };
  const property: ConditionReader['property'] = (resource, name) => {
    properties.add(name);
    return find(resource, name);
  };
  return { properties, reads, conditions: { property, related } };
}

type Alternative = Pick<AccessAlternative, 'scope'> & { readonly condition: ConditionFor | undefined };

interface Rule {
  readonly tenant: ConditionFor | undefined;
  /** Undefined: all rows of the tenant. */
  readonly alternatives: readonly Alternative[] | undefined;
}

function accessRule(
  resource: string,
  alternatives: readonly AccessAlternative[],
  reader: ReturnType<typeof readerOf>,
): AccessRule {
  const { tenant, others } = tenantRules(alternatives);
  const conditionOf = (where: RowCondition | undefined) =>
    where && ruleCondition(reader.conditions, resource, where).conditionFor;
  const rule: Rule = {
    tenant: conditionOf(tenant),
    alternatives: others?.map(({ scope, where }) => ({
      ...(scope !== undefined && { scope }),
      condition: conditionOf(where),
    })),
  };
  return {
    properties: reader.properties,
    reads: reader.reads,
    conditionsFor: perCaller((principal) => conditionsOf(rule, principal)),
  };
}

/** The tenant stands first, where it leads the indexes. */
function conditionsOf({ tenant, alternatives }: Rule, principal: Principal | undefined): readonly Condition[] {
  const caller = ruleCaller(principal);
  const within = tenant ? tenant(caller) : true;
  if (within === false) return NOTHING;
  const others = alternatives ? oneOf(alternatives, caller) : ALL;
  return within === true || others === NOTHING ? others : [within, ...others];
}

function oneOf(alternatives: readonly Alternative[], caller: RuleCaller): readonly Condition[] {
  const found: Condition[] = [];
  for (const { scope, condition } of alternatives) {
    if (scope !== undefined && !caller.scopes.has(scope)) continue;
    const holds = condition ? condition(caller) : true;
    if (holds === true) return ALL;
    if (holds !== false) found.push(holds);
  }
  if (found.length === 0) return NOTHING;
  return found.length === 1 ? flattened(found[0]!) : [{ kind: 'any', conditions: found }];
}

/**
 * Only what compares with one value stands beside the filters of a list, where an index may lead by it: a list of values
 * or a text within would be taken for the filter that a list is split or searched by.
 */
function flattened(condition: Condition): readonly Condition[] {
  const parts = condition.kind === 'all' ? condition.conditions : [condition];
  const isPlain = (one: Condition): boolean => one.kind !== undefined || (one.operator === 'eq' && one.value !== null);
  const others = parts.filter((one) => !isPlain(one));
  return [...parts.filter(isPlain), ...(others.length > 0 ? [{ kind: 'all', conditions: others } as const] : [])];
}
