import type { Action } from '../../../descriptor/resource.ts';
import { authorize } from '../../auth/authorize.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Isolation, Reader, Store, Transaction } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { ChangeLog, type Watched } from '../events/change-log.ts';
import type { ChangeNotification, Peers } from '../events/peers.ts';
import type { EventBus, RowChange } from '../events/row-change.ts';
import type { Call, Caller } from '../interface/call.ts';
import type { Override, OverrideContext } from '../interface/untyped.ts';
import type { CursorCodec } from '../lists/cursor.ts';
import type { ListCache } from '../lists/list-cache.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { tablesIn } from './tables.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/**
 * An override may rely on anything it reads, which takes serializable isolation; the engine locks the rows it relies
 * on.
 */
export function isolationOf({ overrides }: Runtime, { descriptor }: Resource, action: Action): Isolation {
  return overrides[descriptor.key]?.[action] ? 'serial' : 'locking';
}

/** What all actions of an engine share. */
export interface Runtime {
  readonly store: Store;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly overrides: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>>;
  readonly cursors: CursorCodec;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly events: EventBus;
  readonly watched: Watched;
  /** Events that may be queued for one subscriber. */
  readonly maxQueuedEvents: number;
  /**
   * Idempotency keys of the creates in progress on this server, so that it can refuse a second one without asking the
   * store.
   */
  readonly inFlight: Set<string>;
  /** Undefined when lists are not cached. */
  readonly lists: ListCache | undefined;
  /** Undefined when there are no other servers, or no way to reach them. */
  readonly peers: Peers | undefined;
}

/** Throws `METHOD_NOT_ALLOWED` when the contract does not declare the action, and what `authorize` throws. */
export function authorizeAction({ descriptor }: Resource, action: Action, caller: Caller): void {
  const declared = descriptor.actions[action];
  if (!declared) throw new ApiError('METHOD_NOT_ALLOWED', { detail: `${descriptor.name} has no ${action}.` });
  authorize(declared.access, caller.principal);
}

/** The unit of work of one action, with the context that an override receives. */
export interface Change extends UnitOfWork {
  context(call: Call, current?: Values): OverrideContext;
}

/**
 * Runs a change in a transaction, repeatedly if transactions conflict, and publishes what it did once it is committed.
 */
export async function inTransaction<T>(
  runtime: Runtime,
  isolation: Isolation,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  let log = new ChangeLog(runtime.watched);
  try {
    const result = await runtime.store.transaction((transaction) => {
      log = new ChangeLog(runtime.watched);
      return work(changeIn(runtime, transaction, log));
    }, isolation);
    publish(runtime, log.stale, log.changes);
    return result;
  } catch (error) {
    if (error instanceof StoreError && error.failure.kind === 'unavailable') publishUnknownOutcome(runtime, log);
    throw error;
  }
}

/** The transaction may have been committed, and only the database's answer lost. */
function publishUnknownOutcome(runtime: Runtime, { stale, changes }: ChangeLog): void {
  publish(runtime, stale, []);
  if (changes.length === 0) return;
  runtime.events.announceMissedEvents();
  runtime.peers?.announceMissedEvents();
}

function publish(runtime: Runtime, stale: ReadonlySet<string>, changes: readonly RowChange[]): void {
  if (stale.size === 0) return;
  const notification = { stale: [...stale], changes };
  deliver(runtime, notification);
  runtime.peers?.publish(notification);
}

/** Applies what a transaction did, here or on another server: invalidates cached lists and notifies subscribers. */
export function deliver(
  { lists, events }: Pick<Runtime, 'lists' | 'events'>,
  { stale, changes }: ChangeNotification,
): void {
  lists?.changed(stale);
  events.publish(changes);
}

/** For overrides of reading actions: there is no transaction, and tables refuse writes. */
export function readingOnly(runtime: Runtime): Change {
  return changeIn(runtime, readOnly(runtime.store), new ChangeLog(runtime.watched));
}

function changeIn({ clock, newId, resources }: Runtime, transaction: Transaction, log: ChangeLog): Change {
  const unit: UnitOfWork = { transaction, now: clock(), newId, log };
  return {
    ...unit,
    context: ({ caller, params }, current) => ({
      caller,
      params,
      now: unit.now,
      store: tablesIn(unit, resources),
      ...(current && { current }),
    }),
  };
}

function readOnly(store: Store): Transaction {
  const refuse = (): never => {
    throw new Error('The store of a read-only operation does not accept writes.');
  };
  return {
    get: (...args) => store.get(...args),
    list: (query) => store.list(query),
    count: (...args) => store.count(...args),
    getEach: (...args) => store.getEach(...args),
    listEach: (query) => store.listEach(query),
    countEach: (query) => store.countEach(query),
    get unlocked(): Reader {
      return store;
    },
    insert: refuse,
    insertAll: refuse,
    update: refuse,
    delete: refuse,
    deferReferences: refuse,
    claim: refuse,
    recall: refuse,
    remember: refuse,
  };
}
