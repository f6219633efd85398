import type { Principal } from '../../auth/principal.ts';
import type { Condition } from '../../storage/store.ts';
import type { RelatedReads } from '../resource/access-rule.ts';
import type { Resource } from '../resource/resource.ts';
import { ownerRule } from './owner.ts';

/** The conditions on a row for a caller to see it, those on the rows above it aside. */
export interface SightLevel {
  /** Key of the resource. */
  readonly resource: string;
  readonly conditions: readonly Condition[];
}

/**
 * The conditions of the owner rule and of `x-access` on the rows of a resource that the caller reads, those of its
 * ancestors aside. Throws what `ownerRule` throws.
 */
export function ownRows(resource: Resource, principal: Principal | undefined): readonly Condition[] {
  const rule = ownerRule(resource, principal, 'read');
  const own: readonly Condition[] =
    rule.kind === 'own' ? [{ property: rule.property, operator: 'eq', value: rule.subject }] : NONE;
  return resource.access?.read ? [...own, ...ruledRows(resource, principal)] : own;
}

/** `ownRows` without the owner rule. */
export const ruledRows: typeof ownRows = ({ access }, principal) => access?.read?.conditionsFor(principal) ?? NONE;

const NONE: readonly Condition[] = [];

/**
 * `ownRows` of a resource and, as conditions on the row of its parent, of its ancestors. Throws what `ownerRule`
 * throws.
 */
export function rowsInSight(resource: Resource, principal: Principal | undefined): readonly Condition[] {
  const own = ownRows(resource, principal);
  const above = resource.parent ? rowsInSight(resource.parent, principal) : NONE;
  if (above.length === 0) return own;
  const { property, resource: key } = resource.descriptor.parent!;
  return [
    ...own,
    { kind: 'related', property, resource: key, relatedProperty: 'id', conditions: above, isNone: false },
  ];
}

/** `ownRows` of a resource, of its parent, and so on. Throws what `ownerRule` throws. */
export const sightLevels = (resource: Resource, principal: Principal | undefined): readonly SightLevel[] =>
  levelsOf(resource).map((level) => ({ resource: level.descriptor.key, conditions: ownRows(level, principal) }));

/** Whether the caller sees no row, whatever the rows have. Throws what `ownerRule` throws. */
export const isBlind = (resource: Resource, principal: Principal | undefined): boolean =>
  levelsOf(resource).some((level) => ownRows(level, principal).some(isNever));

const isNever = (one: Condition): boolean =>
  one.kind === undefined && one.operator === 'in' && Array.isArray(one.value) && one.value.length === 0;

/**
 * Whether changes of other rows bring rows in and out of the caller's sight. A row keeps its parent, and both their tenant.
 * Throws what `ownerRule` throws.
 */
export function isSwayed(resource: Resource, principal: Principal | undefined): boolean {
  if (isBlind(resource, principal)) return false;
  return levelsOf(resource).some((level) =>
    ownRows(level, principal).some((one) => asksOthers(one) || (level !== resource && !isOfTenant(level, one))),
  );
}

const isOfTenant = ({ tenancy }: Resource, condition: Condition): boolean =>
  condition.kind === undefined && condition.property === tenancy?.property;

/** Whether other rows decide whether a condition holds for a row. */
export function asksOthers(condition: Condition): boolean {
  if (condition.kind === 'related') return true;
  return (condition.kind === 'all' || condition.kind === 'any') && condition.conditions.some(asksOthers);
}

/**
 * What of a caller decides which rows of a resource it sees, and what of them: callers with equal texts see the same.
 * Throws what `ownerRule` throws.
 */
export function sightOf(resource: Resource, principal: Principal | undefined): string {
  const rows = JSON.stringify(levelsOf(resource).map((level) => ownRows(level, principal)));
  const view = resource.fields?.viewFor(principal);
  return view ? `${rows} ${view.key}` : rows;
}

/** The resource, its parent, and so on. */
export function levelsOf(resource: Resource): readonly Resource[] {
  const levels: Resource[] = [];
  for (let level: Resource | undefined = resource; level; level = level.parent) levels.push(level);
  return levels;
}

export const isSighted = (resource: Resource): boolean =>
  levelsOf(resource).some(({ access }) => access?.read !== undefined);

/** What decides, of other rows, who sees a row, or which properties of it, by the key of their resource. */
export function sightReads(resource: Resource): ReadonlyMap<string, RelatedReads> {
  const reads = new Map<string, RelatedReads>();
  const add = (key: string, names: Iterable<string>, more?: RelatedReads): void => {
    const known = reads.get(key);
    const isEither = (name: 'isListed' | 'isFollowed') => known?.[name] === true || more?.[name] === true;
    const properties = new Set([...(known?.properties ?? []), ...names]);
    reads.set(key, { properties, isListed: isEither('isListed'), isFollowed: isEither('isFollowed') });
  };
  for (const [key, read] of resource.fields?.reads ?? []) add(key, read.properties, read);
  if (!isSighted(resource)) return reads;
  for (const level of levelsOf(resource)) {
    const { access, descriptor } = level;
    for (const [key, read] of access?.read?.reads ?? []) add(key, read.properties, read);
    if (level === resource) continue;
    const own = [descriptor.owner?.property, descriptor.parent?.property].filter((name) => name !== undefined);
    add(descriptor.key, [...own, ...(access?.read?.properties ?? [])]);
  }
  return reads;
}
