import type { FilterOperator } from '../../descriptor/resource.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';

/**
 * A property as it is stored: `json` properties are JSON text, `int64` and `decimal` are digits,
 * `date-time` is RFC 3339 in UTC with milliseconds, booleans are 0 or 1.
 */
export type StoredValue = string | number | null;

/** One value per property of the resource, in the descriptor's order. */
export type Row = readonly StoredValue[];

/** A test on one property. `in` takes a list, every other operator one value; `eq` null finds NULL. */
export interface Condition {
  readonly property: string;
  readonly operator: FilterOperator;
  readonly value: StoredValue | readonly StoredValue[];
}

export interface OrderKey {
  readonly property: string;
  readonly direction: 'asc' | 'desc';
}

/** Which rows of one resource, in which order. NULL sorts below every value. */
export interface RowQuery {
  /** Key of the resource. */
  readonly resource: string;
  readonly conditions: readonly Condition[];
  /** Ends with a unique property, so that the order is total. */
  readonly order: readonly OrderKey[];
  /** Values of the order's properties in the last row of the page before. */
  readonly after?: readonly StoredValue[];
  readonly limit: number;
}

/** The first rows of each group: of those that share a value of `property`. */
export interface GroupQuery extends Omit<RowQuery, 'after'> {
  readonly property: string;
  readonly values: readonly string[];
}

export interface Reader {
  /** The row with this id that also meets the conditions. */
  get(resource: string, id: string, conditions?: readonly Condition[]): MaybePromise<Row | undefined>;
  list(query: RowQuery): MaybePromise<readonly Row[]>;
  count(resource: string, conditions: readonly Condition[]): MaybePromise<number>;
  /** The rows with these ids that also meet the conditions, in any order, by one statement. */
  getEach(resource: string, ids: readonly string[], conditions?: readonly Condition[]): MaybePromise<readonly Row[]>;
  /** For each value of a property what `list` answers for the rows that have it, by one statement. */
  listEach(query: GroupQuery): MaybePromise<readonly (readonly Row[])[]>;
  /** For each value of a property how many rows have it, by one statement. */
  countEach(group: Omit<GroupQuery, 'order' | 'limit'>): MaybePromise<readonly number[]>;
}

/**
 * Reads and writes that become visible together, or not at all. Rows that `get` and `list` have read do not change
 * before the end. Writes throw `StoreError`; one that does leaves a serial transaction as it was before, and a locking
 * one with nothing to do but to find out why.
 */
export interface Transaction extends Reader {
  /** Reads that keep nobody from changing what they read. */
  readonly unlocked: Reader;
  /** The row as it is kept: JSON may have its members in another order. */
  insert(resource: string, row: Row): MaybePromise<Row>;
  insertAll(resource: string, rows: readonly Row[]): MaybePromise<void>;
  /** Sets the properties named to what the row says, where the id is the row's; the row as it is kept. */
  update(resource: string, row: Row, changed: readonly string[]): MaybePromise<Row>;
  /** False when there is no such row. */
  delete(resource: string, id: string): MaybePromise<boolean>;
  /** Lets rows refer to what is not there yet, until the end. */
  deferReferences(): MaybePromise<void>;
  /** Reserves a key until the end; false when another transaction has it. */
  claim(key: string): MaybePromise<boolean>;
  /** What was remembered under a key and has not expired. */
  recall(key: string, now: Date): MaybePromise<string | undefined>;
  /** Keeps a text under a key that has none, until it expires. */
  remember(key: string, text: string, times: { readonly now: Date; readonly expires: Date }): MaybePromise<void>;
}

/**
 * `single`: one write, which is committed by itself; what is read before and after it may have changed between.
 * `locking`: alone with the rows that it reads and writes.
 * `serial`: also as if no other serial transaction ran at the same time.
 */
export type Isolation = 'single' | 'locking' | 'serial';

/** Where resources last. */
export interface Store extends Reader {
  /**
   * Commits when `work` resolves, rolls back when it throws. Runs it again when another transaction was in the way.
   * `locking` if left out.
   */
  transaction<T>(work: (transaction: Transaction) => MaybePromise<T>, isolation?: Isolation): Promise<T>;
  /** Throws when the database does not answer. */
  ping(): MaybePromise<void>;
  /** Counts what other processes have changed, as soon as they have; undefined when the database does not tell. */
  changesElsewhere(): number | undefined;
  /** A secret shared by all servers on this store, made on first use. */
  secret(name: string): MaybePromise<Uint8Array>;
  /** What the program itself keeps, to be kept elsewhere. */
  kept(): MaybePromise<Kept>;
  keep(kept: Kept): MaybePromise<void>;
  close(): MaybePromise<void>;
}

export interface Kept {
  /** In hexadecimal, by name. */
  readonly secrets: readonly (readonly [name: string, value: string])[];
  readonly remembered: readonly (readonly [key: string, text: string, expires: string])[];
}
