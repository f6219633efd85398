import { setTimeout as delay } from 'node:timers/promises';
import type { ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { Mutex } from '../mutex.ts';
import { ALL_ROWS, type RowScope } from '../row-scope.ts';
import { ReadCost } from '../statements/read-cost.ts';
import type { Isolation, Reader, Snapshot, Store, Transaction, TurnTaker } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type WallOf, walledReader, wallsOf } from '../tenant-wall.ts';
import { ConnectionPool } from './connection-pool.ts';
import { type Lease, Withdrawn } from './lease.ts';
import type { DatabaseLog } from './outage.ts';
import { exportInternalData, OwnTables } from './own-tables.ts';
import { singleValue } from './postgres-connection.ts';
import { isConflict, storeError } from './postgres-errors.ts';
import { PostgresReader, type PostgresTables, type Read } from './postgres-reader.ts';
import { tablesOf } from './postgres-tables.ts';
import { PostgresTransaction, transactionClauses } from './postgres-transaction.ts';
import { PrimaryClock } from './primary-clock.ts';
import { ReplicaReads } from './replica-reads.ts';
import { checkRowSecurity, OWN_WORK, scopeStatements } from './row-security.ts';
import { IDENTITY, Standby, type StandbyOptions, type StandbyPool } from './standby.ts';
import { TableSizes } from './table-sizes.ts';
import { TransactionControl } from './transaction-control.ts';

export interface PostgresOptions {
  readonly url: string;
  readonly resources: readonly ResourceDescriptor[];
  /** Number of connections of this server. Four in ten are for reading and shared by all requests. */
  readonly connections?: number;
  readonly statementTimeoutMs?: number;
  readonly connectTimeoutMs?: number;
  /** A standby that answers reads. */
  readonly readUrl?: string | undefined;
  readonly log?: DatabaseLog | undefined;
  /** Policies of the tables let a transaction reach the rows alone that it says it is about. */
  readonly hasRowSecurity?: boolean;
}

const BEGIN: Readonly<Record<Isolation, string | undefined>> = {
  single: undefined,
  locking: 'begin isolation level read committed',
  serial: 'begin isolation level serializable',
};

const SNAPSHOT = 'begin isolation level repeatable read, read only';
/** Whoever copies a snapshot also waits for where it is written. */
const MAY_IDLE = 'set local idle_in_transaction_session_timeout = 0';

const MAX_RETRY_DELAY_MS = 20;

/** Connects to a database that already has the contract's tables. Throws the error that prevented the connection. */
export async function openPostgresStore(options: PostgresOptions): Promise<Store> {
  const { url, connections = 10, statementTimeoutMs = 1_500, connectTimeoutMs = 2_000 } = options;
  const { hasRowSecurity = false, readUrl, log, resources } = options;
  const readers = Math.max(1, Math.round(connections * 0.4));
  const writers = Math.max(1, connections - readers);
  // Policies that there are do not bind a server that makes no use of them.
  const isOpen = !hasRowSecurity && options.resources.some(({ tenant }) => tenant);
  const session = isOpen ? OWN_WORK : {};
  const pool = new ConnectionPool({ url, readers, writers, statementTimeoutMs, connectTimeoutMs, session, log });
  await pool.open();
  const tables = tablesOf(options.resources);
  const transactionTables = tablesOf(options.resources, transactionClauses);
  const wallOf = wallsOf(options.resources, hasRowSecurity);
  const store = new PostgresStore(pool, { tables, transactionTables, wallOf, hasRowSecurity }, statementTimeoutMs);
  if (hasRowSecurity) await store.checkRowSecurity(options.resources);
  if (readUrl !== undefined) {
    const limits = { readers, writers: 0, statementTimeoutMs, connectTimeoutMs, session };
    const connect = () => new ConnectionPool({ ...limits, url: readUrl });
    const check = (pool: StandbyPool) => checkRowSecurity((sql) => pool.read(sql), resources, ' of DATABASE_READ_URL');
    try {
      await store.readFromStandby({ connect, check: hasRowSecurity ? check : undefined, log });
    } catch (error) {
      await store.close();
      throw error;
    }
  }
  return store;
}

/** What a store serves. */
interface Served {
  readonly tables: PostgresTables;
  /** With the clauses of transactions. */
  readonly transactionTables: PostgresTables;
  readonly wallOf: WallOf | undefined;
  readonly hasRowSecurity: boolean;
}

/** A transaction that may have to run more than once. */
interface Job<T> {
  readonly work: (transaction: Transaction) => MaybePromise<T>;
  readonly isolation: Isolation;
  readonly onCommit: ((position: bigint) => void) | undefined;
  readonly scope: RowScope;
  readonly caller: TurnTaker | undefined;
  /** Tables that it is known to concern. */
  readonly tables: Set<string>;
}

class PostgresStore extends PostgresReader implements Store {
  readonly hasRowLocks = true;
  readonly history = 'p';
  readonly #pool: ConnectionPool;
  readonly #own: OwnTables;
  readonly #served: Served;
  readonly #retryTimeoutMs: number;
  /** What sets the scope of row-level security; undefined without. */
  readonly #openingOf: (scope: RowScope) => string | undefined;
  readonly #within: (scope: RowScope, caller?: TurnTaker) => Reader;
  /**
   * Transactions that ran into a conflict are retried one at a time, so that they do not conflict again with each
   * other.
   */
  readonly #retries = new Mutex();

  readonly #cost: ReadCost;
  #standby: Standby | undefined;
  #replica: ReplicaReads | undefined;

