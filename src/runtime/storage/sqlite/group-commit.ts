import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { Mutex } from '../mutex.ts';
import { StoreError } from '../store-error.ts';
import type { SqliteConnection } from './sqlite-connection.ts';

const BUSY_RETRY_MS = 5;

/** What is written keeps all others waiting when it is committed. */
const MAX_GROUP_PAGES = 256;

export interface GroupCommitOptions {
  /** How long a transaction waits for another process that holds the lock of the file. */
  readonly busyTimeoutMs: number;
  /** Milliseconds that only rise. */
  readonly clock: () => number;
  /** Called after each commit. */
  readonly onCommit: () => void;
}

interface Group {
  /** What the connection had written before. */
  readonly from: number;
  /** Settles when the group is committed or rolled back. */
  readonly end: PromiseWithResolvers<void>;
}

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

/**
 * Runs transactions one after the other, and commits those of one turn of the event loop together, because a commit
 * costs more than most of what it commits. Each but the first is a savepoint, so that its failure does not affect the
 * others. None settles before the group is committed, because it may have seen what the others wrote.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection;
  readonly #options: GroupCommitOptions;
  readonly #lock = new Mutex();
  #group: Group | undefined;
  /** What the transactions of the group have left to do, in their order. */
  readonly #late: (() => void)[] = [];

  constructor(connection: SqliteConnection, options: GroupCommitOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async run<T>(work: () => MaybePromise<T>): Promise<T> {
    const { clock, busyTimeoutMs } = this.#options;
    // From its arrival: those behind it in the queue have waited as long, and fail with it.
    const until = clock() + busyTimeoutMs;
    const turn = this.#lock.acquire();
    if (turn) await turn;
    let group: Group;
    let outcome: Outcome<T>;
    try {
      const isFirst = !this.#group;
      group = this.#group ?? (await this.#open(until));
      outcome = await this.#attempt(group, isFirst, work);
      const pages = this.#connection.writtenPages - group.from + this.#late.length;
      if (pages > MAX_GROUP_PAGES && this.#group === group) {
        this.#commit(group);
        // Those that wait would go on in this turn of the event loop.
        await nextTurn();
      }
    } finally {
      this.#lock.release();
    }
    await group.end.promise;
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /**
   * Leaves a write of the transaction that runs to the commit of its group: one after the other, such writes take a fraction of
   * the time that they take between others. If one fails, so does the group.
   */
  defer(write: () => void): void {
    this.#late.push(write);
  }

  async #open(until: number): Promise<Group> {
    await this.#begin(until);
    const group: Group = { from: this.#connection.writtenPages, end: Promise.withResolvers() };
    this.#group = group;
    setImmediate(() => this.#close(group));
    return group;
  }

  /** While another process holds the lock of the file, this waits without blocking the event loop. */
  async #begin(until: number): Promise<void> {
    for (;;) {
      try {
        return this.#connection.execute('begin immediate');
      } catch (error) {
        if (!isUnavailable(error) || this.#options.clock() >= until) throw error;
      }
      await delay(BUSY_RETRY_MS);
    }
  }

  async #attempt<T>(group: Group, isFirst: boolean, work: () => MaybePromise<T>): Promise<Outcome<T>> {
    const { length } = this.#late;
    try {
      if (!isFirst) this.#connection.execute('savepoint work');
      const value = await work();
      if (!isFirst) this.#connection.execute('release work');
      return { value };
    } catch (error) {
      this.#late.length = length;
      this.#undo(group, isFirst, error);
      return { error };
    }
  }

  #undo({ end }: Group, isFirst: boolean, error: unknown): void {
    const { isTransaction } = this.#connection.database;
    if (isTransaction && !isFirst)
      for (const sql of ['rollback to work', 'release work']) this.#connection.execute(sql);
    else {
      // It is the first, which ends with its turn as others do, or SQLite has rolled back all, as it may do when the disk is full.
      this.#group = undefined;
      this.#late.length = 0;
      if (isTransaction) this.#connection.execute('rollback');
      setImmediate(end.reject, error);
    }
  }

  /** Commits the group after the transactions that are waiting, which join it. */
  async #close(group: Group): Promise<void> {
    const turn = this.#lock.acquire();
    if (turn) await turn;
    if (this.#group === group) this.#commit(group);
    this.#lock.release();
  }

  #commit({ end }: Group): void {
    this.#group = undefined;
    try {
      for (const write of this.#late.splice(0)) write();
      this.#connection.execute('commit');
      end.resolve();
      this.#options.onCommit();
    } catch (error) {
      end.reject(error);
      if (this.#connection.database.isTransaction) this.#connection.execute('rollback');
    }
  }
}

const isUnavailable = (error: unknown): boolean => error instanceof StoreError && error.failure.kind === 'unavailable';
