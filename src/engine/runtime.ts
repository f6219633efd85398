import { authorize } from '../auth/authorize.ts';
import type { Action } from '../descriptor/resource.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Store, Transaction } from '../storage/store.ts';
import type { Call, Caller } from './call.ts';
import type { CursorCodec } from './cursor.ts';
import type { Resource } from './resource.ts';
import type { Values } from './row-codec.ts';
import { type AnyTables, tablesIn } from './tables.ts';

/** What an override is given, before types. */
export interface OverrideContext {
  readonly caller: Caller;
  readonly params: Readonly<Record<string, string>>;
  readonly now: Date;
  readonly store: AnyTables;
  readonly current?: Values;
}

export type Override = (
  payload: never,
  context: OverrideContext,
  next: (payload: never) => Promise<unknown>,
) => unknown;

/** What all actions share. */
export interface Runtime {
  readonly store: Store;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly overrides: Readonly<Record<string, { readonly [A in Action]?: Override } | undefined>>;
  readonly cursors: CursorCodec;
  readonly clock: () => Date;
  readonly newId: () => string;
}

/** Throws `METHOD_NOT_ALLOWED` when the contract lacks the action, else what `authorize` throws. */
export function authorizeAction({ descriptor }: Resource, action: Action, caller: Caller): void {
  const declared = descriptor.actions[action];
  if (!declared) throw new ApiError('METHOD_NOT_ALLOWED', { detail: `${descriptor.name} has no ${action}.` });
  authorize(declared.access, caller.principal);
}

/** One change: the transaction, its time, and the tables that an override sees. */
export interface Change {
  readonly transaction: Transaction;
  readonly now: Date;
  context(call: Call, current?: Values): OverrideContext;
}

/** Runs a change in a transaction. */
export function inTransaction<T>(runtime: Runtime, work: (change: Change) => Promise<T>): Promise<T> {
  return runtime.store.transaction((transaction) => work(changeIn(runtime, transaction)));
}

/** For an override of an action that reads: no transaction, and tables that refuse to write. */
export function readingOnly(runtime: Runtime): Change {
  return changeIn(runtime, readOnly(runtime.store));
}

function changeIn(runtime: Runtime, transaction: Transaction): Change {
  const now = runtime.clock();
  return {
    transaction,
    now,
    context: ({ caller, params }, current) => ({
      caller,
      params,
      now,
      store: tablesIn({ transaction, now, newId: runtime.newId }, runtime.resources),
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
    insert: refuse,
    update: refuse,
    delete: refuse,
  };
}
