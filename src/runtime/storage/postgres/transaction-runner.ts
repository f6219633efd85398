import { setTimeout as delay } from 'node:timers/promises';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { Mutex } from '../mutex.ts';
import type { RowScope } from '../row-scope.ts';
import type { Isolation, Transaction, TurnTaker } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type Lease, Withdrawn } from './lease.ts';
import type { Positions } from './positions.ts';
import { isConflict, storeError } from './postgres-errors.ts';
import { PostgresTransaction, type TransactionParts } from './postgres-transaction.ts';
import { SingleControl } from './single-control.ts';
import type { TransactionConnections } from './transaction-connections.ts';
import { TransactionControl } from './transaction-control.ts';

const BEGIN: Readonly<Record<Isolation, string | undefined>> = {
  single: undefined,
  locking: 'begin isolation level read committed',
  serial: 'begin isolation level serializable',
};

const MAX_RETRY_DELAY_MS = 20;

/** What all transactions of a store are made with. */
type CommonParts = Omit<TransactionParts, 'control'>;

/** A transaction that may have to run more than once. */
interface Job<T> {
  readonly work: (transaction: Transaction) => MaybePromise<T>;
  readonly isolation: Isolation;
  readonly onCommit: () => Promise<void> | undefined;
  readonly onPosition: (position: bigint) => void;
  readonly scope: RowScope;
  readonly caller: TurnTaker | undefined;
  /** Tables that it is known to concern. */
  readonly tables: Set<string>;
}

/** What is committed, and a position behind the commit. */
interface Done<T> {
  readonly result: T;
  readonly position: Promise<bigint | undefined>;
}

/** Runs transactions, again where they conflict with others. */
export class TransactionRunner {
  readonly #connections: TransactionConnections;
  readonly #parts: CommonParts;
  readonly #retryTimeoutMs: number;
  readonly #positions: Positions;
  /**
   * Transactions that ran into a conflict are retried one at a time, so that they do not conflict again with each
   * other.
   */
  readonly #retries = new Mutex();

  constructor(connections: TransactionConnections, parts: CommonParts, positions: Positions, retryTimeoutMs: number) {
    this.#connections = connections;
    this.#parts = parts;
    this.#retryTimeoutMs = retryTimeoutMs;
    this.#positions = positions;
  }

  /** Throws `StoreError`. */
  async run<T>(job: Job<T>): Promise<T> {
    try {
      return await this.#attempt(job);
    } catch (error) {
      if (!isConflict(error)) throw storeError(error);
    }
    const turn = this.#retries.acquire();
    if (turn) await turn;
    try {
      return await this.#retry(job);
    } catch (error) {
      throw storeError(error);
    } finally {
      this.#retries.release();
    }
  }

  async #retry<T>(job: Job<T>): Promise<T> {
    const until = performance.now() + this.#retryTimeoutMs;
    for (;;) {
      try {
        return await this.#attempt(job);
      } catch (error) {
        if (!isConflict(error)) throw error;
        if (performance.now() > until) throw new StoreError({ kind: 'unavailable' }, error);
      }
      await delay(Math.random() * MAX_RETRY_DELAY_MS);
    }
  }

  async #attempt<T>(job: Job<T>): Promise<T> {
    const { result, position } = await this.#committed(job);
    const noted = job.onCommit();
    const known = await position;
    if (known !== undefined) job.onPosition(known);
    if (noted) await noted;
    return result;
  }

  /** Runs it once, and again whenever it has left its connection to others. */
  async #committed<T>(job: Job<T>): Promise<Done<T>> {
    let { deadlineMs } = this.#connections;
    if (job.isolation === 'single' && this.#mayShare(job)) {
      try {
        return await this.#shared(job, deadlineMs);
      } catch (error) {
        if (!(error instanceof Withdrawn)) throw error;
        if (error.wasShared && deadlineMs < performance.now()) ({ deadlineMs } = this.#connections);
      }
    }
    for (;;) {
      try {
        return await this.#leased(job, deadlineMs);
      } catch (error) {
        if (!(error instanceof Withdrawn)) throw error;
      }
    }
  }

  /** Whether an insert may share a transaction with others, which have neither a tenant nor a session of their own. */
  #mayShare({ scope }: Job<unknown>): boolean {
    const { byTenant, openingOf } = this.#parts;
    return !byTenant && openingOf(scope) === undefined && !this.#connections.isPooled;
  }

  /** Throws `Withdrawn` if it must run on a connection of its own. */
  async #shared<T>({ work, scope, caller, tables }: Job<T>, deadlineMs: number): Promise<Done<T>> {
    const control = new SingleControl(this.#connections, { caller, tables, deadlineMs });
    try {
      const result = await work(new PostgresTransaction({ ...this.#parts, control }, scope, undefined).within(scope));
      if (control.withdrawn) throw control.withdrawn;
      return { result, position: this.#positionBehind(control) };
    } catch (error) {
      throw control.withdrawn ?? control.conflict ?? error;
    } finally {
      control.release();
    }
  }

  async #leased<T>(job: Job<T>, deadlineMs: number): Promise<Done<T>> {
    const free = this.#connections.acquire(job.tables, deadlineMs, job.caller);
    const lease = free instanceof Promise ? await free : free;
    try {
      return await this.#run(job, lease);
    } catch (error) {
      for (const table of lease.tables) job.tables.add(table);
      throw error;
    } finally {
      this.#connections.release(lease);
    }
  }

  async #run<T>({ work, isolation, scope }: Job<T>, lease: Lease): Promise<Done<T>> {
    const { connection } = lease;
    const opening = this.#parts.openingOf(scope);
    const begin = connection.beginning(BEGIN[isolation], opening);
    const asksPosition = this.#connections.isOneLeased;
    const control = new TransactionControl(lease, {
      begin,
      opening,
      asksPosition,
      hasSavepoints: isolation === 'serial',
    });
    try {
      const result = await work(new PostgresTransaction({ ...this.#parts, control }, scope, opening).within(scope));
      if (lease.withdrawn) throw lease.withdrawn;
      if (lease.settled) await lease.settled;
      await control.commit();
      return { result, position: this.#positionBehind(control) };
    } catch (error) {
      control.rollback();
      throw lease.withdrawn ?? control.conflict ?? error;
    }
  }

  /** A connection may be lost behind the commit. */
  async #positionBehind({ position }: Pick<TransactionControl, 'position'>): Promise<bigint | undefined> {
    return (await position) ?? this.#positions.now();
  }
}
