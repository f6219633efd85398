import { StoreError } from '../store-error.ts';
import type { Answer, Query } from './postgres-connection.ts';
import { isConflict } from './postgres-errors.ts';

/**
 * Begins and ends one transaction on a connection. To save round trips, `begin` and savepoints are sent along with the
 * next statement.
 */
export class TransactionControl {
  readonly #query: Query;
  readonly #failures: unknown[] = [];
  readonly #begin: string | undefined;
  #mustRollBack = false;
  /**
   * Statements to send with the next one. Nobody waits for their answers: when they fail, the next statement fails,
   * too.
   */
  #deferred: string[];

  /** When `begin` is undefined, each statement is committed by itself. */
  constructor(query: Query, begin: string | undefined) {
    this.#query = query;
    this.#begin = begin;
    this.#deferred = begin === undefined ? [] : [begin];
  }

  /** Sends a statement along with the next one. */
  sendWithNext(sql: string): void {
    this.#deferred.push(sql);
  }

  async query(sql: string, values?: readonly unknown[]): Promise<Answer> {
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

  /**
   * Rolls back and begins anew, so that the reason for a refused write can be read. Nothing can be committed any more.
   */
  restart(): void {
    if (this.#begin === undefined) return;
    this.#mustRollBack = true;
    this.#deferred = ['rollback', this.#begin];
  }

  /** Throws the error that prevents the commit, which may be one of an earlier statement that the caller ignored. */
  async commit(): Promise<void> {
    if (this.#mustRollBack)
      throw new Error('A transaction cannot be committed after one of its writes was refused.', {
        cause: this.#failures[0],
      });
    if (this.#begin === undefined) return;
    const { command } = await this.#query([...this.#deferred, 'commit'].join('; '));
    if (command !== 'COMMIT') throw this.conflict ?? new StoreError({ kind: 'unavailable' }, this.#failures[0]);
  }

  rollback(): void {
    if (this.#begin === undefined) return;
    this.#query('rollback').catch(() => {});
  }

  /** The first conflict with another transaction. Whatever error followed from it, the transaction must be retried. */
  get conflict(): unknown {
    return this.#failures.find(isConflict);
  }
}
