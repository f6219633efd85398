import type { FilterOperator, Id } from '../../descriptor/resource.ts';
import type { Grouping, Measure } from '../../descriptor/totals.ts';
import type { MaybePromise } from '../async/maybe-promise.ts';
import type { TurnTaker } from '../async/turns.ts';
import type { JobQueue, JobWrites, NewEvent } from './jobs.ts';
import type { RowScope } from './row-scope.ts';

export type { TurnTaker } from '../async/turns.ts';

/**
 * A property as it is stored: `json` properties are JSON text, `int64` and `decimal` are digits,
 * `date-time` is RFC 3339 in UTC with milliseconds, booleans are 0 or 1.
 */
export type StoredValue = string | number | null;

/** One value per property of the resource, in the descriptor's order. */
export type Row = readonly StoredValue[];

/** A test on one property. `in` takes a list, every other operator one value; `eq` null finds NULL. */
export interface Comparison {
  readonly kind?: undefined;
  readonly property: string;
  /**
   * `search` is on all properties that the list is searched by, and takes what is asked for as one text (`askedText`).
   * `each` is the value of a group, and takes an empty list.
   */
  readonly operator: FilterOperator | 'search' | 'each';
  readonly value: StoredValue | readonly StoredValue[];
}

/** Holds for the rows for which a comparison does not: also for those that have NULL where it looks. */
interface Negation {
  readonly kind: 'not';
  readonly comparison: Comparison;
}

/**
 * Holds where each of its conditions does, or at least one; `all` of none holds for every row, `any` of none for no
 * row.
 */
interface Combination {
  readonly kind: 'all' | 'any';
  readonly conditions: readonly Condition[];
}

/**
 * Holds for a row whose `property` is the `relatedProperty` of a row of another resource that meets the conditions;
 * `isNone`: for one that no such row is related to.
 */
export interface Relation {
  readonly kind: 'related';
  readonly property: string;
  /** Key of the other resource. */
  readonly resource: string;
  readonly relatedProperty: string;
  readonly conditions: readonly Condition[];
  readonly isNone: boolean;
  /** The related rows may be most of their table: nothing of the caller's is in them. */
  readonly isBroad?: boolean;
}

/** A test on a row: it holds or it does not, also where it compares with NULL. */
export type Condition = Comparison | Negation | Combination | Relation;

export interface OrderKey {
  readonly property: string;
  readonly direction: 'asc' | 'desc';
}

/** Selects and orders rows of one resource. NULL sorts below every value. */
export interface RowQuery {
  /** Key of the resource. */
  readonly resource: string;
  readonly conditions: readonly Condition[];
  /** The last property is unique, which makes the order total. */
  readonly order: readonly OrderKey[];
  /** The values that the order's properties have in the last row of the previous page. */
  readonly after?: readonly StoredValue[];
  readonly limit: number;
  /** What is read of each row beside the properties of the order: others are null. The whole row if left out. */
  readonly columns?: Columns | undefined;
}

/** Some of the properties of a resource. */
export interface Columns {
  readonly names: ReadonlySet<string>;
  /** The same for equal names: such queries share their statements. */
  readonly shape: string;
}

/** Groups of rows, each of those with the same value of `property`. */
export interface RowGroups {
  readonly property: string;
  readonly values: readonly Id[];
  /** Key of the resource that has the property, where it is another: a condition leads to it, and compares with `each`. */
  readonly through?: string | undefined;
}

/** Selects the first rows of each group. */
export interface GroupQuery extends Omit<RowQuery, 'after'>, RowGroups {}

/** Selects the rows of each group that are counted. */
export interface CountQuery extends Omit<GroupQuery, 'order' | 'limit'> {
  /** No more than this many in each group are counted; all if left out. */
  readonly most?: number | undefined;
}

/** Selects groups of the rows that meet the conditions, and computes measures of each. */
export interface TotalsQuery {
  readonly resource: string;
  readonly conditions: readonly Condition[];
  /** Without any, all rows are one group. */
  readonly groups: readonly Grouping[];
  readonly measures: readonly Measure[];
  /** Positions among the groups, then the measures. Ties go by the groups. */
  readonly order: readonly { readonly position: number; readonly direction: 'asc' | 'desc' }[];
  /** The offsets of local time in the periods of times, in order; empty for UTC. */
  readonly offsets: readonly ZoneOffset[];
  readonly limit: number;
}

/** An offset of local time from UTC. */
export interface ZoneOffset {
  /** The first instant at which it holds, in RFC 3339; the first offset holds before, too. */
  readonly from: string;
  readonly seconds: number;
}

