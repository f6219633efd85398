export type { SqlDialect } from './dialect.ts';
export type { JobEntry, JobQueue, JobState } from './jobs.ts';
export type { DatabaseLocation } from './location.ts';
export { besideRows, readingFrom } from './reading-from.ts';
export { StandIn, standingIn, withOwnTables } from './stand-in.ts';
export type { Condition, Reader, Row, Store, StoredValue, Transaction } from './store.ts';
export { wallsOf } from './tenant-wall.ts';
