import type { PostgresConnection } from './postgres-connection.ts';
import { isCancelled } from './postgres-errors.ts';

/** Knows which tables somebody has locked. */
export interface LockBoard {
  /** Whether a transaction that turns to another table must leave its connection to others. */
  mustLeave(lease: Lease, table: string): boolean;
  /** A statement on the table has come through. */
  cameThrough(table: string): void;
}

/** The transaction has left its connection to those of other tables; it can run again when there is one for it. */
export class Withdrawn extends Error {
  /** Whether it ran along with statements of other callers, which may have used up its time. */
  readonly wasShared: boolean;

  constructor(table: string, wasShared = false) {
    super(`too many transactions wait for table ${table}`);
    this.wasShared = wasShared;
  }
}

interface Pending {
  readonly table: string;
  sinceMs: number;
}

/** The connection of one transaction, and the tables that the transaction concerns. */
export class Lease {
  readonly connection: PostgresConnection;
  readonly tables: Set<string>;
  /** Whether several callers share it, so that none may wait for what another one waits for. */
  readonly isShared: boolean;
  readonly #board: LockBoard;
  /** The first is the one that the server runs. */
  readonly #pending: Pending[] = [];
  #withdrawn: Withdrawn | undefined;
  #cancelling: Promise<void> | undefined;
  #isCancelling = false;

  constructor(connection: PostgresConnection, tables: ReadonlySet<string>, board: LockBoard, isShared = false) {
    this.connection = connection;
    this.tables = new Set(tables);
    this.#board = board;
    this.isShared = isShared;
  }

  /** Runs a statement on a table. Throws `Withdrawn`, and what the statement throws. */
  async run<T>(table: string, statement: () => Promise<T>): Promise<T> {
    this.#enter(table);
    const pending = { table, sinceMs: performance.now() };
    this.#pending.push(pending);
    let isThrough = false;
    try {
      const answer = await statement();
      isThrough = true;
      return answer;
    } catch (error) {
      if (this.#cancelling && isCancelled(error)) throw this.#withdraw(table);
      throw error;
    } finally {
      this.#ended(pending);
      if (isThrough) this.#board.cameThrough(table);
    }
  }

  /** The statement that the server runs, its table, and since when. */
  get running(): Readonly<Pending> | undefined {
    return this.#pending[0];
  }

  /** Why the transaction must not be committed, whatever its work made of the error. */
  get withdrawn(): Withdrawn | undefined {
    return this.#withdrawn;
  }

  /** Ends the wait of the running statement. What follows waits for the request to arrive: it must not hit the commit. */
  cancel(request: () => Promise<void>): void {
    if (this.#isCancelling) return;
    this.#isCancelling = true;
    this.#cancelling = request().then(() => {
      this.#isCancelling = false;
    });
  }

  /** Resolves when no request to cancel is on its way. */
  get settled(): Promise<void> | undefined {
    return this.#cancelling;
  }

  #enter(table: string): void {
    if (this.#withdrawn) throw this.#withdrawn;
    if (this.tables.has(table)) return;
    const mustLeave = this.#board.mustLeave(this, table);
    this.tables.add(table);
    if (mustLeave) throw this.#withdraw(table);
  }

  #withdraw(table: string): Withdrawn {
    this.#withdrawn ??= new Withdrawn(table);
    return this.#withdrawn;
  }

  #ended(pending: Pending): void {
    this.#pending.splice(this.#pending.indexOf(pending), 1);
    const next = this.#pending[0];
    if (next) next.sinceMs = Math.max(next.sinceMs, performance.now());
  }
}
