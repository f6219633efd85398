import { type MaybePromise, whenKnown } from '../../runtime/async/index.ts';
import { besideRows, type Reader, readingFrom, type Store, type Transaction } from '../../runtime/storage/index.ts';

/** A store of one of two servers, which says whose rows may have changed. */
export interface PairedStore extends Store {
  /** The number of reads outside of transactions that are not answered yet. */
  readonly reading: number;
  /** The number of writes tried on the rows of a resource, committed or not: nothing else changes them. */
  writes(resource: string): number;
}

/** Deleting a row may delete or change those that refer to it. */
const EVERY = '*';

/** The store with secrets that depend on their names alone, so that paired servers issue the same cursors. */
export function pairedStore(store: Store): PairedStore {
  const counts = new Map<string, number>();
  const countOf = (resource: string): number => counts.get(resource) ?? 0;
  const count = (resource: string): void => void counts.set(resource, countOf(resource) + 1);
  let reading = 0;
  const counted = <T>(answer: MaybePromise<T>): MaybePromise<T> => {
    if (!(answer instanceof Promise)) return answer;
    reading++;
    return answer.finally(() => reading--);
  };
  const countedFrom = (reader: Reader): Reader => readingFrom((read) => counted(read(reader)));
  return {
    get reading() {
      return reading;
    },
    hasRowLocks: store.hasRowLocks,
    hasEventsApart: store.hasEventsApart,
    history: store.history,
    reads: (position, scope) => whenKnown(store.reads(position, scope), countedFrom),
    within: (scope) => countedFrom(store.within(scope)),
    ofTenant: (tenant) => countedFrom(store.ofTenant(tenant)),
    ...countedFrom(store),
    transaction: (work, ...rest) => store.transaction((transaction) => work(counting(transaction, count)), ...rest),
    changesElsewhere: () => store.changesElsewhere(),
    deleteExpired: (...args) => store.deleteExpired(...args),
    keyOf: (resource) => store.keyOf(resource),
    snapshot: (work) => store.snapshot(work),
    clockMark: (atLeast) => store.clockMark(atLeast),
    jobs: store.jobs,
    ping: () => store.ping(),
    close: () => store.close(),
    secret: (name) => Buffer.from(name.padEnd(32, '.')).subarray(0, 32),
    writes: (resource) => countOf(resource) + countOf(EVERY),
  };
}

function counting(transaction: Transaction, count: (resource: string) => void): Transaction {
  return {
    ...besideRows(transaction),
    unlocked: transaction.unlocked,
    within: (scope) => counting(transaction.within(scope), count),
    whereReferred: (resource) => counting(transaction.whereReferred(resource), count),
    ...readingFrom((read) => read(transaction)),
    insert(resource, ...rest) {
      count(resource);
      return transaction.insert(resource, ...rest);
    },
    insertAll(resource, ...rest) {
      count(resource);
      return transaction.insertAll(resource, ...rest);
    },
    update(resource, ...rest) {
      count(resource);
      return transaction.update(resource, ...rest);
    },
    delete(...args) {
      count(EVERY);
      return transaction.delete(...args);
    },
    deleteEach(...args) {
      count(EVERY);
      return transaction.deleteEach(...args);
    },
  };
}
