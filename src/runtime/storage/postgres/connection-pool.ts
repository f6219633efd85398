import { Lane } from '../lane.ts';
import type { TurnTaker } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Answer } from './answer.ts';
import { OnDemand } from './on-demand.ts';
import { type DatabaseLog, Outage } from './outage.ts';
import { PostgresConnection, type PostgresConnectionOptions } from './postgres-connection.ts';
import { isLockTimeout } from './postgres-errors.ts';
import { TransactionConnections } from './transaction-connections.ts';

export interface ConnectionPoolOptions extends Omit<PostgresConnectionOptions, 'nameOf' | 'outage'> {
  /** Number of connections that all reads share. */
  readonly readers: number;
  /** Number of connections that run transactions, one at a time each. */
  readonly writers: number;
  /** Processes of the instance; one if left out. */
  readonly workers?: number | undefined;
  /** Whether inserts that arrive at once run in one transaction; true if left out. */
  readonly groupsInserts?: boolean | undefined;
  /** Gets why connections are missing, and that they are back. */
  readonly log?: DatabaseLog | undefined;
}

/** A statement that reads from one table. */
export interface TableRead {
  readonly table: string;
  /** Whether it costs the same in a table of any size. */
  readonly isBounded: boolean;
  readonly sql: string;
  readonly values: readonly unknown[];
  /** What its transaction begins with. */
  readonly opening?: string | undefined;
  /** Who waits for a turn where it may take long. */
  readonly caller?: TurnTaker | undefined;
}

/**
 * More than the clients of a contract need in practice. Each prepared statement takes memory on the database server.
 */
const MAX_PREPARED = 500;
const CHECK_MS = 100;
/** Time for Postgres to cancel a statement and to report it. */
const GRACE_MS = 200;

/**
 * What a read waits for a lock on its table before it leaves the connection to other reads. These reads cost the same in tables of
 * any size and for all values, so that they are planned once.
 */
const READERS = { session: { lock_timeout: 10 }, plansOnce: true };
/** A plan that is made once locks all partitions; a server has 64 locks for each of its connections, by default. */
const MOST_LOCKED = 16;
/**
 * Of an instance with one process, for reads that may take long; each of several workers has at least one. They are planned with
 * their values, which decide whether an index helps, and use one core each.
 */
const SLOW_CONNECTIONS = 2;
const SLOW = { session: { plan_cache_mode: 'force_custom_plan', max_parallel_workers_per_gather: 0, jit: 'off' } };
const MAX_WAITING_SLOW = 100;

/** Of the process, if it waits for a lock: a wait for a standby must not be cut short, or the commit might be lost. */
const CANCEL = `
  select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`;

const STATE = "select pg_is_in_recovery(), current_setting('transaction_read_only')";

