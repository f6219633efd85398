import { FairQueue } from '../../async/fair-queue.ts';
import type { ConnectionCounts, TurnTaker } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type Insert, type Inserted, type InsertGroup, InsertGroups } from './insert-groups.ts';
import { Lease, type LockBoard } from './lease.ts';
import type { Outage } from './outage.ts';
import type { PostgresConnection } from './postgres-connection.ts';

/** Number of transactions that may wait for a connection; more would time out anyway. */
const MAX_WAITING = 1_000;
/** Of these, how many may be about tables that are locked. */
const MAX_WAITING_FOR_LOCKED = MAX_WAITING / 2;
/** A statement that takes longer is likely to wait for a lock. */
const STALLED_MS = 200;
const NO_TABLES: ReadonlySet<string> = new Set();

export interface TransactionConnectionsOptions {
  /** What a transaction may wait for a connection. */
  readonly waitTimeoutMs: number;
  /** Cancels what a connection runs if it waits for a lock. Never rejects. */
  readonly cancel: (connection: PostgresConnection) => Promise<void>;
  readonly outage: Outage;
  /** Whether inserts that arrive at once run in one transaction. */
  readonly groupsInserts: boolean;
}

/** Who waits for a connection, for which tables, and how long. */
export interface Waiting {
  readonly caller: TurnTaker | undefined;
  readonly tables: Set<string>;
  readonly deadlineMs: number;
}

interface Waiter {
  /** Whose turn it waits for. */
  readonly turn: string;
  readonly tables: ReadonlySet<string>;
  readonly untilMs: number;
  readonly start: (connection: PostgresConnection) => void;
  readonly reject: (error: unknown) => void;
  /** The statement that waits; undefined for a transaction. */
  readonly insert?: Insert;
}

/**
 * The connections that run transactions, one at a time each. When somebody has locked a table, the transactions that
 * wait for it keep half of them at most: those beyond are cancelled, and wait for their turn without a connection, so
 * that it delays no other table. As long as no statement stalls, any transaction may have any connection. Where anybody
 * waits, callers have theirs one after the other.
 */
export class TransactionConnections implements LockBoard {
  readonly #connections: readonly PostgresConnection[];
  readonly #options: TransactionConnectionsOptions;
  /** Connections that stalled transactions may keep. */
  readonly #share: number;
  readonly #leases = new Map<PostgresConnection, Lease>();
  readonly #waiting = new FairQueue<Waiter>();
  /** Tables on which a statement stalled, and none has come through since. */
  readonly #locked = new Set<string>();
  readonly #groups: InsertGroups;
  #isNextDue = false;

  constructor(connections: readonly PostgresConnection[], options: TransactionConnectionsOptions) {
    this.#connections = connections;
    this.#options = options;
    this.#share = Math.max(1, Math.floor(connections.length / 2));
    this.#groups = new InsertGroups(options.groupsInserts);
  }

  get counts(): ConnectionCounts {
    const up = this.#connections.filter((connection) => connection.isUp).length;
    const used = this.#leases.size;
    return { used, idle: Math.max(0, up - used), waiting: this.#waiting.size, locked: this.#locked.size };
  }

  /** Whether one of them is a connection to a pooler. */
  get isPooled(): boolean {
    return this.#connections.some(({ isPooled }) => isPooled);
  }

  /** Whether one transaction runs alone. */
  get isOneLeased(): boolean {
    return this.#leases.size === 1;
  }

  /** When a transaction that comes now has waited for long enough. */
  get deadlineMs(): number {
    return performance.now() + this.#options.waitTimeoutMs;
  }

  /**
   * A connection for one transaction; `tables` are those that it is known to concern. Throws `StoreError` `unavailable`
   * when none is free in time.
   */
  acquire(
    tables: ReadonlySet<string> = NO_TABLES,
    untilMs: number = this.deadlineMs,
    caller?: TurnTaker,
  ): Promise<Lease> | Lease {
    const free = this.#mayStart(tables) && this.#free();
    if (free) return this.#lease(free, tables);
    const turn = this.#placeFor(tables, caller);
    return new Promise((resolve, reject) => {
      const start = (connection: PostgresConnection): void => resolve(this.#lease(connection, tables));
      this.#waiting.add(turn, { turn, tables, untilMs, start, reject });
    });
  }

  /**
   * Runs an insert that commits by itself, together with those of the same turn of the event loop and others that wait.
   * Throws `StoreError` `unavailable` if no connection is free in time, the error of Postgres, and `Withdrawn` if nothing is
   * written and it must run on a connection of its own.
   */
  insert(statement: Omit<Insert, 'resolve' | 'reject'>, { caller, deadlineMs: untilMs }: Waiting): Promise<Inserted> {
    const tables = new Set([statement.table]);
    const free = this.#mayStart(tables) && this.#free();
    const turn = free ? (caller?.turn ?? '') : this.#placeFor(tables, caller);
    return new Promise((resolve, reject) => {
      const insert = { ...statement, resolve, reject };
      const start = (connection: PostgresConnection): void => this.#insertWith(connection, insert);
      if (free && !this.#mayGather(insert, tables, turn)) return this.#insertAll(free, [insert]);
      this.#waiting.add(turn, { turn, tables, untilMs, start, reject, insert });
      if (free) this.#nextAfterTurn();
    });
  }

  /** Whether an insert may wait for others although a connection is free. */
  #mayGather({ table }: Insert, tables: ReadonlySet<string>, turn: string): boolean {
    return this.#groups.isGrouped(table) && !this.#locked.has(table) && !this.#isFull(tables, turn);
  }

  /** What has arrived by then gets the free connections. */
  #nextAfterTurn(): void {
    if (this.#isNextDue) return;
    this.#isNextDue = true;
    setImmediate(() => {
      this.#isNextDue = false;
      this.#next();
    });
  }

  /** Callers with another transaction before their next insert keep their turn. */
  #insertWith(connection: PostgresConnection, first: Insert): void {
    const next = (isWanted: (insert: Insert) => boolean) =>
      this.#waiting.take(
        ({ tables }) => this.#mayStart(tables),
        ({ insert, tables }) => insert !== undefined && !this.#concernsLocked(tables) && isWanted(insert),
      )?.insert;
    this.#insertAll(connection, this.#locked.has(first.table) ? [first] : this.#groups.gathered(first, next));
  }

