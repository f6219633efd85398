import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import { besideRows, readingFrom } from '../storage/reading-from.ts';
import type { Reader, Store, Transaction } from '../storage/store.ts';
import type { Observer } from './observer.ts';

/** The store, with each statement observed under its action and resource. */
export function observedStore(store: Store, observer: Observer): Store {
  return {
    ...observedReader(store, observer),
    hasRowLocks: store.hasRowLocks,
    hasEventsApart: store.hasEventsApart,
    maxDependants: store.maxDependants,
    history: store.history,
    transaction: (work, isolation, ...rest) =>
      observer.observe({ kind: 'statement', action: 'transaction', subject: isolation ?? 'locking' }, () =>
        store.transaction((transaction) => work(observedTransaction(transaction, observer)), isolation, ...rest),
      ),
    reads: (...args) => whenKnown(store.reads(...args), (reader) => observedReader(reader, observer)),
    within: (...args) => observedReader(store.within(...args), observer),
    ofTenant: (tenant) => observedReader(store.ofTenant(tenant), observer),
    ...(store.replica && { replica: store.replica }),
    ...(store.connections && { connections: store.connections }),
    jobs: store.jobs,
    ping: () => store.ping(),
    changesElsewhere: () => store.changesElsewhere(),
    secret: (name) => store.secret(name),
    clockMark: (atLeast) => store.clockMark(atLeast),
    deleteExpired: (...args) =>
      observer.observe({ kind: 'statement', action: 'deleteExpired', subject: 'idempotency' }, () =>
        store.deleteExpired(...args),
      ),
    keyOf: (resource) => store.keyOf(resource),
    snapshot: (work) => store.snapshot(work),
    close: () => store.close(),
  };
}

type Observe = <T>(action: string, subject: string, work: () => MaybePromise<T>) => MaybePromise<T>;

const observing =
  (observer: Observer): Observe =>
  (action, subject, work) =>
    observer.observe({ kind: 'statement', action, subject }, work);

function observedReader(reader: Reader, observer: Observer): Reader {
  const observe = observing(observer);
  return readingFrom((read, action, resource) => observe(action, resource, () => read(reader)));
}

function observedTransaction(transaction: Transaction, observer: Observer): Transaction {
  const observe = observing(observer);
  const subject = 'idempotency';
  return {
    ...besideRows(transaction),
    ...observedReader(transaction, observer),
    unlocked: observedReader(transaction.unlocked, observer),
    within: (scope) => observedTransaction(transaction.within(scope), observer),
    whereReferred: (resource) => observedTransaction(transaction.whereReferred(resource), observer),
    insert: (resource, ...rest) => observe('insert', resource, () => transaction.insert(resource, ...rest)),
    insertAll: (resource, ...rest) => observe('insertAll', resource, () => transaction.insertAll(resource, ...rest)),
    update: (resource, ...rest) => observe('update', resource, () => transaction.update(resource, ...rest)),
    delete: (resource, ...rest) => observe('delete', resource, () => transaction.delete(resource, ...rest)),
    deleteEach: (resource, ...rest) => observe('deleteEach', resource, () => transaction.deleteEach(resource, ...rest)),
    lockReferences: (resource, ...rest) =>
      observe('lock', resource, () => transaction.lockReferences(resource, ...rest)),
    claim: (key) => observe('claim', subject, () => transaction.claim(key)),
    lock: (keys) => observe('lock', subject, () => transaction.lock(keys)),
    recall: (...args) => observe('recall', subject, () => transaction.recall(...args)),
    remember: (...args) => observe('remember', subject, () => transaction.remember(...args)),
  };
}
