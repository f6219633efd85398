import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Reader } from '../../storage/store.ts';
import type { Call, Caller } from '../interface/call.ts';
import { ANY_MOMENT, type Moment } from '../interface/consistency.ts';
import type { Change } from './in-transaction.ts';
import type { Runtime } from './runtime.ts';

/** What the caller must see. */
export const momentOf = ({ positions }: Runtime, { consistency }: Caller): Moment =>
  consistency?.momentIn(positions) ?? ANY_MOMENT;

/** Where a call that changes nothing reads. What changes something reads in its transaction, or from the store itself. */
export const readerFor = (
  runtime: Runtime,
  caller: Caller,
  scope = runtime.tenancy?.scopeFor(caller.principal),
): MaybePromise<Reader> => runtime.store.reads(momentOf(runtime, caller).position, scope, caller);

/** Reads for a change, before its own transaction: from the store itself, which knows all commits. */
export function currentReader({ store, tenancy }: Runtime, { caller, joins }: Call): Reader {
  if (joins) return (joins as Change).transaction.unlocked;
  return tenancy ? store.within(tenancy.scopeFor(caller.principal), caller) : store;
}
