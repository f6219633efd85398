import type { Action } from '../../../descriptor/resource.ts';
import { authorize } from '../../auth/authorize.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Isolation, Reader, Store, Transaction } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { ChangeLog, type Watched } from '../events/change-log.ts';
import type { News, Peers } from '../events/peers.ts';
import type { EventBus, RowChange } from '../events/row-change.ts';
import type { Call, Caller } from '../interface/call.ts';
import type { Override, OverrideContext } from '../interface/untyped.ts';
import type { CursorCodec } from '../lists/cursor.ts';
import type { ListCache } from '../lists/list-cache.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { tablesIn } from './tables.ts';
import type { Work } from './work.ts';

/** Code may read what it likes and rely on it; what the engine itself relies on, it reads with locks. */
export function isolationOf({ overrides }: Runtime, { descriptor }: Resource, action: Action): Isolation {
  return overrides[descriptor.key]?.[action] ? 'serial' : 'locking';
}

/** What all actions share. */
export interface Runtime {
  readonly store: Store;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly overrides: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>>;
  readonly cursors: CursorCodec;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly events: EventBus;
  readonly watched: Watched;
  /** Events that may wait for one subscriber. */
  readonly maxQueuedEvents: number;
  /** Keys of the creates in progress on this server, which knows without asking the store. */
  readonly inFlight: Set<string>;
  /** Undefined: every list is read. */
  readonly lists: ListCache | undefined;
  /** Undefined: there are no other servers, or none that can be told. */
  readonly peers: Peers | undefined;
}

/** Throws `METHOD_NOT_ALLOWED` when the contract lacks the action, else what `authorize` throws. */
export function authorizeAction({ descriptor }: Resource, action: Action, caller: Caller): void {
  const declared = descriptor.actions[action];
  if (!declared) throw new ApiError('METHOD_NOT_ALLOWED', { detail: `${descriptor.name} has no ${action}.` });
  authorize(declared.access, caller.principal);
}

/** One change: the transaction, its time, what it does to rows, and the tables that an override sees. */
export interface Change extends Work {
  context(call: Call, current?: Values): OverrideContext;
}

/** Runs a change in a transaction, again if need be, and tells of what it did once that is committed. */
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
    tell(runtime, log.stale, log.changes);
    return result;
  } catch (error) {
    if (error instanceof StoreError && error.failure.kind === 'unavailable') tellOfDoubt(runtime, log);
    throw error;
  }
}

/** Perhaps it was committed, and only the answer was lost. */
function tellOfDoubt(runtime: Runtime, { stale, changes }: ChangeLog): void {
  tell(runtime, stale, []);
  if (changes.length === 0) return;
  runtime.events.gap();
  runtime.peers?.gap();
}

function tell(runtime: Runtime, stale: ReadonlySet<string>, changes: readonly RowChange[]): void {
  if (stale.size === 0) return;
  const news = { stale: [...stale], changes };
  takeIn(runtime, news);
  runtime.peers?.tell(news);
}

/** What a transaction did, here or on another server: lists are read anew, and subscribers told. */
export function takeIn({ lists, events }: Pick<Runtime, 'lists' | 'events'>, { stale, changes }: News): void {
  lists?.changed(stale);
  events.publish(changes);
}

/** For an override of an action that reads: no transaction, and tables that refuse to write. */
export function readingOnly(runtime: Runtime): Change {
  return changeIn(runtime, readOnly(runtime.store), new ChangeLog(runtime.watched));
}

function changeIn({ clock, newId, resources }: Runtime, transaction: Transaction, log: ChangeLog): Change {
  const work: Work = { transaction, now: clock(), newId, log };
  return {
    ...work,
    context: ({ caller, params }, current) => ({
      caller,
      params,
      now: work.now,
      store: tablesIn(work, resources),
      ...(current && { current }),
    }),
  };
}

function readOnly(store: Store): Transaction {
  const refuse = (): never => {
    throw new Error('This operation only reads: its store takes no writes.');
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
