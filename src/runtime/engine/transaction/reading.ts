import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { readingFrom } from '../../storage/reading-from.ts';
import type { RowScope } from '../../storage/row-scope.ts';
import type { Reader, Transaction } from '../../storage/store.ts';
import { ChangeLog } from '../events/change-log.ts';
import type { Call, Caller } from '../interface/call.ts';
import { ANY_MOMENT, type Moment } from '../interface/consistency.ts';
import { type Change, changeIn } from './in-transaction.ts';
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

/** For code that answers reads: without a transaction, and tables refuse writes. */
export function readingOnly(runtime: Runtime, caller: Caller, reader: Reader): Change {
  const within = (scope: RowScope): Transaction =>
    readOnly(
      readingFrom((read) => whenKnown(readerFor(runtime, caller, scope), read)),
      within,
    );
  const begun = { transaction: readOnly(reader, within), principal: undefined, log: new ChangeLog() };
  return changeIn(runtime, begun, []);
}

function readOnly(store: Reader, within: Transaction['within']): Transaction {
  const refuse = (): never => {
    throw new Error('The store of a read-only operation does not accept writes.');
  };
  return {
    ...readingFrom((read) => read(store)),
    unlocked: store,
    within,
    whereReferred: refuse,
    insert: refuse,
    insertAll: refuse,
    update: refuse,
    delete: refuse,
    deleteEach: refuse,
    deferReferences: refuse,
    claim: refuse,
    recall: refuse,
    remember: refuse,
    importInternalData: refuse,
  };
}
