import type { Referrer, Resource } from './resource.ts';

/** The resources of which a delete of a row takes rows along (`x-on-delete: cascade`), its own among them. */
export function takenAlong(resource: Resource, found = new Set<Resource>()): ReadonlySet<Resource> {
  if (found.has(resource)) return found;
  found.add(resource);
  for (const { resource: from, onDelete } of resource.referrers) if (onDelete === 'cascade') takenAlong(from, found);
  return found;
}

/** What forbids a delete, whatever that takes along; none where it does nothing else, which the database refuses as soon. */
export function forbiddersOf(resource: Resource): readonly Referrer[] {
  const { referrers } = resource;
  if (referrers.every(({ onDelete }) => onDelete === 'restrict')) return [];
  const taken = takenAlong(resource);
  return referrers.filter((one) => one.onDelete === 'restrict' && !taken.has(one.resource));
}
