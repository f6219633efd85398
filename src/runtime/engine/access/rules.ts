import { childPointer } from '../../../descriptor/json-pointer.ts';
import { onlyOf } from '../../../descriptor/look-up.ts';
import type { Id, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import {
  type AccessAlternative,
  partsOf,
  ROW_ACTIONS,
  type RowAction,
  type RowCondition,
} from '../../../descriptor/row-access.ts';
import { tenantRules } from '../../../descriptor/tenant.ts';
import { type MaybePromise, rejected, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Condition, Reader, Row } from '../../storage/store.ts';
import type { AccessRule, AccessRules } from '../resource/access.ts';
import type { Resource } from '../resource/resource.ts';
import { type ConditionFor, propertyIn, type RuleCaller, ruleCaller, ruleCondition } from './conditions.ts';
import { NOTHING, perCaller } from './filter.ts';
import { withRule } from './owner.ts';

const ALL: readonly Condition[] = [];

type Descriptors = ReadonlyMap<string, ResourceDescriptor>;

/** The rules of a resource's `x-access`, compiled once; `descriptors` are those of all resources, by key. */
export function accessRules({ key, rowAccess }: ResourceDescriptor, descriptors: Descriptors): AccessRules | undefined {
  if (!rowAccess) return undefined;
  const rules: { [A in RowAction]?: AccessRule } = {};
  for (const action of ROW_ACTIONS) {
    const alternatives = rowAccess[action];
    if (alternatives) rules[action] = compiledRule(key, alternatives, descriptors);
  }
  return rules;
}

/** One rule on rows of a resource, compiled once. The tenant stands first, where it leads the indexes. */
export function compiledRule(
  resource: string,
  alternatives: readonly AccessAlternative[],
  descriptors: Descriptors,
): AccessRule {
  const { tenant, others } = tenantRules(alternatives);
  const find = propertyIn(descriptors);
  const conditionOf = (where: RowCondition | undefined): ConditionFor =>
    where ? ruleCondition(find, resource, where) : () => true;
  const withinTenant = conditionOf(tenant);
  const compiled = others?.map(({ scope, where }) => ({ scope, condition: conditionOf(where) }));
  const conditions = [tenant, ...(others ?? []).map(({ where }) => where)].filter((one) => one !== undefined);
  return {
    ...readsOf(conditions, resource, find),
    conditionsFor: perCaller((principal) => {
      const caller = ruleCaller(principal);
      const within = withinTenant(caller);
      if (within === false) return NOTHING;
      const rest = compiled ? oneOf(compiled, caller) : ALL;
      return within === true || rest === NOTHING ? rest : [within, ...rest];
    }),
  };
}

interface Alternative {
  readonly scope: string | undefined;
  readonly condition: ConditionFor;
}

function oneOf(alternatives: readonly Alternative[], caller: RuleCaller): readonly Condition[] {
  const found: Condition[] = [];
  for (const { scope, condition } of alternatives) {
    if (scope !== undefined && !caller.scopes.has(scope)) continue;
    const holds = condition(caller);
    if (holds === true) return ALL;
    if (holds !== false) found.push(holds);
  }
  if (found.length === 0) return NOTHING;
  const only = onlyOf(found);
  return only ? flattened(only) : [{ kind: 'any', conditions: found }];
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

/** What conditions read of a row itself, and of related rows. */
function readsOf(
  conditions: readonly RowCondition[],
  resource: string,
  find: ReturnType<typeof propertyIn>,
): Pick<AccessRule, 'properties' | 'reads'> {
  const properties = new Set<string>();
  const reads = new Map<string, { readonly properties: Set<string>; isListed: boolean; isFollowed: boolean }>();
  const readsIn = (key: string) => {
    const known = reads.get(key) ?? { properties: new Set(), isListed: false, isFollowed: false };
    reads.set(key, known);
    return known;
  };
  for (const { condition, resource: of, isRelated } of conditions.flatMap((one) => [...partsOf(one, resource)])) {
    const own = isRelated ? readsIn(of).properties : properties;
    if (condition.kind !== 'some') own.add(condition.property);
    if (condition.kind !== 'some' && condition.kind !== 'reference') continue;
    const related = readsIn(condition.resource);
    related.properties.add(condition.kind === 'some' ? condition.property : 'id');
    if (condition.kind === 'some') related.isListed = true;
    else related.isFollowed ||= isFollowed(find(of, condition.property));
  }
  return { properties, reads };
}

/** Whether a delete of what a reference goes to clears it, or takes along what refers. */
const isFollowed = ({ origin, references }: PropertyDescriptor): boolean =>
  origin === 'parent' || references?.onDelete !== 'restrict';

/** An action on a row, and the properties that the caller has given it: they may be at fault. */
interface Ruled {
  readonly action: Exclude<RowAction, 'read'>;
  readonly given?: () => readonly string[];
}

/** Throws `FORBIDDEN` when the rule for the action does not hold for a row as it is in the transaction. */
export function checkAllowed(
  reader: Reader,
  resource: Resource,
  id: Id,
  principal: Principal | undefined,
  ruled: Ruled,
): MaybePromise<void> {
  const conditions = resource.access?.[ruled.action]?.conditionsFor(principal) ?? ALL;
  if (conditions.length === 0) return undefined;
  return whenKnown(reader.get(resource.descriptor.key, id, conditions), (row) =>
    row ? undefined : rejected(refused(resource, principal, ruled)),
  );
}

/**
 * `checkAllowed` for a row that could not be stored, as another has its key: a caller that may not write it must not learn of that.
 * It is judged by the values given here, and by other rows as they are.
 */
export function checkUnstored(
  reader: Reader,
  resource: Resource,
  row: Row,
  principal: Principal | undefined,
  ruled: Ruled,
): MaybePromise<void> {
  const conditions = resource.access?.[ruled.action]?.conditionsFor(principal) ?? ALL;
  if (conditions.length === 0) return undefined;
  return whenKnown(reader.meetEach(resource.descriptor.key, [row], conditions), ([isIt]) =>
    isIt ? undefined : rejected(refused(resource, principal, ruled)),
  );
}

const WORDS = { create: 'create such a', update: 'change this', delete: 'delete this' } as const;

function refused(
  { access, descriptor: { name }, refusals }: Resource,
  principal: Principal | undefined,
  { action, given = () => [] }: Ruled,
): ApiError {
  const faulty = given().filter((property) => access?.[action]?.properties.has(property));
  const errors = faulty.map((property) => ({
    pointer: childPointer('', property),
    detail: `you may not ${WORDS[action]} ${name} with this value`,
  }));
  return new ApiError('FORBIDDEN', {
    detail: withRule(`You may not ${WORDS[action]} ${name}.`, refusals?.access(action, principal)),
    ...(errors.length > 0 && { errors }),
  });
}
