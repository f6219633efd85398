import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isIdCounted } from '../../../descriptor/resource.ts';
import { columnOf, positionOf, type Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';
import type { Condition, CountQuery, GroupQuery, RowQuery, TotalsQuery } from '../store.ts';
import { rowsOf } from './columns.ts';
import { type TestContext, tests } from './conditions.ts';
import { deletionOfEach, meetingOfEach, rowsOfEach } from './each.ts';
import { GroupStatements } from './group-statements.ts';
import { ListStatements } from './list-statements.ts';
import { areIdsKeyed, areTestsBounded, tablesOf } from './reach.ts';
import { all, columnsIn, rowsWhere } from './select-rows.ts';
import { shapeOf } from './shapes.ts';
import { compiledBy, type ReadStatement, type Statement, statement, withLimit } from './statement.ts';
import { totalsOf, totalsShape } from './totals-statements.ts';

type Test = RawBuilder<SqlBool>;

const MAX_SHAPES = 2000;

/** Statements, compiled once per shape. Of more than clients use in practice, the oldest goes. */
export class ShapedStatements {
  readonly #known = new Map<string, Statement>();

  once<S extends Statement>(shape: string, make: () => S): S {
    const known = this.#known.get(shape);
    if (known) return known as S;
    const made = make();
    if (this.#known.size >= MAX_SHAPES) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(shape, made);
    return made;
  }
}

/** Clauses at the end of statements: `get` and `list` select, `insert` and `update` write. */
export interface Clauses {
  readonly select?: string;
  readonly write?: string;
}

/** A table alone: conditions ask no other. */
const aloneIn =
  (table: Table) =>
  (resource: string): Table => {
    if (resource === table.descriptor.key) return table;
    throw new Error(`${table.descriptor.key} is not given the table of ${resource}.`);
  };

/** The statements of one table, compiled once per shape of query. */
export class TableStatements {
  readonly table: Table;
  readonly #dialect: SqlDialect;
  readonly #context: TestContext;
  readonly #clauses: Clauses;
  readonly #lists: ListStatements;
  readonly #groups: GroupStatements;
  readonly #shapes = new ShapedStatements();
  readonly insert: Statement;
  /** Arguments: as of `insert`, but for the id, which the database counts. Returns the row. */
  readonly insertCounted: Statement | undefined;

  /** `tableOf` finds the tables of other resources that conditions may ask, by key. */
  constructor(
    dialect: SqlDialect,
    table: Table,
    clauses: Clauses = {},
    tableOf: TestContext['tableOf'] = aloneIn(table),
  ) {
    this.table = table;
    this.#dialect = dialect;
    this.#context = { dialect, tableOf };
    this.#clauses = clauses;
    this.#lists = new ListStatements(this.#context, table, clauses.select);
    this.#groups = new GroupStatements(this.#context, table);
    const { builder } = dialect;
    this.insert = statement(
      builder.insertInto(table.name).values(Object.fromEntries(table.stored.map(({ column }, i) => [column, i]))),
      clauses.write,
    );
    this.insertCounted = isIdCounted(table.descriptor) ? this.#insertCounted() : undefined;
  }

  #insertCounted(): Statement {
    const given = this.table.stored.flatMap(({ name, column }, i) => (name === 'id' ? [] : [[column, i] as const]));
    const { builder } = this.#dialect;
    const insert = builder.insertInto(this.table.name).values(Object.fromEntries(given));
    return statement(insert.returning(columnsIn(this.#dialect, this.table)));
  }

  /** Arguments: the value of the property, then the conditions' values. */
  get(conditions: readonly Condition[], property = 'id', columns?: RowQuery['columns']): ReadStatement {
    const what = columns ? `get ${columns.shape}` : 'get';
    const by = property === 'id' ? what : `${what} by ${property}`;
    return this.#shapes.once(conditions.length === 0 ? by : `${by} ${shapeOf(conditions)}`, () => {
      const where = [this.#dialect.equals(columnOf(this.table, property), 0), ...this.#testsOfGiven(conditions)];
      const rows = rowsWhere(this.#dialect, this.table, where, { columns, order: [] });
      return this.#ofGiven(conditions, statement(rows, this.#clauses.select), property);
    });
  }

  /** Arguments: the row, then the conditions' values. */
  update(properties: readonly string[], conditions: readonly Condition[]): Statement {
    return this.#shapes.once(`update ${properties.join()} ${shapeOf(conditions)}`, () => {
      const values = properties.map((property) => [
        columnOf(this.table, property).column,
        positionOf(this.table, property),
      ]);
      const { builder } = this.#dialect;
      const changed = builder.updateTable(this.table.name).set(Object.fromEntries(values));
      const where = this.#rowWhere(positionOf(this.table, 'id'), conditions, this.table.columns.length);
      return statement(changed.where(where), this.#clauses.write);
    });
  }

  /** Arguments: the id, then the conditions' values. */
  delete(conditions: readonly Condition[]): Statement {
    return this.#shapes.once(`delete ${shapeOf(conditions)}`, () => {
      const isRow = this.#rowWhere(0, conditions, 1);
      return compiledBy(this.#dialect.builder, sql`delete from ${rowsOf(this.table)} where ${isRow}`);
    });
  }

  /** Arguments: the ids as a JSON array, the conditions' values. */
  deleteEach(conditions: readonly Condition[]): Statement {
    return this.#shapes.once(`delete each ${shapeOf(conditions)}`, () =>
      statement(deletionOfEach(this.#dialect, this.table, this.#testsOfGiven(conditions))),
    );
  }

  #rowWhere(idSlot: number, conditions: readonly Condition[], firstSlot: number): Test {
    const others = tests(this.#context, this.table, conditions, firstSlot, 'given');
    return all([this.#dialect.equals(columnOf(this.table, 'id'), idSlot), ...others]);
  }

  /** Arguments: the conditions' values. `most`: as many rows are counted at most. */
  count(conditions: readonly Condition[], most?: number): ReadStatement {
    return this.#shapes.once(`count ${most ?? ''} ${shapeOf(conditions)}`, () => this.#lists.count(conditions, most));
  }

  /** Arguments: the conditions' values, the values of `after`, the limit. */
  list(query: RowQuery): ReadStatement {
    return this.#limited(listShape(query), query, () => this.#lists.page(query));
  }

  /** Arguments: the ids as a JSON array, the conditions' values. */
  getEach(conditions: readonly Condition[], columns?: RowQuery['columns']): ReadStatement {
    return this.#shapes.once(`get each ${columns?.shape ?? ''} ${shapeOf(conditions)}`, () => {
      const rows = rowsOfEach(this.#dialect, this.table, this.#testsOfGiven(conditions), { columns, order: [] });
      return this.#ofGiven(conditions, statement(rows), 'id');
    });
  }

  /** Arguments: the values as a JSON array, the conditions' values, the limit. Rows end with the value's index. */
  listEach(query: GroupQuery): ReadStatement {
    const shape = `${query.property} each ${query.through ?? ''} ${listShape(query)}`;
    return this.#limited(shape, query, () => this.#groups.page(query));
  }

  /** Arguments: the values as a JSON array, the conditions' values. */
  countEach(query: CountQuery): ReadStatement {
    const { conditions, property, through, most } = query;
    const shape = `${property} count each ${through ?? ''} ${most ?? ''} ${shapeOf(conditions)}`;
    return this.#shapes.once(shape, () => this.#groups.count(query));
  }

  /** Arguments: the conditions' values, then `totalsValues`. */
  totals(query: TotalsQuery): ReadStatement {
    return this.#shapes.once(totalsShape(query), () => totalsOf(this.#context, this.table, query));
  }

  /** Arguments: the rows as the dialect reads them, the conditions' values. Answers the positions of those that meet them. */
  meetEach(conditions: readonly Condition[]): ReadStatement {
    return this.#shapes.once(`meet each ${shapeOf(conditions)}`, () =>
      this.#ofGiven(conditions, statement(meetingOfEach(this.#dialect, this.table, this.#testsOfGiven(conditions)))),
    );
  }

  /** `property`: what the rows are found by; undefined if nothing of them is read. */
  #ofGiven(conditions: readonly Condition[], read: Statement, property?: string): ReadStatement {
    const { tableOf } = this.#context;
    const isFound = property !== 'id' || areIdsKeyed(this.table, conditions);
    const isBounded = isFound && areTestsBounded(tableOf, conditions);
    return { ...read, isBounded, tables: tablesOf(tableOf, this.table, conditions) };
  }

  /** For statements that are given the rows, or their keys: the argument before the conditions' values. */
  #testsOfGiven(conditions: readonly Condition[]): readonly Test[] {
    return tests(this.#context, this.table, conditions, 1, 'given');
  }

  /** All but the text is the same for any limit. */
  #limited(shape: string, { limit }: Pick<RowQuery, 'limit'>, make: () => ReadStatement): ReadStatement {
    if (!this.#dialect.isLimitInText) return this.#shapes.once(shape, make);
    return this.#shapes.once(`${limit} ${shape}`, () => withLimit(this.#shapes.once(shape, make), limit));
  }
}

function listShape({ conditions, order, after: last, columns }: Omit<RowQuery, 'resource' | 'limit'>): string {
  let shape = `list ${columns?.shape ?? ''} ${shapeOf(conditions)}`;
  for (let i = 0; i < order.length; i++)
    shape += `${order[i]!.property} ${order[i]!.direction} ${last ? last[i] === null : ''},`;
  return shape;
}
