import type { Id } from '../../../descriptor/resource.ts';
import { positionOf } from '../../../descriptor/table.ts';
import { importOwnRows } from '../migration/own-rows.ts';
import type { RowScope } from '../row-scope.ts';
import type { Along, Condition, OwnRows, Reader, Row, Transaction } from '../store.ts';
import { StoreError } from '../store-error.ts';
import { type WallOf, walledTransaction } from '../tenant-wall.ts';
import type { GroupCommit } from './group-commit.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { SqliteJobWrites } from './sqlite-jobs.ts';
import { runOn } from './sqlite-migration.ts';
import { SqliteReader, type Tables, valuesOf } from './sqlite-reader.ts';

const RECALL = { sql: 'select value from lockstep_memory where key = ? and expires_at > ?', slots: [0, 1] };
const REMEMBER = {
  sql: `insert into lockstep_memory (key, value, expires_at) values (?, ?, ?)
        on conflict (key) do update set value = excluded.value, expires_at = excluded.expires_at`,
  slots: [0, 1, 2],
};

/** Reads and writes over the writing connection, in the transaction that is open there. */
export class SqliteTransaction extends SqliteReader implements Transaction {
  readonly #wallOf: WallOf | undefined;
  /** There is one writer, so that reads need no locks. */
  readonly unlocked: Reader = this;
  readonly jobs: SqliteJobWrites;
  readonly claim = (): boolean => true;
  readonly lock = (): void => undefined;
  readonly lockReferences = (): void => undefined;
  readonly whereReferred = (): Transaction => this;

  constructor(connection: SqliteConnection, commits: GroupCommit, tables: Tables, wallOf: WallOf | undefined) {
    super(connection, tables);
    this.#wallOf = wallOf;
    this.jobs = new SqliteJobWrites(connection, commits);
  }

  within(scope: RowScope): Transaction {
    return this.#wallOf ? walledTransaction(this, this.#wallOf(scope)) : this;
  }

  insert(resource: string, row: Row, { event }: Along = {}): Row {
    const { insert, insertCounted, table } = this.statements(resource);
    if (insertCounted && row[positionOf(table, 'id')] === null)
      return this.#withPropertyNames(resource, () => this.connection.first(insertCounted, row)!);
    this.#withPropertyNames(resource, () => this.connection.run(insert, row));
    if (event) this.jobs.emit(() => [event()]);
    return row;
  }

  insertAll(resource: string, rows: readonly Row[]): void {
    for (const row of rows) this.insert(resource, row);
  }

  update(resource: string, row: Row, changed: readonly string[], conditions: readonly Condition[] = []) {
    const update = this.statements(resource).update(changed, conditions);
    const values = conditions.length === 0 ? row : valuesOf(conditions, [...row]);
    const count = this.#withPropertyNames(resource, () => this.connection.run(update, values));
    return count > 0 ? row : undefined;
  }

  delete(resource: string, id: Id, conditions: readonly Condition[] = []): boolean {
    return this.connection.run(this.statements(resource).delete(conditions), valuesOf(conditions, [id])) > 0;
  }

  deleteEach(resource: string, ids: readonly Id[], conditions: readonly Condition[] = []): void {
    this.connection.run(this.statements(resource).deleteEach(conditions), valuesOf(conditions, [JSON.stringify(ids)]));
  }

  deferReferences(): boolean {
    this.connection.execute('pragma defer_foreign_keys = on');
    return true;
  }

  recall(key: string, now: Date): string | undefined {
    return this.connection.first(RECALL, [key, now.toISOString()])?.[0] as string | undefined;
  }

  remember(key: string, text: string, expires: Date): void {
    this.connection.run(REMEMBER, [key, text, expires.toISOString()]);
  }

  async importOwnRows(pages: AsyncIterable<OwnRows>): Promise<void> {
    await importOwnRows('sqlite', runOn(this.connection.database), pages);
    this.jobs.takeCopied();
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
