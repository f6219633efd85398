import type { Id } from '../../../descriptor/resource.ts';
import { columnOf, positionOf } from '../../../descriptor/table.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { ColumnStatements } from '../statements/column-statements.ts';
import { bind, widthOf } from '../statements/shapes.ts';
import type { Statement } from '../statements/statement.ts';
import type { Condition, Row, StoredValue } from '../store.ts';
import { StoreError } from '../store-error.ts';
import type { Answer } from './answer.ts';
import { type RefusedWrite, refusalOf } from './mapped-refusals.ts';
import type { ColumnWrites, MappedWriter } from './mapped-writing.ts';
import { isConflict } from './postgres-errors.ts';
import type { PostgresTable } from './postgres-reader.ts';
import { compared } from './values.ts';

/** How a transaction runs the statements of one table. */
interface Running {
  readonly write: (sql: string, values: readonly unknown[]) => Promise<Answer>;
  readonly valuesOf: (conditions: readonly Condition[], into: StoredValue[]) => StoredValue[];
  readonly get: (resource: string, id: Id) => MaybePromise<Row | undefined>;
}

/** What is behind the writes of a table may still change the row, or forbid the change: then is when to hear of it. */
const CHECKED_NOW = 'set constraints all immediate';

/** The rows of a table of others within one transaction. Throws `StoreError`. */
export class MappedRows {
  readonly #table: PostgresTable;
  readonly #writer: MappedWriter;
  readonly #statements: ColumnStatements;
  readonly #running: Running;

  constructor(table: PostgresTable, mapped: NonNullable<PostgresTable['mapped']>, running: Running) {
    this.#table = table;
    this.#writer = mapped.writer;
    this.#statements = mapped.statements;
    this.#running = running;
  }

  async insert(row: Row, values: object): Promise<Row> {
    const given = namesIn(values);
    const written = this.#writer.written(row, given);
    await this.#checkSpelling(row, given);
    const statement = this.#statements.insert(written.columns);
    const kept = await this.#written(statement, written.values, { written, given, firstValue: 0 });
    if (!kept) throw notWritten();
    return kept;
  }

  /** Undefined if the row does not meet the conditions, or is gone. */
  async update(
    row: Row,
    changed: readonly string[],
    conditions: readonly Condition[],
    input: object,
  ): Promise<Row | undefined> {
    const given = [...new Set([...changed, ...namesIn(input)])];
    const { table } = this.#table.statements;
    if (given.length > changed.length) this.#writer.written(row, given);
    const written = this.#writer.written(row, changed, given);
    await this.#checkSpelling(row, changed);
    const id = row[positionOf(table, 'id')] as Id;
    if (written.columns.length === 0) return this.#running.get(table.descriptor.key, id);
    const statement = this.#statements.update(written.columns, conditions);
    const values = this.#running.valuesOf(conditions, [compared(columnOf(table, 'id'), id)]);
    const firstValue = 1 + widthOf(conditions);
    const kept = await this.#written(statement, [...values, ...written.values], { written, given, firstValue });
    if (!kept && conditions.length === 0) throw notWritten();
    return kept;
  }

  async delete(id: Id, conditions: readonly Condition[]): Promise<boolean> {
    const { table } = this.#table.statements;
    const values = this.#running.valuesOf(conditions, [compared(columnOf(table, 'id'), id)]);
    const { count } = await this.#run(this.#table.statements.delete(conditions), values, { given: [] });
    if (count === 0) throw notWritten();
    if (this.#writer.live.hasDeferred) await this.#run({ sql: CHECKED_NOW, slots: [] }, [], { given: [] });
    return true;
  }

  /** The row as it is stored behind all triggers. */
  async #written(statement: Statement, values: readonly StoredValue[], write: WrittenFrom): Promise<Row | undefined> {
    const { hasAfterTriggers, hasDeferred } = this.#writer.live;
    const { rows } = await this.#run(statement, values, write);
    if (hasDeferred) await this.#run({ sql: CHECKED_NOW, slots: [] }, [], write);
    const row = rows[0] && this.#table.decode(rows[0]);
    if (!row || !(hasAfterTriggers || hasDeferred)) return row;
    const { table } = this.#table.statements;
    return (await this.#running.get(table.descriptor.key, row[positionOf(table, 'id')] as Id)) ?? row;
  }

  /** Foreign keys find a row by another spelling of its id, which names no row. */
  async #checkSpelling(row: Row, names: readonly string[]): Promise<void> {
    for (const [resource, id] of this.#writer.respelled(row, names))
      if (!(await this.#running.get(resource, id)))
        throw new StoreError({ kind: 'reference' }, new Error('another spelling of an id'));
  }

  async #run(
    { sql, slots }: Statement,
    values: readonly StoredValue[],
    { written, given, firstValue = 0 }: WrittenFrom,
  ): Promise<Answer> {
    try {
      return await this.#running.write(sql, bind(slots, values));
    } catch (error) {
      if (isConflict(error)) throw error;
      const placeholders = slots.map((slot) => written?.columns[slot - firstValue]);
      throw refusalOf(error, { writer: this.#writer, written, given, placeholders });
    }
  }
}

const namesIn = (values: object): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));

/** `firstValue`: where among the arguments the values of the columns begin. */
type WrittenFrom = Omit<RefusedWrite, 'writer' | 'placeholders'> & {
  readonly written?: ColumnWrites;
  readonly firstValue?: number;
};

/** A trigger or rule has made nothing of the statement. */
const notWritten = (): StoreError =>
  new StoreError({ kind: 'refused', properties: [] }, new Error('nothing was written'));
