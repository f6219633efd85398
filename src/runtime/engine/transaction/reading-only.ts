import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { readingFrom } from '../../storage/reading-from.ts';
import type { RowScope } from '../../storage/row-scope.ts';
import type { Reader, Transaction } from '../../storage/store.ts';
import { ChangeLog } from '../events/change-log.ts';
import type { Caller } from '../interface/call.ts';
import { type Change, changeIn } from './in-transaction.ts';
import { readerFor } from './reading.ts';
import type { Runtime } from './runtime.ts';

/**
 * For code that answers reads: without a transaction, and tables refuse writes. `readerIn`: where it reads other rows than
 * the reader's.
 */
export function readingOnly(
  runtime: Runtime,
  caller: Caller,
  reader: Reader,
  readerIn = (scope: RowScope): MaybePromise<Reader> => readerFor(runtime, caller, scope),
): Change {
  const within = (scope: RowScope): Transaction =>
    readOnly(
      readingFrom((read) => whenKnown(readerIn(scope), read)),
      within,
    );
  const begun = { transaction: readOnly(reader, within), principal: caller.principal, log: new ChangeLog() };
  return changeIn(runtime, begun, []);
}

function readOnly(store: Reader, within: Transaction['within']): Transaction {
  const refuse = (): never => {
    throw new Error('This `store` only reads: write in an operation that does, or in a `transaction`.');
  };
  const refuseJobs = (): never => {
    throw new Error('A read-only operation sends no jobs: send them in one that writes, or in a `transaction`.');
  };
  return {
    ...readingFrom((read) => read(store)),
    unlocked: store,
    jobs: { send: refuseJobs, emit: refuse, hold: refuse, complete: refuse },
    within,
    whereReferred: refuse,
    insert: refuse,
    insertAll: refuse,
    update: refuse,
    lockReferences: refuse,
    delete: refuse,
    deleteEach: refuse,
    deferReferences: refuse,
    claim: refuse,
    lock: refuse,
    recall: refuse,
    remember: refuse,
    importOwnRows: refuse,
  };
}
