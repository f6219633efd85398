import type { Id } from '../../../descriptor/resource.ts';
import { positionOf } from '../../../descriptor/table.ts';
import type { Reader, Row, Transaction } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { SqliteReader } from './sqlite-reader.ts';

const RECALL = { sql: 'select value from lockstep_memory where key = ? and expires_at > ?', slots: [0, 1] };
const REMEMBER = {
  sql: `insert into lockstep_memory (key, value, expires_at) values (?, ?, ?)
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
  slots: [0, 1, 2],
};

/** Reads and writes over the writing connection, in the transaction that is open there. */
export class SqliteTransaction extends SqliteReader implements Transaction {
  /** There is one writer, so that reads need no locks. */
  get unlocked(): Reader {
    return this;
  }

  insert(resource: string, row: Row): Row {
    const { insert, insertCounted, table } = this.statements(resource);
    if (insertCounted && row[positionOf(table, 'id')] === null)
      return this.#withPropertyNames(resource, () => this.connection.first(insertCounted, row)!);
    this.#withPropertyNames(resource, () => this.connection.run(insert, row));
    return row;
  }

  insertAll(resource: string, rows: readonly Row[]): void {
    for (const row of rows) this.insert(resource, row);
  }

  update(resource: string, row: Row, changed: readonly string[]): Row {
    const statements = this.statements(resource);
    this.#withPropertyNames(resource, () =>
      this.connection.run(statements.update(changed), statements.updated(row, changed)),
    );
    return row;
  }

  delete(resource: string, id: Id): boolean {
    return this.connection.run(this.statements(resource).delete, [id]) > 0;
  }

  deferReferences(): void {
    this.connection.execute('pragma defer_foreign_keys = on');
  }

  claim(): boolean {
    return true;
  }

  recall(key: string, now: Date): string | undefined {
    return this.connection.first(RECALL, [key, now.toISOString()])?.[0] as string | undefined;
  }

  remember(key: string, text: string, expires: Date): void {
    this.connection.run(REMEMBER, [key, text, expires.toISOString()]);
  }

  /** SQLite reports the columns of a violated unique key; a `StoreError` has properties. */
  #withPropertyNames<T>(resource: string, write: () => T): T {
    try {
      return write();
    } catch (error) {
      if (!(error instanceof StoreError) || error.failure.kind !== 'unique') throw error;
      const { columns } = this.statements(resource).table;
      const properties = error.failure.properties.map((name) => columns.find(({ column }) => column === name)!.name);
      throw new StoreError({ kind: 'unique', properties }, error.cause);
    }
  }
}
