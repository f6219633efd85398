import type { Id } from '../../../descriptor/resource.ts';
import { positionOf } from '../../../descriptor/table.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { importOwnRows } from '../migration/own-rows.ts';
import type { RowScope } from '../row-scope.ts';
import type { TableStatements } from '../statements/table-statements.ts';
import type { Along, Condition, OwnRows, Reader, Row, Transaction } from '../store.ts';
import { type WallOf, walledTransaction } from '../tenant-wall.ts';
import type { SqliteConnection } from './sqlite-connection.ts';
import { named } from './sqlite-errors.ts';
import type { SqliteJobWrites } from './sqlite-jobs.ts';
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
  #isOver = false;
  /** There is one writer, so that reads need no locks. */
  readonly unlocked: Reader = this;
  readonly jobs: SqliteJobWrites;
  readonly claim = (): boolean => true;
  readonly lock = (): void => undefined;
  readonly lockReferences = (): void => undefined;
  readonly whereReferred = (): Transaction => this;

  constructor(connection: SqliteConnection, jobs: SqliteJobWrites, tables: Tables, wallOf: WallOf | undefined) {
    super(connection, tables);
    this.#wallOf = wallOf;
    this.jobs = jobs;
  }

  /** Does work in a transaction of its own: code that goes on when the work has ended can use it no more. */
  async untilEnd<T>(work: (own: SqliteTransaction) => MaybePromise<T>): Promise<T> {
    const own = new SqliteTransaction(this.connection, this.jobs, this.tables, this.#wallOf);
    try {
      return await work(own);
    } finally {
      own.#isOver = true;
    }
  }

  protected override statements(resource: string): TableStatements {
    this.#checkOpen();
    return super.statements(resource);
  }

  #checkOpen(): void {
    if (this.#isOver) throw new Error('The transaction has ended.');
  }

  within(scope: RowScope): Transaction {
    this.#checkOpen();
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

  #withPropertyNames<T>(resource: string, write: () => T): T {
    try {
      return write();
    } catch (error) {
      throw named(error, this.statements(resource).table);
    }
  }
}
