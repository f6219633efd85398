import type { MaybePromise } from '../async/maybe-promise.ts';
import type { Reader, Transaction } from './store.ts';

/** Answers a read by that of some reader: `action` is its name, and `resource` the key of what it reads. */
type Answer = <T>(read: (reader: Reader) => MaybePromise<T>, action: keyof Reader, resource: string) => MaybePromise<T>;

/** A reader each of whose reads another one answers, whichever `from` gives it. */
export const readingFrom = (from: Answer): Reader => ({
  get: (...args) => from((reader) => reader.get(...args), 'get', args[0]),
  list: (query) => from((reader) => reader.list(query), 'list', query.resource),
  count: (...args) => from((reader) => reader.count(...args), 'count', args[0]),
  getEach: (...args) => from((reader) => reader.getEach(...args), 'getEach', args[0]),
  listEach: (query) => from((reader) => reader.listEach(query), 'listEach', query.resource),
  countEach: (group) => from((reader) => reader.countEach(group), 'countEach', group.resource),
  totals: (query) => from((reader) => reader.totals(query), 'totals', query.resource),
  meetEach: (...args) => from((reader) => reader.meetEach(...args), 'meetEach', args[0]),
});

/** What a transaction does that reads and writes no row, done by another one. */
export const besideRows = (
  transaction: Transaction,
): Omit<Transaction, keyof Reader | 'unlocked' | 'insert' | 'insertAll' | 'update' | 'delete' | 'deleteEach'> => ({
  jobs: transaction.jobs,
  within: (scope) => transaction.within(scope),
  whereReferred: (key) => transaction.whereReferred(key),
  deferReferences: () => transaction.deferReferences(),
  claim: (key) => transaction.claim(key),
  lock: (keys) => transaction.lock(keys),
  lockReferences: (...args) => transaction.lockReferences(...args),
  recall: (...args) => transaction.recall(...args),
  remember: (...args) => transaction.remember(...args),
  importOwnRows: (pages) => transaction.importOwnRows(pages),
});