  #insertAll(connection: PostgresConnection, inserts: InsertGroup): void {
    const tables = new Set(inserts.map(({ table }) => table));
    const lease = this.#lease(connection, tables, inserts.length > 1);
    void this.#groups.run(lease, inserts).then(() => this.release(lease));
  }

  /** Where it may wait. Throws `StoreError` `unavailable` if nothing more may. */
  #placeFor(tables: ReadonlySet<string>, caller: TurnTaker | undefined): string {
    const turn = caller?.turn ?? '';
    if (this.#isFull(tables, turn) || this.#isDown()) throw noneFree();
    return turn;
  }

  release(lease: Lease): void {
    const { connection, settled } = lease;
    // The request to cancel might hit the next transaction.
    if (settled && connection.isUp) void settled.then(() => this.#freed(connection));
    else this.#freed(connection);
  }

  mustLeave(lease: Lease, table: string): boolean {
    return this.#locked.has(table) && !this.#concernsLocked(lease.tables) && this.#stuck() >= this.#share;
  }

  cameThrough(table: string): void {
    if (!this.#locked.has(table) || this.#stalled().some(({ running }) => running!.table === table)) return;
    this.#locked.delete(table);
    this.#next();
  }

  /** Finds out what stalls, and ends the waits that have lasted too long. */
  check(): void {
    const stalled = this.#stalled();
    this.#cancel(stalled.filter(({ isShared }) => isShared));
    const own = stalled.filter(({ isShared }) => !isShared);
    for (const { running } of own) this.#locked.add(running!.table);
    const waiting = [...this.#waiting.values()];
    if (waiting.some(({ tables }) => !this.#concernsLocked(tables))) this.#cancelBeyondShare(own);
    const now = performance.now();
    const isDown = this.#isDown();
    for (const waiter of waiting.filter(({ untilMs }) => isDown || untilMs < now)) {
      this.#waiting.remove(waiter.turn, waiter);
      waiter.reject(noneFree());
    }
    this.#next();
  }

  /** The youngest. */
  #cancelBeyondShare(stalled: readonly Lease[]): void {
    const byAge = stalled.toSorted((one, other) => one.running!.sinceMs - other.running!.sinceMs);
    this.#cancel(byAge.slice(this.#share));
  }

  #cancel(leases: readonly Lease[]): void {
    for (const lease of leases) lease.cancel(() => this.#options.cancel(lease.connection));
  }

  #stalled(): Lease[] {
    const beforeMs = performance.now() - STALLED_MS;
    return [...this.#leases.values()].filter(({ running }) => running !== undefined && running.sinceMs < beforeMs);
  }

  /** How many transactions have a connection and concern a table that is locked. */
  #stuck(): number {
    return [...this.#leases.values()].filter(({ tables }) => this.#concernsLocked(tables)).length;
  }

  #concernsLocked(tables: ReadonlySet<string>): boolean {
    for (const table of this.#locked) if (tables.has(table)) return true;
    return false;
  }

  #mayStart(tables: ReadonlySet<string>): boolean {
    return !this.#concernsLocked(tables) || this.#stuck() < this.#share;
  }

  /** No caller has more places than are left for others. */
  #isFull(tables: ReadonlySet<string>, turn: string): boolean {
    if (this.#waiting.sizeOf(turn) >= MAX_WAITING - this.#waiting.size) return true;
    if (!this.#concernsLocked(tables)) return false;
    const waiting = [...this.#waiting.values()];
    return waiting.filter((waiter) => this.#concernsLocked(waiter.tables)).length >= MAX_WAITING_FOR_LOCKED;
  }

  /** No connection is there, nor expected. */
  #isDown(): boolean {
    return this.#options.outage.isDown && !this.#connections.some((connection) => connection.isUp);
  }

  #free(): PostgresConnection | undefined {
    return this.#connections.find((connection) => connection.isUp && !this.#leases.has(connection));
  }

  #lease(connection: PostgresConnection, tables: ReadonlySet<string>, isShared = false): Lease {
    const lease = new Lease(connection, tables, this, isShared);
    this.#leases.set(connection, lease);
    return lease;
  }

  #freed(connection: PostgresConnection): void {
    this.#leases.delete(connection);
    this.#next();
  }

  /** Gives free connections to those whose turn it is, of each caller to the one that has waited longest and may have one. */
  #next(): void {
    for (let free = this.#free(); free; free = this.#free()) {
      const waiter = this.#waiting.take(({ tables }) => this.#mayStart(tables));
      if (!waiter) return;
      waiter.start(free);
    }
  }
}

function noneFree(): StoreError {
  return new StoreError({ kind: 'unavailable' }, new Error('no connection to Postgres is free'));
}
