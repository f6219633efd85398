import type { Principal } from '../../auth/principal.ts';
import type { Condition } from '../../storage/store.ts';
import type { RelatedReads } from '../resource/access.ts';
import type { Resource } from '../resource/resource.ts';

/** Whether the caller sees no row, whatever the rows have. */
export const isBlind = ({ levels }: Resource, principal: Principal | undefined): boolean =>
  levels.some(({ filter }) => filter.own(principal).some(isNever));

const isNever = (one: Condition): boolean =>
  one.kind === undefined && one.operator === 'in' && Array.isArray(one.value) && one.value.length === 0;

/** Whether changes of other rows bring rows in and out of the caller's sight. A row keeps its parent, and both their tenant. */
export function isSwayed(resource: Resource, principal: Principal | undefined): boolean {
  if (isBlind(resource, principal)) return false;
  return resource.levels.some((level) =>
    level.filter.own(principal).some((one) => asksOthers(one) || (level !== resource && !isOfTenant(level, one))),
  );
}

const isOfTenant = ({ tenancy }: Resource, condition: Condition): boolean =>
  condition.kind === undefined && condition.property === tenancy?.property;

/** Whether other rows decide whether a condition holds for a row. */
export function asksOthers(condition: Condition): boolean {
  if (condition.kind === 'related') return true;
  return (condition.kind === 'all' || condition.kind === 'any') && condition.conditions.some(asksOthers);
}

/** What decides, of other rows, who sees a row, or which properties of it, by the key of their resource. */
export function filterReads(resource: Resource): ReadonlyMap<string, RelatedReads> {
  const reads = new Map<string, RelatedReads>();
  const add = (key: string, names: Iterable<string>, more?: RelatedReads): void => {
    const known = reads.get(key);
    const isEither = (name: 'isListed' | 'isFollowed') => known?.[name] === true || more?.[name] === true;
    const properties = new Set([...(known?.properties ?? []), ...names]);
    reads.set(key, { properties, isListed: isEither('isListed'), isFollowed: isEither('isFollowed') });
  };
  for (const [key, read] of resource.fields?.reads ?? []) add(key, read.properties, read);
  if (!resource.filter.isRuled) return reads;
  for (const level of resource.levels) {
    const { access, descriptor } = level;
    for (const [key, read] of access?.read?.reads ?? []) add(key, read.properties, read);
    if (level === resource) continue;
    const own = [descriptor.owner?.property, descriptor.parent?.property].filter((name) => name !== undefined);
    add(descriptor.key, [...own, ...(access?.read?.properties ?? [])]);
  }
  return reads;
}
