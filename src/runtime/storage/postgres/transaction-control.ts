import { StoreError } from '../store-error.ts';
import type { Answer, Query } from './link.ts';
import { isConflict } from './postgres-errors.ts';

/** One transaction of a connection. What begins, marks and ends it travels with the statement that comes next. */
export class Session {
  readonly #query: Query;
  readonly #failures: unknown[] = [];
  readonly #begin: string | undefined;
  #isDoomed = false;
  /** Statements whose answers nobody waits for: what fails in them fails in the next, too. */
  #owed: string[];

  /** Without a `begin`, each statement is committed by itself. */
  constructor(query: Query, begin: string | undefined) {
    this.#query = query;
    this.#begin = begin;
    this.#owed = begin === undefined ? [] : [begin];
  }

  /** Sends the statement along with the next one. */
  owe(sql: string): void {
    this.#owed.push(sql);
  }

  async query(sql: string, values?: readonly unknown[]): Promise<Answer> {
    if (this.#owed.length > 0) {
      this.#query(this.#owed.join('; ')).catch(() => {});
      this.#owed = [];
    }
    try {
      return await this.#query(sql, values);
    } catch (error) {
      this.#failures.push(error);
      throw error;
    }
  }

  /** Undoes everything. What is read from here on explains why; nothing can be committed. */
  restart(): void {
    if (this.#begin === undefined) return;
    this.#isDoomed = true;
    this.#owed = ['rollback', this.#begin];
  }

  /** Throws what stood against it. A statement that failed does, even if nobody minded. */
  async commit(): Promise<void> {
    if (this.#isDoomed)
      throw new Error('A transaction goes on after a write was refused.', { cause: this.#failures[0] });
    if (this.#begin === undefined) return;
    const { command } = await this.#query([...this.#owed, 'commit'].join('; '));
    if (command !== 'COMMIT') throw this.conflict ?? new StoreError({ kind: 'unavailable' }, this.#failures[0]);
  }

  rollback(): void {
    if (this.#begin === undefined) return;
    this.#query('rollback').catch(() => {});
  }

  /** Another transaction was in the way: whatever came of it, it is to be done again. */
  get conflict(): unknown {
    return this.#failures.find(isConflict);
  }
}
