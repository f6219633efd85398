import type { Resource } from './resource.ts';

/** Keys of the resources whose lists may show another thing after a row was written, or deleted. */
export function staleAfter(
  resource: Resource,
  kind: 'write' | 'delete',
  all: ReadonlyMap<string, Resource>,
): readonly string[] {
  const changed = new Set<Resource>();
  if (kind === 'write') changed.add(resource);
  else addReleased(resource, changed);
  const isStale = (one: Resource): boolean => changed.has(one) || (one.parent !== undefined && isStale(one.parent));
  return [...all.values()].filter(isStale).map(({ descriptor }) => descriptor.key);
}

/** The resource and those whose rows go with its rows, or lose what they refer to. */
function addReleased(resource: Resource, into: Set<Resource>): void {
  if (into.has(resource)) return;
  into.add(resource);
  for (const { resource: referrer, onDelete } of resource.referrers) {
    if (onDelete === 'cascade') addReleased(referrer, into);
    else if (onDelete === 'set-null') into.add(referrer);
  }
}
