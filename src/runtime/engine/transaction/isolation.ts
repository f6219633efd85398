import type { Action } from '../../../descriptor/resource.ts';
import { RowAltered } from '../../storage/jobs.ts';
import type { Isolation } from '../../storage/store.ts';
import { isTenantAbove } from '../events/above.ts';
import type { Resource } from '../resource/resource.ts';
import { hasOverride, type Runtime } from './runtime.ts';

/** How a write is committed. `versioned`: by itself, without a lock, at the version that was read; `locking` where others change the row. */
export type Commit = Isolation | 'versioned';

/**
 * How an action of a resource is committed. An override may rely on anything it reads, which takes serializable isolation;
 * the engine locks the rows it relies on. A write that nothing else takes back, or decides about, is committed by itself.
 */
export function commitOf(runtime: Runtime, resource: Resource, action: Action): Commit {
  if (hasOverride(runtime, resource, action)) return 'serial';
  // Triggers and constraints of others may do more than write the row, and a version that is a hash cannot be compared.
  if (resource.descriptor.mapped) return 'locking';
  if (action === 'delete' || !isHeardAlone(runtime, resource, action)) return 'locking';
  if (action === 'create') return isTakenBack(resource) ? 'locking' : 'single';
  return runtime.store.hasRowLocks && isUnruled(resource) ? 'versioned' : 'locking';
}

/** Whether the event of a change is known before the row is written, and written along with it. */
function isHeardAlone({ store }: Runtime, resource: Resource, action: Action): boolean {
  const { consumed, idMaker } = resource;
  if (!consumed?.[action === 'create' ? 'created' : 'updated']) return true;
  const isIdKnown = action !== 'create' || idMaker !== 'database';
  return !store.hasEventsApart && isIdKnown && !isTenantAbove(resource);
}

/** Whether a new row may turn out to be one that its caller may not create, or that is published by what another has. */
const isTakenBack = (resource: Resource): boolean =>
  resource.access?.create !== undefined || resource.fields !== undefined || !isPublishedAlone(resource);

/** How often a row that others change is read anew before it is locked. */
const MAX_UNLOCKED = 3;

/** A row that was read without its lock has been changed since. */
export class RowChanged extends Error {}

/** An action as boot has decided how it is committed, until the database changes a row of which there is an event. */
export function committedBy<C, T>(
  by: (commit: Commit) => (call: C) => Promise<T>,
  ...[runtime, resource, action]: Parameters<typeof commitOf>
): (call: C) => Promise<T> {
  let run = by(commitOf(runtime, resource, action));
  if (!resource.consumed) return run;
  return (call) =>
    run(call).catch((error: unknown) => {
      if (!(error instanceof RowAltered)) throw error;
      run = by('locking');
      return run(call);
    });
}

/** Whether nothing but a row itself decides about a change of it. */
const isUnruled = (resource: Resource): boolean =>
  !resource.access && !resource.fields && resource.bound.length === 0 && isPublishedAlone(resource);

/** Whether a change of a row is published without a read of another row, which may fail when the change is committed already. */
function isPublishedAlone(resource: Resource): boolean {
  const { isWatched, filter, parent, watchers } = resource;
  const readsAncestors = isWatched && !filter.isRuled && parent?.filter.isOpen === false;
  return !readsAncestors && !(watchers.length > 0 && isTenantAbove(resource));
}

/** Changes a row without its lock, and with it where others change it as well. */
export async function unlocked<T>(change: (isolation: Isolation) => Promise<T>): Promise<T> {
  for (let i = 0; i < MAX_UNLOCKED; i++) {
    try {
      return await change('single');
    } catch (error) {
      if (!(error instanceof RowChanged)) throw error;
    }
  }
  return change('locking');
}
