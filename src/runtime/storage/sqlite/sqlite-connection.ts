import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { bind } from '../statements/shapes.ts';
import type { Statement } from '../statements/statement.ts';
import type { StoredValue } from '../store.ts';
import { addExactNumbers } from './exact-numbers.ts';
import { missingIn } from './missing.ts';
import { type Read, rounding } from './rounded.ts';
import { storeError } from './sqlite-errors.ts';

const MAX_PREPARED = 500;

/** Bytes. */
const PAGE_SIZE = 4_096;

/** One SQLite connection with its prepared statements. Throws `StoreError`. */
export class SqliteConnection {
  readonly database: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();
  /** What is thrown for an error of SQLite. */
  readonly #translated: (error: unknown) => unknown;
  #writtenPages = 0;

  constructor(database: DatabaseSync, translated = storeError) {
    this.database = database;
    this.#translated = translated;
    addExactNumbers(database);
  }

  /** About how many pages it has written so far: one for each row, and what texts take. */
  get writtenPages(): number {
    return this.#writtenPages;
  }

  first(statement: Statement, values: readonly StoredValue[]): readonly StoredValue[] | undefined {
    return this.#read(statement, values, first) as never;
  }

  /** The value of a statement that always gives one row. */
  value(statement: Statement, values: readonly StoredValue[]): StoredValue {
    const [value] = this.first(statement, values) ?? [];
    if (value === undefined) throw new Error(`There is no row: ${statement.sql}`);
    return value;
  }

  all(statement: Statement, values: readonly StoredValue[]): readonly (readonly StoredValue[])[] {
    return this.#read(statement, values, all) as never;
  }

  /** Returns the number of rows changed. `pagesEach`: pages of a row beside its texts; none at the end of a table, where rows share them. */
  run(statement: Statement, values: readonly StoredValue[], pagesEach = 1): number {
    try {
      const prepared = this.#prepare(statement, 'write');
      const bound = inOrder(prepared, statement.slots, values);
      for (const value of bound) if (typeof value === 'string') this.#writtenPages += value.length / PAGE_SIZE;
      const changes = Number(prepared.sync.run(...bound).changes);
      this.#writtenPages += changes * pagesEach;
      return changes;
    } catch (error) {
      throw this.#failure(statement, error);
    }
  }

  execute(sql: string): void {
    try {
      this.#prepare({ sql, slots: [] }).sync.get();
    } catch (error) {
      throw this.#translated(error);
    }
  }

  #read(statement: Statement, values: readonly StoredValue[], run: Read): unknown {
    try {
      const prepared = this.#prepare(statement);
      const bound = inOrder(prepared, statement.slots, values);
      try {
        return run(prepared.sync, bound);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error;
        return rounding(prepared.sync, bound, run);
      }
    } catch (error) {
      throw this.#failure(statement, error);
    }
  }

  #failure({ sql }: Statement, error: unknown): unknown {
    return missingIn(this.database, sql, error) ?? this.#translated(error);
  }

  #prepare({ sql, slots }: Statement, kind?: 'write'): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const sync = this.database.prepare(sql);
    sync.setReturnArrays(true);
    // What a write reports includes the id of the last row, which need not fit into a number.
    if (kind === 'write') sync.setReadBigInts(true);
    const prepared = { sync, slots, isInOrder: slots.every((slot, i) => slot === i) };
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.delete(this.#prepared.keys().next().value!);
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

interface Prepared {
  readonly sync: StatementSync;
  readonly slots: Statement['slots'];
  readonly isInOrder: boolean;
}

/** Statements with the same text may have other slots: those of a probe are those of its list. */
const inOrder = (known: Prepared, slots: Statement['slots'], values: readonly StoredValue[]): readonly StoredValue[] =>
  known.isInOrder && known.slots === slots && slots.length === values.length ? values : bind(slots, values);

const first: Read = (prepared, bound) => prepared.get(...bound);
const all: Read = (prepared, bound) => prepared.all(...bound);
