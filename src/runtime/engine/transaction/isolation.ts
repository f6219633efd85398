import type { Resource } from '../resource/resource.ts';

/** How often a row that others change is read anew before it is locked. */
const MAX_UNLOCKED = 3;

/** A row that was read without its lock has been changed since. */
export class RowChanged extends Error {}

/** Whether nothing but a row itself decides about a change of it. */
export const isUnruled = (resource: Resource): boolean =>
  !resource.access && !resource.fields && resource.bound.length === 0 && isPublishedAlone(resource);

/** Whether a change of a row is published without reading another, which may fail when the change is committed already. */
export function isPublishedAlone({ isWatched, filter, parent, watchers, tenancy }: Resource): boolean {
  const readsAncestors = isWatched && !filter.isRuled && parent?.filter.isOpen === false;
  const readsTenant = watchers.length > 0 && !tenancy && parent?.levels.some((level) => level.tenancy) === true;
  return !readsAncestors && !readsTenant;
}

/** Changes a row without its lock, and with it where others change it as well. */
export async function unlocked<T>(change: () => Promise<T>, locked: () => Promise<T>): Promise<T> {
  for (let i = 0; i < MAX_UNLOCKED; i++) {
    try {
      return await change();
    } catch (error) {
      if (!(error instanceof RowChanged)) throw error;
    }
  }
  return locked();
}
