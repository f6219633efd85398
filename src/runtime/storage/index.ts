export type { SqlDialect } from './dialect.ts';
export type { DatabaseLocation } from './location.ts';
export { refuseMapped } from './mapped.ts';
export { besideRows, readingFrom } from './reading-from.ts';
export type { Condition, Reader, Row, Store, StoredValue, Transaction } from './store.ts';
export { wallsOf } from './tenant-wall.ts';
