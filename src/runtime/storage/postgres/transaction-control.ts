import { StoreError } from '../store-error.ts';
import type { Answer, Query } from './answer.ts';
import type { Lease } from './lease.ts';
import { positionOf } from './positions.ts';
import { isConflict } from './postgres-errors.ts';

/** A statement on one table. */
export interface TableStatement {
  readonly table: string;
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Must precede the statement, unless it was sent last. */
  readonly opening?: string | undefined;
}

/** Where the statements of a transaction run. */
export interface Control {
  /** A statement on no table of a resource. */
  query(sql: string, values?: readonly unknown[]): Promise<Answer>;
  read(statement: TableStatement): Promise<Answer>;
  write(statement: TableStatement): Promise<Answer>;
  /** A write of one new row, whose id is known. */
  insert(statement: TableStatement): Promise<Answer>;
}

export interface ControlOptions {
  /** Undefined: each statement is committed by itself. */
  readonly begin: string | undefined;
  /** How it ends, where that says of rows. */
  readonly opening: string | undefined;
  /** Whether the question for the position is sent along with what commits. */
  readonly asksPosition: boolean;
  /**
   * With savepoints, only the refused write is undone and the transaction can go on; without them, which is faster, a refused
   * write ends the transaction.
   */
  readonly hasSavepoints: boolean;
}

/**
 * Begins and ends one transaction on a connection. To save round trips, `begin` and savepoints are sent along with the
 * next statement.
 */
export class TransactionControl implements Control {
  readonly #lease: Lease;
  readonly #query: Query;
  readonly #hasSavepoints: boolean;
  readonly #failures: unknown[] = [];
  readonly #begin: string | undefined;
  /** What `begin` says of the rows in reach. */
  readonly #opening: string | undefined;
  /** What was said last; undefined where nobody knows. */
  #said: string | undefined;
  #lastWrite: Promise<unknown> | undefined;
  #mustRollBack = false;
  /** What code sends that nobody waits for would be committed by itself, or with what others have begun here. */
  #isOver = false;
  /**
   * Statements to send with the next one. Nobody waits for their answers: when they fail, the next statement fails,
   * too.
   */
  #deferred: string[];
  readonly #asksPosition: boolean;
  #position: Promise<bigint | undefined> | undefined;

  constructor(lease: Lease, { begin, opening, asksPosition, hasSavepoints }: ControlOptions) {
    this.#lease = lease;
    this.#query = lease.connection.pinnedQuery();
    this.#hasSavepoints = hasSavepoints;
    this.#asksPosition = asksPosition;
    this.#begin = begin;
    this.#opening = opening;
    this.#said = opening;
    this.#deferred = begin === undefined ? [] : [begin];
  }

  /** `opening`: what the statement has to be preceded by, where others have not said the same. */
  async query(sql: string, values?: readonly unknown[], opening?: string): Promise<Answer> {
    if (this.#isOver) throw new Error('The transaction has ended.');
    if (opening !== undefined && opening !== this.#said) {
      this.#deferred.push(opening);
      this.#said = opening;
    }
    if (this.#deferred.length > 0) {
      this.#query(this.#deferred.join('; ')).catch(() => {});
      this.#deferred = [];
    }
    try {
      return await this.#query(sql, values);
    } catch (error) {
      this.#failures.push(error);
      throw error;
    }
  }

  read({ table, sql, values, opening }: TableStatement): Promise<Answer> {
    return this.#lease.run(table, () => this.query(sql, values, opening));
  }

  /** Writes run one after the other, so that each has its own savepoint. */
  write(statement: TableStatement): Promise<Answer> {
    const write = () => this.#write(statement);
    const written = this.#lastWrite ? this.#lastWrite.then(write, write) : write();
    this.#lastWrite = written;
    return written;
  }

  insert(statement: TableStatement): Promise<Answer> {
    return this.write(statement);
  }

  async #write({ table, sql, values, opening }: TableStatement): Promise<Answer> {
    if (this.#hasSavepoints) this.#deferred.push('savepoint write');
    try {
      const answer = await this.#lease.run(table, () => {
        const answering = this.query(sql, values, opening);
        if (this.#begin === undefined) this.#askPosition();
        return answering;
      });
      if (this.#hasSavepoints) this.#deferred.push('release savepoint write');
      return answer;
    } catch (error) {
      if (!isConflict(error)) this.#refused();
      throw error;
    }
  }

  #refused(): void {
    if (this.#hasSavepoints) {
      this.#deferred.push('rollback to savepoint write', 'release savepoint write');
      this.#said = undefined;
    } else this.#restart();
  }

  /**
   * Rolls back and begins anew, so that the reason for a refused write can be read. Nothing can be committed any more.
   */
  #restart(): void {
    if (this.#begin === undefined) return;
    this.#mustRollBack = true;
    this.#deferred = ['rollback', this.#begin];
    this.#said = this.#opening;
  }

  /**
   * Throws the error that prevents the commit, which may be one of an earlier statement that the caller ignored.
   */
  async commit(): Promise<void> {
    if (this.#mustRollBack)
      throw new Error('A transaction cannot be committed after one of its writes was refused.', {
        cause: this.#failures[0],
      });
    if (this.#begin === undefined) return;
    this.#isOver = true;
    const committing = this.#query([...this.#deferred, 'commit'].join('; '));
    this.#askPosition();
    const { command } = await committing;
    if (command !== 'COMMIT') throw this.conflict ?? new StoreError({ kind: 'unavailable' }, this.#failures[0]);
  }

  /** The position behind the commit, where it was asked for. */
  get position(): Promise<bigint | undefined> | undefined {
    return this.#position;
  }

  #askPosition(): void {
    if (this.#asksPosition) this.#position = positionOf(this.#query);
  }

  rollback(): void {
    if (this.#begin === undefined) return;
    this.#isOver = true;
    this.#query('rollback').catch(() => {});
  }

  /** The first conflict with another transaction. Whatever error followed from it, the transaction must be retried. */
  get conflict(): unknown {
    return this.#failures.find(isConflict);
  }
}
