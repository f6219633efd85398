import type { Id, ResourceDescriptor } from '../../descriptor/resource.ts';
import { type RowScope, tenantAs } from './row-scope.ts';
import type { Condition, Relation, Row } from './store.ts';

/** Keeps statements to the rows of one tenant, or to those of none, beside the rows that all share. */
export interface TenantWall {
  /** Conditions on rows of a resource, and those that keep these, and the rows that they ask for, behind the wall. */
  within(resource: string, conditions?: readonly Condition[]): readonly Condition[];
  /** What a new row, or one of which some properties have changed, must meet to be behind the wall with all it refers to. */
  ofReferences(resource: string, row: Row, changed?: readonly string[]): readonly Condition[];
}

/** The wall of a scope; undefined where it reaches everything. */
export type WallOf = (scope: RowScope) => TenantWall | undefined;

/** Holds for no row. */
const NEVER: Condition = { property: 'id', operator: 'in', value: [] };

/** Undefined for a contract without tenants. `hasPolicies`: the database keeps rows below those of tenants behind the wall by itself. */
export function wallsOf(resources: readonly ResourceDescriptor[], hasPolicies = false): WallOf | undefined {
  if (!resources.some(({ tenant }) => tenant)) return undefined;
  const owned = ownedByTenants(resources);
  const references = new Map(resources.map((one) => [one.key, referencesOf(one, owned)]));
  return (scope) => (scope.kind === 'all' ? undefined : wallOf(scope, owned, references, hasPolicies));
}

/** The resources whose rows belong to tenants, by a property of their own or by their parents, by key. */
export function ownedByTenants(resources: readonly ResourceDescriptor[]): ReadonlyMap<string, ResourceDescriptor> {
  const byKey = new Map(resources.map((one) => [one.key, one]));
  const isOwned = (key: string): boolean => {
    const { tenant, parent } = byKey.get(key)!;
    return tenant !== undefined || (parent !== undefined && isOwned(parent.resource));
  };
  return new Map(resources.filter(({ key }) => isOwned(key)).map((one) => [one.key, one]));
}

/** A reference to a row of a tenant, where in a row it is, and whether it is to the row itself. */
interface Reference extends Pick<Relation, 'property' | 'resource'> {
  readonly position: number;
  isSelf(row: Row): boolean;
}

function referencesOf(
  { key, properties, parent }: ResourceDescriptor,
  owned: ReadonlyMap<string, unknown>,
): readonly Reference[] {
  const id = properties.findIndex(({ name }) => name === 'id');
  return properties.flatMap(({ name: property, references }, position) => {
    const resource = property === parent?.property ? parent.resource : references?.resource;
    if (resource === undefined || !owned.has(resource)) return [];
    return [{ property, resource, position, isSelf: (row) => resource === key && row[position] === row[id] }];
  });
}

function wallOf(
  scope: Exclude<RowScope, { readonly kind: 'all' }>,
  owned: ReadonlyMap<string, ResourceDescriptor>,
  references: ReadonlyMap<string, readonly Reference[]>,
  hasPolicies: boolean,
): TenantWall {
  function own(resource: string): Condition | undefined {
    const { tenant, parent, properties } = owned.get(resource) ?? {};
    if (!properties) return undefined;
    if (scope.kind === 'none') return NEVER;
    if (!tenant) return hasPolicies ? undefined : related(parent!);
    const { type } = properties.find(({ name }) => name === tenant.property)!;
    return { property: tenant.property, operator: 'eq', value: tenantAs(type, scope.tenant) };
  }
  // Rows of a tenant may be most of a table: they are never listed to find one.
  const related = ({ property, resource }: Pick<Relation, 'property' | 'resource'>): Relation => ({
    ...{ kind: 'related', property, resource, relatedProperty: 'id', conditions: within(resource) },
    ...{ isNone: false, isBroad: true },
  });
  const asked = (condition: Condition): Condition => {
    if (condition.kind === undefined || condition.kind === 'not') return condition;
    if (condition.kind === 'related')
      return { ...condition, conditions: within(condition.resource, condition.conditions) };
    return { ...condition, conditions: condition.conditions.map(asked) };
  };
  function within(resource: string, conditions: readonly Condition[] = []): readonly Condition[] {
    const wall = own(resource);
    const all = conditions.some(({ kind }) => kind !== undefined) ? conditions.map(asked) : conditions;
    return wall && !all.some((one) => isSame(one, wall)) ? [...all, wall] : all;
  }
  return {
    within,
    ofReferences(resource, row, changed) {
      const isWritten = ({ property, position, isSelf }: Reference): boolean =>
        row[position] !== null && (changed?.includes(property) ?? !isSelf(row));
      const given = references.get(resource)!.filter(isWritten).map(related);
      const wall = own(resource);
      if (wall?.kind !== undefined || !wall) return given;
      const at = owned.get(resource)!.properties.findIndex(({ name }) => name === wall.property);
      return row[at] === wall.value ? given : [NEVER];
    },
  };
}

/** The engine asks for the tenant of what a caller reads, too: once is enough. */
const isSame = (one: Condition, wall: Condition): boolean =>
  one.kind === undefined &&
  wall.kind === undefined &&
  one.property === wall.property &&
  one.operator === wall.operator &&
  (one.value === wall.value || (wall === NEVER && (one.value as readonly Id[]).length === 0));
