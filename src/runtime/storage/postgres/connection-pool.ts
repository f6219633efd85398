import { StoreError } from '../store-error.ts';
import { type Answer, PostgresConnection, type PostgresConnectionOptions } from './postgres-connection.ts';

export interface ConnectionPoolOptions extends Omit<PostgresConnectionOptions, 'nameOf'> {
  /** Number of connections that all reads share. */
  readonly readers: number;
  /** Number of connections that run transactions, one at a time each. */
  readonly writers: number;
}

/**
 * More than the clients of a contract need in practice. Each prepared statement takes memory on the database server.
 */
const MAX_PREPARED = 500;
/** Number of transactions that may wait for a connection; more would time out anyway. */
const MAX_WAITING = 1_000;
const CHECK_MS = 100;
/** Time for Postgres to cancel a statement and to report it. */
const GRACE_MS = 200;

interface Waiter {
  readonly resolve: (connection: PostgresConnection) => void;
  readonly reject: (error: unknown) => void;
  readonly until: number;
}

/** The connections of one server to its database. */
export class ConnectionPool {
  readonly #readers: readonly PostgresConnection[];
  readonly #writers: readonly PostgresConnection[];
  readonly #busy = new Set<PostgresConnection>();
  readonly #waiting: Waiter[] = [];
  readonly #watch: NodeJS.Timeout;
  readonly #options: ConnectionPoolOptions;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
    const shared = { ...options, nameOf: namer() };
    this.#readers = Array.from({ length: options.readers }, () => new PostgresConnection(shared));
    this.#writers = Array.from({ length: options.writers }, () => new PostgresConnection(shared));
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

  /** Runs a statement on the reading connection with the fewest pending statements. */
  read(sql: string, values?: readonly unknown[]): Promise<Answer> {
    let best = this.#readers[0]!;
    for (const connection of this.#readers)
      if (connection.isUp && (!best.isUp || connection.pending < best.pending)) best = connection;
    return best.query(sql, values);
  }

  /** A connection for one transaction. Throws `StoreError` `unavailable` when none is free in time. */
  acquire(): Promise<PostgresConnection> | PostgresConnection {
    const free = this.#writers.find((connection) => connection.isUp && !this.#busy.has(connection));
    if (free) {
      this.#busy.add(free);
      return free;
    }
    if (this.#waiting.length >= MAX_WAITING || !this.#writers.some((connection) => connection.isUp)) throw noneFree();
    const until = performance.now() + this.#options.statementTimeoutMs;
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject, until }));
  }

  release(connection: PostgresConnection): void {
    const next = connection.isUp ? this.#waiting.shift() : undefined;
    if (next) next.resolve(connection);
    else this.#busy.delete(connection);
  }

  async close(): Promise<void> {
    clearInterval(this.#watch);
    await Promise.all([...this.#readers, ...this.#writers].map((connection) => connection.close()));
  }

  #check(): void {
    const silenceMs = this.#options.statementTimeoutMs + GRACE_MS;
    for (const connection of [...this.#readers, ...this.#writers]) connection.checkAlive(silenceMs);
    const now = performance.now();
    const isDown = !this.#writers.some((connection) => connection.isUp);
    while (this.#waiting[0] && (isDown || this.#waiting[0].until < now)) this.#waiting.shift()!.reject(noneFree());
    for (const connection of this.#writers) {
      if (!connection.isUp || this.#busy.has(connection) || this.#waiting.length === 0) continue;
      this.#busy.add(connection);
      this.#waiting.shift()!.resolve(connection);
    }
  }
}

function noneFree(): StoreError {
  return new StoreError({ kind: 'unavailable' }, new Error('no connection to Postgres is free'));
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
