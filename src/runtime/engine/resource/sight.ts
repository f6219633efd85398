import type { Principal } from '../../auth/principal.ts';
import type { Condition } from '../../storage/store.ts';
import type { RelatedReads } from './access-rule.ts';
import { ownerRule } from './ownership.ts';
import type { Resource } from './resource.ts';

/**
 * The conditions of the owner rule and of `x-access` on the rows of a resource that the caller reads, those of its
 * ancestors aside. Throws what `ownerRule` throws.
 */
export function ownRows(resource: Resource, principal: Principal | undefined): readonly Condition[] {
  const rule = ownerRule(resource, principal, 'read');
  const own: readonly Condition[] =
    rule.kind === 'own' ? [{ property: rule.property, operator: 'eq', value: rule.subject }] : NONE;
  const read = resource.access?.read;
  return read ? [...own, ...read.conditionsFor(principal)] : own;
}

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
  const add = (key: string, names: Iterable<string>, isListed: boolean): void => {
    const known = reads.get(key);
    const properties = new Set([...(known?.properties ?? []), ...names]);
    reads.set(key, { properties, isListed: isListed || known?.isListed === true });
  };
  for (const [key, { properties, isListed }] of resource.fields?.reads ?? []) add(key, properties, isListed);
  if (!isSighted(resource)) return reads;
  for (const level of levelsOf(resource)) {
    const { access, descriptor } = level;
    for (const [key, { properties, isListed }] of access?.read?.reads ?? []) add(key, properties, isListed);
    if (level === resource) continue;
    const own = [descriptor.owner?.property, descriptor.parent?.property].filter((name) => name !== undefined);
    add(descriptor.key, [...own, ...(access?.read?.properties ?? [])], false);
  }
  return reads;
}
