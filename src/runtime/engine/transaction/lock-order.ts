import type { Action } from '../../../descriptor/resource.ts';
import type { Transaction } from '../../storage/store.ts';
import { parentId } from '../access/find.ts';
import type { Place } from '../events/row-order.ts';
import type { PathParams } from '../interface/call.ts';
import type { Resource } from '../resource/resource.ts';

/** Ends an attempt whose action needs its parents locked first. The transaction begins anew. */
export class LockOrderError extends Error {}

/** Which row an action locks before the row that it changes. */
export interface ParentLocks {
  /** Locks the rows of the path's ancestors, the topmost first, if the action is known to use one of them. */
  take(transaction: Transaction, params: PathParams): Promise<void>;
  /** To be called before an override locks rows of a resource. Throws `LockOrderError` for a parent not locked before. */
  readonly onLock: (locked: Resource) => void;
  /** What `onLock` has thrown, also when the override caught it. */
  readonly error: LockOrderError | undefined;
}

/**
 * The order in which the rows of a parent and its children are locked: parents first, because an action of the parent
 * locks its children after it, and two transactions that lock the same rows in different orders wait for each other.
 * Most actions of a child leave its parent alone, and lock no more than the child. Those whose override uses the parent's
 * row are noticed when they first do: that attempt ends, and from then on the action locks the parent first.
 */
export class LockOrder {
  readonly #parentsFirst = new Set<string>();

  of(resource: Resource, action: Action): ParentLocks {
    const name = `${resource.descriptor.key}.${action}`;
    const isParentFirst = this.#parentsFirst.has(name);
    const locks = {
      error: undefined as LockOrderError | undefined,
      take: async (transaction: Transaction, params: PathParams): Promise<void> => {
        if (isParentFirst) await lockAbove(transaction, resource, params);
      },
      onLock: (locked: Resource): void => {
        if (isParentFirst || locked === resource || !resource.levels.includes(locked)) return;
        this.#parentsFirst.add(name);
        locks.error = new LockOrderError(`${name} uses rows of ${locked.descriptor.key}: they are locked first.`);
        throw locks.error;
      },
    };
    return locks;
  }
}

/** Nothing is committed in another order, whatever an override made of the error, nor before other workers know its `place`. */
export async function inLockOrder<T>(locks: readonly ParentLocks[], work: () => Promise<T>, place?: Place): Promise<T> {
  const fault = () => locks.find(({ error }) => error)?.error;
  const result = await work().catch((error) => {
    throw fault() ?? error;
  });
  const broken = fault();
  if (broken) throw broken;
  await place?.taken?.();
  return result;
}

/** The topmost first. */
async function lockAbove(transaction: Transaction, child: Resource, params: PathParams): Promise<void> {
  const { parent } = child;
  if (!parent) return;
  await lockAbove(transaction, parent, params);
  await transaction.get(parent.descriptor.key, parentId(child, params));
}
