import { type MaybePromise, whenKnown } from '../async/maybe-promise.ts';
import type { Condition, Reader, Row, Transaction } from './store.ts';
import { StoreError } from './store-error.ts';
import type { TenantWall } from './tenant-wall.ts';

type Query = { readonly resource: string; readonly conditions: readonly Condition[] };

/** A reader whose statements stay behind a wall; itself where there is none. */
export function walledReader(reader: Reader, wall: TenantWall | undefined): Reader {
  if (!wall) return reader;
  const own = <Q extends Query>(query: Q): Q => ({
    ...query,
    conditions: wall.within(query.resource, query.conditions),
  });
  return {
    get: (key, id, conditions, property) => reader.get(key, id, wall.within(key, conditions), property),
    list: (query) => reader.list(own(query)),
    count: (key, conditions, most) => reader.count(key, wall.within(key, conditions), most),
    getEach: (key, ids, conditions) => reader.getEach(key, ids, wall.within(key, conditions)),
    listEach: (query) => reader.listEach(own(query)),
    countEach: (group) => reader.countEach(own(group)),
    meetEach: (key, rows, conditions) => reader.meetEach(key, rows, wall.within(key, conditions)),
  };
}

/** The same for a transaction, which writes no row that refers to one beyond the wall. */
export function walledTransaction(transaction: Transaction, wall: TenantWall | undefined): Transaction {
  if (!wall) return transaction;
  const checked = <T>(key: string, row: Row, write: () => MaybePromise<T>, changed?: readonly string[]) => {
    const conditions = wall.ofReferences(key, row, changed);
    if (conditions.length === 0) return write();
    return whenKnown(transaction.unlocked.meetEach(key, [row], conditions), ([meets]) => {
      if (meets) return write();
      throw new StoreError({ kind: 'reference' }, new Error('it belongs to another tenant, or refers to one'));
    });
  };
  return {
    ...walledReader(transaction, wall),
    unlocked: walledReader(transaction.unlocked, wall),
    within: (scope) => transaction.within(scope),
    insert: (key, row) => checked(key, row, () => transaction.insert(key, row)),
    async insertAll(key, rows) {
      for (const row of rows) await this.insert(key, row);
    },
    update: (key, row, changed) =>
      checked(key, row, () => transaction.update(key, row, changed, wall.within(key)), changed),
    delete: (key, id) => transaction.delete(key, id, wall.within(key)),
    deleteEach: (key, ids) => transaction.deleteEach(key, ids, wall.within(key)),
    deferReferences: () => transaction.deferReferences(),
    claim: (key) => transaction.claim(key),
    recall: (key, now) => transaction.recall(key, now),
    remember: (key, text, expires) => transaction.remember(key, text, expires),
    importInternalData: (data) => transaction.importInternalData(data),
  };
}