export interface Reader {
  /**
   * The row with this id, or this value of another unique property, that also meets the conditions. `columns`: what is read
   * of it, all others are null; the whole row if left out.
   */
  get(
    resource: string,
    id: Id,
    conditions?: readonly Condition[],
    property?: string,
    columns?: Columns,
  ): MaybePromise<Row | undefined>;
  list(query: RowQuery): MaybePromise<readonly Row[]>;
  /** The number of rows that meet the conditions, up to `most`; all if left out. */
  count(resource: string, conditions: readonly Condition[], most?: number): MaybePromise<number>;
  /** The rows with these ids that also meet the conditions, in any order, by one statement; `columns` as of `get`. */
  getEach(
    resource: string,
    ids: readonly Id[],
    conditions?: readonly Condition[],
    columns?: Columns,
  ): MaybePromise<readonly Row[]>;
  /** For each value of a property, the rows with that value that `list` would return; by one statement. */
  listEach(query: GroupQuery): MaybePromise<readonly (readonly Row[])[]>;
  /** For each value of a property, the number of rows with that value, up to `most`; by one statement. */
  countEach(group: CountQuery): MaybePromise<readonly number[]>;
  /** The values of each group: those that it is made by, then its measures. Sums and averages are exact digits. */
  totals(query: TotalsQuery): MaybePromise<readonly (readonly StoredValue[])[]>;
  /**
   * Which of these rows meet the conditions by the values given here, whether they are stored or not, beside the other rows
   * as they are stored; by one statement.
   */
  meetEach(resource: string, rows: readonly Row[], conditions: readonly Condition[]): MaybePromise<readonly boolean[]>;
}

/**
 * Reads and writes that become visible together, or not at all. Rows that `get` and `list` have read cannot change
 * before the transaction ends. Writes throw `StoreError`. After that, a serial transaction can go on as if the write
 * had not been tried; a locking one can only read, to find out why, and must end.
 */
export interface Transaction extends Reader {
  /** Reads that take no locks. */
  readonly unlocked: Reader;
  readonly jobs: JobWrites;
  /** The same transaction with the rows of another scope in reach. */
  within(scope: RowScope): Transaction;
  /**
   * The same transaction with all rows in reach that may refer to rows of a resource: of any tenant, unless only those of
   * the same one can.
   */
  whereReferred(resource: string): Transaction;
  /**
   * Returns the row as it is stored: JSON may have its members in another order, and an id that the database counts, null
   * here, is there. Throws `RowAltered` if an event is given, and the row is stored with other values.
   */
  insert(resource: string, row: Row, along?: Along): MaybePromise<Row>;
  /** `tenants`: those of the rows, where they are known and no property names them. */
  insertAll(resource: string, rows: readonly Row[], tenants?: readonly (Id | undefined)[]): MaybePromise<void>;
  /**
   * Sets the `changed` properties of the row with the same id, and returns the row as it is stored; undefined if no such row
   * meets the conditions. Throws `RowAltered` like `insert`.
   */
  update(
    resource: string,
    row: Row,
    changed: readonly string[],
    conditions?: readonly Condition[],
    along?: Along,
  ): MaybePromise<Row | undefined>;
  /**
   * Keeps others from referring to a row until the transaction ends, once those that do now have ended: rows that refer to it
   * can be listed.
   */
  lockReferences(resource: string, id: Id, conditions?: readonly Condition[]): MaybePromise<void>;
  /** False if no such row meets the conditions. */
  delete(resource: string, id: Id, conditions?: readonly Condition[]): MaybePromise<boolean>;
  /** Deletes the rows with these ids that meet the conditions, by one statement. */
  deleteEach(resource: string, ids: readonly Id[], conditions?: readonly Condition[]): MaybePromise<void>;
  /**
   * Checks references at the end of the transaction, so that rows may refer to rows that are inserted later. False if the
   * database checks them at once all the same.
   */
  deferReferences(): MaybePromise<boolean>;
  /** Reserves a key until the transaction ends; false when another transaction holds it. */
  claim(key: string): MaybePromise<boolean>;
  /** Waits until no other transaction holds one of these keys, and holds them until this one ends: all do in one order. */
  lock(keys: readonly string[]): MaybePromise<void>;
  /** The text that was remembered under a key, unless it has expired. */
  recall(key: string, now: Date): MaybePromise<string | undefined>;
  /** Stores a text under a key that has none, or whose text has expired, until it expires. */
  remember(key: string, text: string, expires: Date): MaybePromise<void>;
  /** Stores what another database's server had stored beside the resources, and holds the jobs. */
  importOwnRows(pages: AsyncIterable<OwnRows>): Promise<void>;
}

/** What a write is given along with its row. */
export interface Along {
  /**
   * The properties with a value, null included; of an update, the input. A table of others fills in the rest, and compares
   * them with each other.
   */
  readonly given?: object | undefined;
  /** Written along with the row, and asked for then. The row has no id that the database counts; an update needs `hasRowLocks`. */
  readonly event?: (() => NewEvent) | undefined;
}

