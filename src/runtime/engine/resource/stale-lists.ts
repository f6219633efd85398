import { lookUp } from '../../../descriptor/look-up.ts';
import { takenAlong } from './deletes.ts';
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
  else
    for (const deleted of takenAlong(resource)) {
      changed.add(deleted);
      for (const referrer of deleted.referrers) if (referrer.onDelete === 'set-null') changed.add(referrer.resource);
    }
  const isRead = (key: string): boolean => changed.has(lookUp(all, key));
  const isStale = (one: Resource): boolean =>
    changed.has(one) ||
    (one.access?.read !== undefined && [...one.access.read.reads.keys()].some(isRead)) ||
    one.fields?.reads.some(([key]) => isRead(key)) === true ||
    (one.parent !== undefined && isStale(one.parent));
  return [...all.values()].filter(isStale).map(({ descriptor }) => descriptor.key);
}
