import type { Action } from '../../../descriptor/resource.ts';
import { refuse } from '../../errors/api-error.ts';
import type { RowScope } from '../../storage/row-scope.ts';
import type { Isolation } from '../../storage/store.ts';
import { StoreError } from '../../storage/store-error.ts';
import { ChangeLog } from '../events/change-log.ts';
import type { ChangeNotification } from '../events/peers.ts';
import type { RowChange } from '../events/row-change.ts';
import type { Call, Caller, PathParams } from '../interface/call.ts';
import type { OverrideContext } from '../interface/untyped.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { emitting, heardOf } from './emitting.ts';
import { type Commit, committedBy, unlocked } from './isolation.ts';
import { inLockOrder, LockOrderError, type ParentLocks } from './lock-order.ts';
import { announceUnknownOutcome, tenantsIn } from './notices.ts';
import { hasOverride, type Runtime } from './runtime.ts';
import { sendJob } from './sending.ts';
import { type UnitOfWork, unitWithin } from './unit-of-work.ts';

/** The unit of work of one action, with the context that an override receives. */
export interface Change extends UnitOfWork {
  context(call: Call, current?: Values): OverrideContext;
  /** The same with the rows of another scope in reach. */
  within(scope: RowScope): Change;
  /**
   * Locks the rows of the path's ancestors, if the action's override uses them. The context is the one for that override.
   */
  withParents(resource: Resource, action: Action, params: PathParams): Promise<Change>;
}

/**
 * Runs a change in the transaction that its call joins, or else in one of its own: repeatedly if transactions conflict, and
 * what it did is published once it is committed. `scope`: whose rows it reaches, if not those that its caller's statements may.
 */
export async function inTransaction<T>(
  runtime: Runtime,
  { caller, joins }: Pick<Call, 'caller' | 'joins'>,
  commit: Commit,
  work: (change: Change) => Promise<T>,
  scope = runtime.tenancy?.scopeFor(caller.principal),
): Promise<T> {
  if (joins) return work(joins as Change);
  const reserving = runtime.ids.reserve();
  if (reserving) await reserving;
  const once = (isolation: Isolation) => attempt(runtime, caller, isolation, work, scope);
  if (commit === 'versioned') return unlocked(once);
  // Each action ends one attempt at most: a batch has several.
  for (;;)
    try {
      return await once(commit);
    } catch (error) {
      if (!(error instanceof LockOrderError)) throw error;
    }
}

/** Runs the work of an action in a transaction, which is committed as boot has decided for the action. */
export function committing<C extends Call, T>(
  runtime: Runtime,
  resource: Resource,
  action: Action,
  work: (change: Change, call: C) => Promise<T>,
): (call: C) => Promise<T> {
  const by = (commit: Commit) => (call: C) => inTransaction(runtime, call, commit, (change) => work(change, call));
  return committedBy(by, runtime, resource, action);
}

async function attempt<T>(
  runtime: Runtime,
  caller: Caller,
  isolation: Isolation,
  work: (change: Change) => Promise<T>,
  scope: RowScope | undefined,
): Promise<T> {
  const { principal, consistency } = caller;
  let log = new ChangeLog();
  const whole = runtime.consumes ? emitting(caller, work) : work;
  try {
    return await runtime.store.transaction(
      (transaction) => {
        log.place?.end();
        log = new ChangeLog(runtime.order?.place(), runtime.consumes ? heardOf(runtime, caller, isolation) : undefined);
        const begun = { transaction, principal, log, isAlone: isolation === 'single' };
        if (!runtime.lockOrder) return whole(changeIn(runtime, begun, []));
        const locks: ParentLocks[] = [];
        return inLockOrder(locks, () => whole(changeIn(runtime, begun, locks)), log.place);
      },
      isolation,
      {
        onCommit: () => {
          if (log.sent > 0 || log.outgoing?.isSent) runtime.jobs?.onSent();
          return publishInOrder(runtime, log);
        },
        onPosition: (position) => consistency?.committed(position, runtime.positions),
      },
      scope,
      caller,
    );
  } catch (error) {
    log.place?.end();
    if (error instanceof StoreError && error.failure.kind === 'unavailable') {
      void publish(runtime, log, []);
      announceUnknownOutcome(runtime, log);
    }
    throw error;
  }
}

/** Lists are out of date at once; events come behind those of the transactions that have changed the same rows before. */
function publishInOrder(runtime: Runtime, log: ChangeLog): Promise<void> | undefined {
  const all = () => publish(runtime, log, log.changes);
  if (!log.place || runtime.peers?.order) return all();
  return log.place.end(() => void all()) ? undefined : publish(runtime, log, []);
}

function publish(runtime: Runtime, log: ChangeLog, changes: readonly RowChange[]): Promise<void> | undefined {
  if (log.stale.size === 0) return undefined;
  const notification = { stale: [...log.stale], changes };
  if (!runtime.peers?.order) deliver(runtime, notification);
  return runtime.peers?.publish({ ...notification, tenants: tenantsIn(runtime, log, notification) }, log.place);
}

/** Applies what a transaction did, here or on another server: invalidates cached lists and notifies subscribers. */
export function deliver(
  { lists, events }: Pick<Runtime, 'lists' | 'events'>,
  { stale, changes }: ChangeNotification,
): void {
  lists?.changed(stale);
  if (events.isHeard) events.publish(changes);
}

type Begun = Pick<UnitOfWork, 'transaction' | 'principal' | 'log' | 'isAlone'>;

export function changeIn(runtime: Runtime, begun: Begun, locks: ParentLocks[]): Change {
  const { clock, ids, store } = runtime;
  const { maxDependants } = store;
  return changeOf(runtime, { ...begun, now: new Date(clock()), newId: ids.next, maxDependants }, locks);
}

export function changeOf(runtime: Runtime, unit: UnitOfWork, locks: ParentLocks[]): Change {
  const { lockOrder, tablesIn, asCallerIn } = runtime;
  const change: Change = {
    ...unit,
    context: ({ caller, params }, current) => ({
      caller,
      params,
      now: unit.now,
      store: tablesIn(() => unit),
      asCaller: asCallerIn(() => ({ unit, caller })),
      refuse,
      send: (...sent) => sendJob({ runtime, unit, requestId: caller.requestId }, ...sent),
      ...(current && { current }),
    }),
    within: (scope) => changeOf(runtime, unitWithin(unit, scope), locks),
    async withParents(resource, action, params) {
      if (!lockOrder || !resource.parent || !hasOverride(runtime, resource, action)) return change;
      const parents = lockOrder.of(resource, action);
      locks.push(parents);
      await parents.take(unit.transaction, params);
      return changeOf(runtime, { ...unit, onLock: parents.onLock }, locks);
    },
  };
  return change;
}