  constructor(pool: ConnectionPool, served: Served, retryTimeoutMs: number) {
    const { tables, hasRowSecurity } = served;
    const sizes = new TableSizes((sql) => pool.read(sql));
    const cost = new ReadCost((table) => sizes.isSmall(table));
    const readWithin =
      (opening: string | undefined, caller?: TurnTaker): Read =>
      ({ name: table }, isBounded, sql, values) =>
        pool.readFrom({ table, isBounded, sql, values, opening, caller });
    const openingOf = (scope: RowScope) => (hasRowSecurity ? scopeStatements(scope) : undefined);
    super(tables, readWithin(openingOf(ALL_ROWS)), cost);
    this.#openingOf = openingOf;
    this.#within = (scope, caller) => new PostgresReader(tables, readWithin(openingOf(scope), caller), cost);
    this.#pool = pool;
    this.#own = new OwnTables(pool);
    this.#cost = cost;
    this.#served = served;
    this.#retryTimeoutMs = retryTimeoutMs;
  }

  async transaction<T>(
    work: (transaction: Transaction) => MaybePromise<T>,
    isolation: Isolation = 'locking',
    onCommit?: (position: bigint) => void,
    scope: RowScope = ALL_ROWS,
    caller?: TurnTaker,
  ): Promise<T> {
    const job: Job<T> = { work, isolation, onCommit, scope, caller, tables: new Set() };
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

  /** Throws `ConfigError`. */
  async readFromStandby(options: Pick<StandbyOptions, 'connect' | 'check' | 'log'>): Promise<void> {
    const pool = this.#pool;
    const clock = new PrimaryClock((sql, values) => pool.read(sql, values));
    const identity = async () => singleValue(await pool.read(IDENTITY, []));
    const standby = new Standby({ ...options, identity, clock: () => clock.now() });
    this.#standby = standby;
    await standby.start();
    this.#replica = new ReplicaReads({ tables: this.tables, clock, standby, cost: this.#cost });
  }

  reads(position: bigint, scope: RowScope = ALL_ROWS, caller?: TurnTaker): MaybePromise<Reader> {
    if (!this.#replica) return this.within(scope, caller);
    const scoped = { primary: this.#within(scope, caller), opening: this.#openingOf(scope), caller };
    return this.#replica.reader(position, scoped).then((reader) => walledReader(reader, this.#served.wallOf?.(scope)));
  }

  within(scope: RowScope, caller?: TurnTaker): Reader {
    return walledReader(this.#within(scope, caller), this.#served.wallOf?.(scope));
  }

  /** Throws `ConfigError`. */
  async checkRowSecurity(resources: readonly ResourceDescriptor[]): Promise<void> {
    try {
      await checkRowSecurity((sql, values) => this.#pool.read(sql, values), resources);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  get replica(): Store['replica'] {
    const [reads, standby] = [this.#replica, this.#standby];
    return reads && standby && (() => ({ ...reads.counts, isServing: standby.isServing }));
  }

  async ping(): Promise<void> {
    await this.#pool.ping();
  }

  changesElsewhere(): undefined {
    return undefined;
  }

  secret(name: string): Promise<Uint8Array> {
    return this.#own.secret(name);
  }

  clockMark(atLeast?: number): Promise<number> {
    return this.#own.clockMark(atLeast).catch((error: unknown) => {
      throw storeError(error);
    });
  }

  async deleteExpired(now: Date, limit: number): Promise<number> {
    try {
      return await this.#own.deleteExpired(now, limit);
    } catch (error) {
      throw storeError(error);
    }
  }

  async snapshot<T>(work: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const { transactions } = this.#pool;
    const lease = await transactions.acquire();
    const { connection } = lease;
    const query = connection.pinnedQuery();
    const reader = new PostgresReader(this.tables, (_table, _isBounded, sql, values) => query(sql, values));
    try {
      await query(`${connection.beginning(SNAPSHOT, this.#openingOf(ALL_ROWS))}; ${MAY_IDLE}`);
      return await work({ list: (rows) => reader.list(rows), exportInternalData: () => exportInternalData(query) });
    } finally {
      query('commit').catch(() => {});
      transactions.release(lease);
    }
  }

  readonly connections = () => this.#pool.transactions.counts;

  async close(): Promise<void> {
    await this.#standby?.close();
    await this.#pool.close();
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

  /** Once, and again whenever it has left its connection to others. */
  async #attempt<T>(job: Job<T>): Promise<T> {
    const { transactions } = this.#pool;
    const { deadlineMs } = transactions;
    for (;;) {
      const free = transactions.acquire(job.tables, deadlineMs, job.caller);
      const lease = free instanceof Promise ? await free : free;
      try {
        return await this.#run(job, lease);
      } catch (error) {
        for (const table of lease.tables) job.tables.add(table);
        if (!(error instanceof Withdrawn)) throw error;
      } finally {
        transactions.release(lease);
      }
    }
  }

  async #run<T>({ work, isolation, onCommit, scope }: Job<T>, lease: Lease): Promise<T> {
    const { connection } = lease;
    const openingOf = this.#openingOf;
    const opening = openingOf(scope);
    const begin = connection.beginning(BEGIN[isolation], opening);
    const control = new TransactionControl(connection.pinnedQuery(), begin, opening);
    try {
      const { transactionTables: tables, wallOf } = this.#served;
      const hasSavepoints = isolation === 'serial';
      const parts = { tables, unlockedTables: this.tables, control, lease, hasSavepoints, wallOf, openingOf };
      const result = await work(new PostgresTransaction(parts, opening).within(scope));
      if (lease.withdrawn) throw lease.withdrawn;
      if (lease.settled) await lease.settled;
      const position = await control.commit();
      if (position !== undefined) {
        this.#replica?.committed(position);
        onCommit?.(position);
      }
      return result;
    } catch (error) {
      control.rollback();
      throw lease.withdrawn ?? control.conflict ?? error;
    }
  }
}
