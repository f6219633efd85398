import { type RawBuilder, sql } from 'kysely';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { Condition } from '../store.ts';
import { relationOf, rowsOf } from './columns.ts';
import { type TestContext, tests } from './conditions.ts';
import { all, selected } from './select-rows.ts';
import { shapeOf, widthOf } from './shapes.ts';
import { compiledBy, type Statement } from './statement.ts';
import { ShapedStatements } from './table-statements.ts';

/** Statements that write columns of a table of others, compiled once per shape. */
export class ColumnStatements {
  readonly #context: TestContext;
  readonly #table: Table;
  readonly #shapes = new ShapedStatements();

  constructor(context: TestContext, table: Table) {
    this.#context = context;
    this.#table = table;
  }

  /** Arguments: the values of the columns. */
  insert(columns: readonly string[]): Statement {
    return this.#shapes.once(`insert ${JSON.stringify(columns)}`, () => {
      const names = sql.join(columns.map((column) => sql.id(column)));
      const values = sql.join(columns.map((_, i) => sql.val(i)));
      const row = columns.length === 0 ? sql`default values` : sql`(${names}) values (${values})`;
      return this.#returning(sql`insert into ${relationOf(this.#table)} ${row}`);
    });
  }

  /** Arguments: the id, the conditions' values, the values of the columns. */
  update(columns: readonly string[], conditions: readonly Condition[]): Statement {
    return this.#shapes.once(`update ${JSON.stringify(columns)} ${shapeOf(conditions)}`, () => {
      const first = 1 + widthOf(conditions);
      const set = sql.join(columns.map((column, i) => sql`${sql.id(column)} = ${sql.val(first + i)}`));
      const isIt = this.#context.dialect.equals(columnOf(this.#table, 'id'), 0);
      const isRow = all([isIt, ...tests(this.#context, this.#table, conditions, 1, 'given')]);
      return this.#returning(sql`update ${rowsOf(this.#table)} set ${set} where ${isRow}`);
    });
  }

  /** Rows as they are read. */
  #returning(write: RawBuilder<unknown>): Statement {
    const columns = sql.join(this.#table.selected!.map(selected));
    return compiledBy(this.#context.dialect.builder, sql`${write} returning ${columns}`);
  }
}