/** The connections of one server to its database. */
export class ConnectionPool {
  readonly #readers: readonly PostgresConnection[];
  readonly #writers: readonly PostgresConnection[];
  /** Those for transactions. */
  readonly transactions: TransactionConnections;
  readonly #slow: readonly PostgresConnection[];
  readonly #lane: Lane<OnDemand>;
  /** Tables that somebody has locked as a whole: a read of one had to wait, and none has come through since. */
  readonly #lockedTables = new Set<string>();
  readonly #watch: NodeJS.Timeout;
  readonly #options: ConnectionPoolOptions;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
    const outage = new Outage(options.log);
    const shared = { ...options, nameOf: namer(), outage };
    const make = (count: number, { session, ...own }: Pick<PostgresConnectionOptions, 'session' | 'plansOnce'> = {}) =>
      Array.from(
        { length: count },
        () => new PostgresConnection({ ...shared, ...own, session: { ...shared.session, ...session } }),
      );
    this.#readers = make(options.readers, READERS);
    this.#writers = make(options.writers);
    this.transactions = new TransactionConnections(this.#writers, {
      waitTimeoutMs: options.statementTimeoutMs,
      cancel: (connection) => this.#cancel(connection),
      outage,
      groupsInserts: options.groupsInserts ?? true,
    });
    this.#slow = make(Math.ceil(SLOW_CONNECTIONS / (options.workers ?? 1)), SLOW);
    const onDemand = this.#slow.map((connection) => new OnDemand(connection));
    this.#lane = new Lane(onDemand, { waitTimeoutMs: options.statementTimeoutMs, maxWaiting: MAX_WAITING_SLOW });
    this.#watch = setInterval(() => this.#check(), CHECK_MS).unref();
  }

  /** Opens all connections. Throws the error that prevented one of them. */
  async open(): Promise<void> {
    const opened = await Promise.allSettled(
      [...this.#readers, ...this.#writers].map((connection) => connection.open()),
    );
    const failed = opened.find((one) => one.status === 'rejected');
    if (!failed) return;
    await this.close();
    throw failed.reason;
  }

  /**
   * For tables with so many partitions. Planning with values costs more with each of them, so that transactions plan once,
   * too, up to a number; beyond it, reads plan as Postgres decides.
   */
  async planFor(partitions: number): Promise<void> {
    if (partitions === 0) return;
    const plansOnce = partitions <= MOST_LOCKED;
    const others = plansOnce ? this.#writers : this.#readers;
    await Promise.all(others.map((connection) => connection.planOnce(plansOnce)));
  }

  /** Runs a statement on the reading connection with the fewest pending statements. */
  read(sql: string, values?: readonly unknown[], opening?: string): Promise<Answer> {
    let best = this.#readers[0]!;
    for (const connection of this.#readers)
      if (connection.isUp && (!best.isUp || connection.pending < best.pending)) best = connection;
    return best.query(sql, values, opening);
  }

  /**
   * Reads from one table, so that it keeps no other waiting: what may take long runs on connections of its own, and so
   * does what waits for a lock on the whole table.
   */
  async readFrom({ table, isBounded, sql, values, opening, caller }: TableRead): Promise<Answer> {
    if (isBounded && !this.#lockedTables.has(table)) {
      try {
        return await this.read(sql, values, opening);
      } catch (error) {
        if (!isLockTimeout(error)) throw error;
        this.#lockedTables.add(table);
      }
    }
    const read = { table, caller: isBounded ? undefined : caller?.turn };
    const answer = await this.#lane.run(read, async (connection) =>
      (await connection.open()).query(sql, values, opening),
    );
    this.#lockedTables.delete(table);
    return answer;
  }

  /** One statement that is committed by itself, on a connection for transactions: reads share theirs, and would wait for it. */
  async write(sql: string, values: readonly unknown[]): Promise<Answer> {
    const free = this.transactions.acquire();
    const lease = free instanceof Promise ? await free : free;
    try {
      return await lease.connection.query(sql, values);
    } finally {
      this.transactions.release(lease);
    }
  }

  /**
   * Throws `StoreError` when the database does not answer, or takes no writes. What a session may do is decided when it
   * begins, so that one for transactions is asked; while all of them are at work, one for reads.
   */
  async ping(): Promise<void> {
    const { used, idle } = this.transactions.counts;
    const lease = used === 0 || idle > 0 ? await this.transactions.acquire() : undefined;
    try {
      const { rows } = await (lease ? lease.connection.query(STATE) : this.read(STATE));
      const [isStandby, isReadOnly] = rows[0]!;
      if (isReadOnly === 'off') return;
      // The next session may be allowed to write.
      if (isStandby === 'f') lease?.connection.drop();
      const why = isStandby === 't' ? 'standby' : 'read-only';
      throw new StoreError({ kind: 'faulty', why }, new Error('transactions are read-only'));
    } finally {
      if (lease) this.transactions.release(lease);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    this.#lane.close();
    await Promise.all([...this.#quick(), ...this.#slow].map((connection) => connection.close()));
  }

  #quick(): readonly PostgresConnection[] {
    return [...this.#readers, ...this.#writers];
  }

  #check(): void {
    const silenceMs = this.#options.statementTimeoutMs + GRACE_MS;
    for (const connection of this.#quick()) connection.checkAlive(silenceMs);
    // A scan on a busy machine is slow to be cancelled, and nobody else waits behind it.
    for (const connection of this.#slow) connection.checkAlive(2 * silenceMs);
    this.transactions.check();
  }

  async #cancel({ processId }: PostgresConnection): Promise<void> {
    if (processId === undefined) return;
    // When it fails, the time limit of the statement ends it.
    await this.read(CANCEL, [processId]).catch(() => undefined);
  }
}

/** Names statements, the same text always alike. Those beyond the limit get no name and are not prepared. */
function namer(): (sql: string) => string | undefined {
  const names = new Map<string, string>();
  return (sql) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= MAX_PREPARED) return known;
    const name = `s${names.size}`;
    names.set(sql, name);
    return name;
  };
}
