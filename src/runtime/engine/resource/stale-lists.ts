import type { Resource } from './resource.ts';

/**
 * Keys of the resources whose lists may change when a row is written, or deleted: by what they show, and by who sees the
 * rows, or a property of them.
 */
export function staleAfter(
  resource: Resource,
  kind: 'write' | 'delete',
  all: ReadonlyMap<string, Resource>,
): readonly string[] {
  const changed = new Set<Resource>();
  if (kind === 'write') changed.add(resource);
  else addAffectedByDelete(resource, changed);
  const isRead = (key: string): boolean => changed.has(all.get(key)!);
  const isStale = (one: Resource): boolean =>
    changed.has(one) ||
    (one.access?.read !== undefined && [...one.access.read.reads.keys()].some(isRead)) ||
    one.fields?.reads.some(([key]) => isRead(key)) === true ||
    (one.parent !== undefined && isStale(one.parent));
  return [...all.values()].filter(isStale).map(({ descriptor }) => descriptor.key);
}

/** Adds the resource and those whose rows are deleted, or lose a reference, along with its rows. */
function addAffectedByDelete(resource: Resource, into: Set<Resource>): void {
  if (into.has(resource)) return;
  into.add(resource);
  for (const { resource: referrer, onDelete } of resource.referrers) {
    if (onDelete === 'cascade') addAffectedByDelete(referrer, into);
    else if (onDelete === 'set-null') into.add(referrer);
  }
}
