import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { bind, type Statement } from '../statements/statement.ts';
import type { StoredValue } from '../store.ts';
import { storeError } from './sqlite-errors.ts';

const MAX_PREPARED = 500;

/** One SQLite connection with its prepared statements. Throws `StoreError`. */
export class SqliteConnection {
  readonly database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  first(statement: Statement, values: readonly StoredValue[]): readonly StoredValue[] | undefined {
    return this.#run(statement, values, (prepared, bound) => read(prepared, () => prepared.get(...bound))) as never;
  }

  all(statement: Statement, values: readonly StoredValue[]): readonly (readonly StoredValue[])[] {
    return this.#run(statement, values, (prepared, bound) => read(prepared, () => prepared.all(...bound))) as never;
  }

  /** Returns the number of rows changed. */
  run(statement: Statement, values: readonly StoredValue[]): number {
    return this.#run(statement, values, (prepared, bound) => Number(prepared.run(...bound).changes), 'write');
  }

  execute(sql: string): void {
    try {
      this.#prepare(sql).get();
    } catch (error) {
      throw storeError(error);
    }
  }

  #run<T>(
    { sql, slots }: Statement,
    values: readonly StoredValue[],
    run: (prepared: StatementSync, bound: StoredValue[]) => T,
    kind?: 'write',
  ): T {
    try {
      return run(this.#prepare(sql, kind), bind(slots, values));
    } catch (error) {
      throw storeError(error);
    }
  }

  #prepare(sql: string, kind?: 'write'): StatementSync {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const prepared = this.database.prepare(sql);
    prepared.setReturnArrays(true);
    // What a write reports includes the id of the last row, which need not fit into a number.
    if (kind === 'write') prepared.setReadBigInts(true);
    if (this.#prepared.size >= MAX_PREPARED) this.#prepared.delete(this.#prepared.keys().next().value!);
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** An integer that another program wrote may be beyond those that a number holds: it is rounded, as Postgres' are. */
function read<T>(prepared: StatementSync, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_OUT_OF_RANGE') throw error;
    prepared.setReadBigInts(true);
    try {
      return rounded(run()) as T;
    } finally {
      prepared.setReadBigInts(false);
    }
  }
}

function rounded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rounded);
  return typeof value === 'bigint' ? Number(value) : value;
}