/**
 * `single`: a single write, which is committed by itself; reads before and after it are not isolated.
 * `locking`: nobody else can change the rows that it reads and writes.
 * `serial`: in addition, it is serializable with regard to all other serial transactions.
 */
export type Isolation = 'single' | 'locking' | 'serial';

/** Hears of a commit, before the promise of its transaction resolves. */
export interface CommitListener {
  /** Called as soon as it is known to be committed; what it returns is waited for where other workers write to the database, too. */
  onCommit(): Promise<void> | undefined;
  /** Called with a position behind it in the database's history; not at all where the database does not know it. */
  onPosition(position: bigint): void;
}

/** A database of resources. */
export interface Store extends Reader {
  /** Whether transactions run at the same time and lock single rows, so that one can wait for another. */
  readonly hasRowLocks: boolean;
  /** Whether no event can be written by the statement that writes its row. */
  readonly hasEventsApart?: boolean | undefined;
  /** How many rows may be deleted or changed along with one, where all other writes wait for that; any if left out. */
  readonly maxDependants?: number | undefined;
  /**
   * Commits when `work` resolves, rolls back when it throws, and runs it again when it conflicts with another
   * transaction. The isolation is `locking` if left out. `scope`: whose rows its statements may reach; all if left out.
   */
  transaction<T>(
    work: (transaction: Transaction) => MaybePromise<T>,
    isolation?: Isolation,
    listener?: CommitListener,
    scope?: RowScope,
    caller?: TurnTaker,
  ): Promise<T>;
  /** `p`: positions in the write-ahead log of Postgres; `s`: SQLite, where every read sees every commit, at 0. */
  readonly history: 'p' | 's';
  /**
   * A reader for what stands outside of a write. It sees all commits before the position of its history, and all that were
   * answered by now. `caller`: who waits for a turn where reads may take long; the server itself if left out.
   */
  reads(position: bigint, scope?: RowScope, caller?: TurnTaker): MaybePromise<Reader>;
  /** A reader like the store itself, within a scope. */
  within(scope: RowScope, caller?: TurnTaker): Reader;
  /** A reader about rows that are known to be of one tenant, which its statements name if keys begin with it. */
  ofTenant(tenant: string): Reader;
  /** Reads by who answered them, and those that nobody knows to be current; undefined where nobody else answers reads. */
  readonly replica?: (() => { readonly isServing: boolean } & ReplicaCounts) | undefined;
  /** Throws when the database does not answer, and a `StoreError` `faulty` or `full` when it takes no writes. */
  ping(): MaybePromise<void>;
  /** A number that changes whenever another process commits; undefined when the database does not know it. */
  changesElsewhere(): number | undefined;
  /**
   * What the primary key of a resource's table is made of, in order: `id`, or what names the tenant before it. That is a
   * property, or `tenant_`, which rows have behind their properties if they are asked for in this order.
   */
  keyOf(resource: string): readonly string[];
  /** Undefined without connections. */
  readonly connections?: () => ConnectionCounts;
  readonly jobs: JobQueue;
  /** A secret shared by all servers on this database, made on first use. */
  secret(name: string): MaybePromise<Uint8Array>;
  /**
   * The time, in milliseconds since 1970, below which servers on this database may have made ids; 0 before the first. It is
   * raised before, if a later time is given, and never falls.
   */
  clockMark(atLeast?: number): MaybePromise<number>;
  /** Deletes remembered texts that have expired, this many at most; how many it has deleted. */
  deleteExpired(now: Date, limit: number): MaybePromise<number>;
  /** Calls `work` with the database as it is at its first read: what others commit meanwhile is not seen. */
  snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T>;
  close(): MaybePromise<void>;
}

/** One state of a database, for copying it to another. */
export interface Snapshot extends Pick<Reader, 'list' | 'getEach'> {
  /** What the server itself stores beside the resources. */
  ownRows(): AsyncIterable<OwnRows>;
}

export interface ConnectionCounts {
  /** Connections that run transactions. */
  readonly used: number;
  /** Connections that could. */
  readonly idle: number;
  /** Transactions that wait for a connection. */
  readonly waiting: number;
  /** Tables on which statements stall, as they do when another program has locked it. */
  readonly locked: number;
}

interface ReplicaCounts {
  readonly replica: number;
  readonly primary: number;
  readonly unsure: number;
}

/** Some rows of one of the server's own tables, as its columns are ordered. Bytes are hexadecimal. */
export interface OwnRows {
  readonly table: string;
  readonly rows: readonly (readonly StoredValue[])[];
  /** The last key that the table has counted, deleted rows included. */
  readonly last?: StoredValue | undefined;
}
