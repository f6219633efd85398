import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { type AccessAlternative, ROW_ACTIONS, type RowAction } from '../../../descriptor/row-access.ts';
import { columnOf, tableOf } from '../../../descriptor/table.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Condition } from '../../storage/store.ts';
import type { AccessRule, AccessRules } from './access-rule.ts';
import { type ConditionFor, type ConditionReader, type RelatedReader, ruleCondition } from './rule-conditions.ts';
import { claimsOf } from './rule-values.ts';

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
    if (alternatives) rules[action] = accessRule(key, alternatives, readerOf(descriptors));
  }
  return rules;
}

/** Finds properties for the conditions of one rule, and remembers which. */
function readerOf(descriptors: ReadonlyMap<string, ResourceDescriptor>) {
  const tables = new Map([...descriptors].map(([key, descriptor]) => [key, tableOf(descriptor)]));
  const find = (resource: string, name: string): PropertyDescriptor => columnOf(tables.get(resource)!, name);
  const properties = new Set<string>();
  const reads = new Map<string, { readonly properties: Set<string>; isListed: boolean }>();
  const readsOf = (resource: string) => {
    const known = reads.get(resource) ?? { properties: new Set(), isListed: false };
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

function accessRule(
  resource: string,
  alternatives: readonly AccessAlternative[],
  reader: ReturnType<typeof readerOf>,
): AccessRule {
  const compiled = alternatives.map(({ scope, where }): Alternative => {
    const condition = where && ruleCondition(reader.conditions, resource, where).conditionFor;
    return { ...(scope !== undefined && { scope }), condition };
  });
  const known = new WeakMap<Principal, readonly Condition[]>();
  const anonymous = conditionsOf(compiled, undefined);
  return {
    properties: reader.properties,
    reads: reader.reads,
    conditionsFor(principal) {
      if (!principal) return anonymous;
      const conditions = known.get(principal) ?? conditionsOf(compiled, principal);
      known.set(principal, conditions);
      return conditions;
    },
  };
}

function conditionsOf(alternatives: readonly Alternative[], principal: Principal | undefined): readonly Condition[] {
  const claims = claimsOf(principal);
  const found: Condition[] = [];
  for (const { scope, condition } of alternatives) {
    if (scope !== undefined && !principal?.scopes.has(scope)) continue;
    const holds = condition ? condition(claims) : true;
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
