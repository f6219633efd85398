import { lookUp, onlyOf } from './look-up.ts';
import type { PropertyType, ResourceDescriptor } from './resource.ts';
import {
  type AccessAlternative,
  type RowAccess,
  type RowCondition,
  type TenantCondition,
  type TenantRule,
  withInner,
} from './row-access.ts';

/** The types of properties that name a tenant. */
export const TENANT_TYPES: readonly PropertyType[] = ['string', 'uuid', 'integer', 'int64'];

/** Conditions of the row's tenant, which stand first in rules, and what else the rules say. */
export interface TenantRules {
  readonly tenant: TenantCondition | undefined;
  /** Undefined: nothing else. */
  readonly others: readonly AccessAlternative[] | undefined;
}

/** Takes the tenant out of the alternatives of a rule: it holds for each of them. */
export function tenantRules(alternatives: readonly AccessAlternative[]): TenantRules {
  const [first] = alternatives;
  const tenant = first && leadingTenant(first);
  if (!tenant) return { tenant: undefined, others: alternatives };
  const others = alternatives.map(withoutTenant);
  const isAll = others.some(({ scope, where }) => scope === undefined && where === undefined);
  return { tenant, others: isAll ? undefined : others };
}

function leadingTenant({ where }: AccessAlternative): TenantCondition | undefined {
  const condition = where?.kind === 'all' ? where.conditions[0] : where;
  return condition?.kind === 'tenant' ? condition : undefined;
}

function withoutTenant({ where, ...rest }: AccessAlternative): AccessAlternative {
  if (where?.kind !== 'all') return rest;
  const conditions = where.conditions.slice(1);
  return { ...rest, where: onlyOf(conditions) ?? { kind: 'all', conditions } };
}

/** The resources whose rows belong to tenants, by a property of their own or by their parents, by key. */
export function ownedByTenants(resources: readonly ResourceDescriptor[]): ReadonlyMap<string, ResourceDescriptor> {
  const byKey = new Map(resources.map((one) => [one.key, one]));
  const isOwned = (key: string): boolean => {
    const { tenant, parent } = lookUp(byKey, key);
    return tenant !== undefined || (parent !== undefined && isOwned(parent.resource));
  };
  return new Map(resources.filter(({ key }) => isOwned(key)).map((one) => [one.key, one]));
}

type Ruled = Pick<ResourceDescriptor, 'key' | 'tenant' | 'rowAccess' | 'properties'>;

/**
 * The rules of resources, within tenants: those of reading begin with the tenant of the row, and so does what they go
 * to.
 */
export function withinTenants<R extends Ruled>(resources: readonly R[]): readonly R[] {
  const rules = new Map(resources.flatMap(({ key, tenant }) => (tenant ? [[key, tenant] as const] : [])));
  if (rules.size === 0) return resources;
  return resources.map((resource) => {
    const access = accessWithin(resource, rules);
    return { ...resource, properties: fieldsWithin(resource, rules), ...(access && { rowAccess: access }) };
  });
}

type Rules = ReadonlyMap<string, TenantRule>;

function accessWithin({ tenant, rowAccess }: Ruled, rules: Rules): RowAccess | undefined {
  const access: RowAccess = relatedWithin(rowAccess ?? {}, rules);
  if (!tenant) return rowAccess && access;
  return { ...access, read: (access.read ?? [{}]).map((one) => alternativeWithin(tenant, one)) };
}

/** A caller that reads the row is within its tenant already. */
const fieldsWithin = ({ properties }: Ruled, rules: Rules): Ruled['properties'] =>
  properties.map((property) =>
    property.access ? { ...property, access: relatedWithin(property.access, rules) } : property,
  );

function relatedWithin(
  access: Readonly<Record<string, readonly AccessAlternative[]>>,
  rules: Rules,
): Readonly<Record<string, readonly AccessAlternative[]>> {
  const inner = Object.entries(access).map(([action, alternatives]) => [
    action,
    alternatives.map(({ where, ...rest }) => ({ ...rest, ...(where && { where: related(where, rules) }) })),
  ]);
  return Object.fromEntries(inner);
}

function alternativeWithin(rule: TenantRule, { where, ...rest }: AccessAlternative): AccessAlternative {
  return { ...rest, where: where ? joined(rule, where) : conditionOf(rule) };
}

const conditionOf = (rule: TenantRule): TenantCondition => ({ kind: 'tenant', ...rule });

const joined = (rule: TenantRule, condition: RowCondition): RowCondition => ({
  kind: 'all',
  conditions: [conditionOf(rule), ...(condition.kind === 'all' ? condition.conditions : [condition])],
});

/** A condition whose relations go to rows of the caller's tenant alone. */
function related(condition: RowCondition, rules: Rules): RowCondition {
  const rule = 'resource' in condition ? rules.get(condition.resource) : undefined;
  return withInner(condition, (one) => (rule ? joined(rule, related(one, rules)) : related(one, rules)));
}

/** The alternatives of a rule as they are written: without the tenants, also of what they go to. */
export const withoutTenants = (alternatives: readonly AccessAlternative[]): readonly AccessAlternative[] =>
  (tenantRules(alternatives).others ?? [{}]).map(({ where, ...rest }) => ({
    ...rest,
    ...(where && { where: bare(where) }),
  }));

function bare(condition: RowCondition): RowCondition {
  if (!('conditions' in condition)) return withInner(condition, bare);
  const inner = condition.conditions.filter(({ kind }) => kind !== 'tenant').map(bare);
  const left = inner.length < condition.conditions.length ? onlyOf(inner) : undefined;
  return left ?? { ...condition, conditions: inner };
}
