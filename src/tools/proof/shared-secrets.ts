import type { Store } from '../../runtime/storage/store.ts';

/** The store with secrets that depend on their names alone, so that paired servers issue the same cursors. */
export function withSharedSecrets(store: Store): Store {
  return {
    hasRowLocks: store.hasRowLocks,
    get: (...args) => store.get(...args),
    list: (query) => store.list(query),
    count: (...args) => store.count(...args),
    getEach: (...args) => store.getEach(...args),
    listEach: (query) => store.listEach(query),
    countEach: (group) => store.countEach(group),
    transaction: (...args) => store.transaction(...args),
    changesElsewhere: () => store.changesElsewhere(),
    deleteExpired: (...args) => store.deleteExpired(...args),
    exportInternalData: () => store.exportInternalData(),
    importInternalData: (data) => store.importInternalData(data),
    ping: () => store.ping(),
    close: () => store.close(),
    secret: (name) => Buffer.from(name.padEnd(32, '.')).subarray(0, 32),
  };
}
