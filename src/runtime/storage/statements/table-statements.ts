import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { isIdCounted } from '../../../descriptor/resource.ts';
import { columnOf, positionOf, type Table } from '../../../descriptor/table.ts';
import type { AnyDatabase, SqlDialect } from '../dialect.ts';
import type { Condition, GroupQuery, Row, RowQuery, StoredValue } from '../store.ts';
import { branchesOf, isMergeable } from './branches.ts';
import { comparisonsIn, shapeOf, type TestContext, tests, widthOf } from './conditions.ts';
import { countAhead, countOf, countOfEach, firstOfEach, type Groups, meetingOfEach, rowsOfEach } from './each.ts';
import { after } from './keyset.ts';
import { isCountBounded, isPageBounded, leadingAhead } from './reach.ts';
import { searchIn } from './search-in.ts';
import { type ReadStatement, type SearchedStatement, type Statement, statement } from './statement.ts';

type Test = RawBuilder<SqlBool>;

/**
 * More shapes than the clients of a contract use in practice. The limit keeps unusual requests from filling the
 * memory.
 */
const MAX_SHAPES = 1000;

/** Rows that are read ahead of a page: each takes some microseconds. */
const AHEAD_ROWS = sql.lit(1_000);

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
  readonly #shapes = new Map<string, Statement>();
  readonly #reads = new Map<string, ReadStatement>();
  readonly insert: Statement;
  /** Arguments: as of `insert`, but for the id, which the database counts. Returns the row. */
  readonly insertCounted: Statement | undefined;
  readonly delete: Statement;

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
    const { builder } = dialect;
    this.insert = statement(
      builder.insertInto(table.name).values(Object.fromEntries(table.columns.map(({ column }, i) => [column, i]))),
      clauses.write,
    );
    this.insertCounted = isIdCounted(table.descriptor) ? this.#insertCounted() : undefined;
    this.delete = statement(builder.deleteFrom(table.name).where('id', '=', 0));
  }

  #insertCounted(): Statement {
    const given = this.table.columns.flatMap(({ name, column }, i) => (name === 'id' ? [] : [[column, i] as const]));
    const { builder } = this.#dialect;
    const insert = builder.insertInto(this.table.name).values(Object.fromEntries(given));
    return statement(insert.returning(this.#columns()));
  }

  #columns() {
    return this.table.columns.map((property) => this.#dialect.select(property).as(property.column));
  }

  /** Arguments: the value of the property, then the conditions' values. */
  get(conditions: readonly Condition[], property = 'id'): Statement {
    const by = property === 'id' ? 'get' : `get by ${property}`;
    return this.#cached(conditions.length === 0 ? by : `${by} ${shapeOf(conditions)}`, () => {
      const isIt =
        property === 'id' ? sql<SqlBool>`id = ${sql.val(0)}` : this.#dialect.equals(columnOf(this.table, property), 0);
      return statement(this.#select([isIt, ...this.#tests(conditions, 1)]), this.#clauses.select);
    });
  }

  /** Arguments: the changed values in order, then the id. */
  update(properties: readonly string[]): Statement {
    return this.#cached(`update ${properties.join()}`, () => {
      const values = properties.map((property, i) => [columnOf(this.table, property).column, i]);
      const { builder } = this.#dialect;
      return statement(
        builder.updateTable(this.table.name).set(Object.fromEntries(values)).where('id', '=', properties.length),
        this.#clauses.write,
      );
    });
  }

  /** The arguments of `update`. */
  updated(row: Row, properties: readonly string[]): StoredValue[] {
    const values = properties.map((property) => row[positionOf(this.table, property)]!);
    values.push(row[positionOf(this.table, 'id')]!);
    return values;
  }

  /** Arguments: the conditions' values. `most`: as many rows are counted at most. */
  count(conditions: readonly Condition[], most?: number): ReadStatement {
    return cached(this.#reads, `count ${most ?? ''} ${shapeOf(conditions)}`, () => {
      const isBounded = isCountBounded(this.table, conditions, most);
      const count = (more: readonly Test[]) => this.#count([...this.#tests(conditions, 0), ...more], most);
      if (isBounded) return { ...count([]), isBounded };
      const ahead = most === undefined ? undefined : this.#countAhead(conditions, most);
      return { ...(ahead ?? count([])), isBounded, ...this.#searched(conditions, count) };
    });
  }

  /**
   * Counts the first rows that an index leads to, by comparisons alone, and tests the other conditions row by row. Only if
   * that does not come to `most`, all rows are counted.
   */
  #countAhead(conditions: readonly Condition[], most: number): Statement | undefined {
    const comparisons = comparisonsIn(conditions);
    if (comparisons.length === conditions.length || !isCountBounded(this.table, comparisons, most)) return undefined;
    const filters = tests(this.#context, this.table, conditions, 0, true);
    const of = (isComparison: boolean) =>
      filters.filter((_, i) => (conditions[i]!.kind === undefined) === isComparison);
    const ahead = countAhead(
      this.table,
      { within: of(true), tested: of(false), counted: this.#tests(conditions, 0) },
      most,
    );
    return statement({ compile: () => ahead.compile(this.#dialect.builder) });
  }

  #count(where: readonly Test[], most: number | undefined): Statement {
    return statement({ compile: () => countOf(this.table, where, most).compile(this.#dialect.builder) });
  }

  #searched(conditions: readonly Condition[], narrowed: (more: readonly Test[]) => Statement) {
    const { search: dialect, builder } = this.#dialect;
    const found = dialect && searchIn(this.table, conditions);
    if (!found) return undefined;
    const { search, slot } = found;
    const probe = sql`${dialect.matches(search, 0)} limit ${sql.val(1)}`;
    const searched: SearchedStatement = {
      statement: narrowed([dialect.isMatch(search, slot)]),
      search,
      slot,
      probe: statement({ compile: () => probe.compile(builder) }),
    };
    return { searched };
  }

  /** Arguments: the conditions' values, the values of `after`, the limit. */
  list(query: RowQuery): ReadStatement {
    return cached(this.#reads, listShape(query), () => {
      const isBounded = isPageBounded(this.table, query);
      const list = (more: readonly Test[]) => this.#list(query, more);
      if (isBounded) return { ...list([]), isBounded };
      const ahead = this.#dialect.hasLists ? this.#ahead(query) : undefined;
      return { ...list([]), isBounded, ...(ahead && { ahead }), ...this.#searched(query.conditions, list) };
    });
  }

  /** An index leads to rows in their order, by some of the comparisons; the other conditions are tested row by row. */
  #ahead(query: RowQuery): Statement | undefined {
    const leading = leadingAhead(this.table, query);
    if (!leading) return undefined;
    const { name } = this.table;
    const { builder } = this.#dialect;
    const filters = tests(this.#context, this.table, query.conditions, 0, true);
    const of = (isLeading: boolean) => filters.filter((_, i) => leading.has(query.conditions[i]!) === isLeading);
    const filled = widthOf(query.conditions);
    const within = query.after
      ? [...of(true), ...after(this.table, query.order, query.after, filled, false)]
      : of(true);
    const source = builder.selectFrom(name).selectAll();
    const led = this.#ordered(within.length > 0 ? source.where(all(within)) : source, query, `${name}.`);
    const rows = builder
      .selectFrom(led.limit(AHEAD_ROWS).as(name))
      .select(this.#columns())
      .where(all(of(false)));
    const limit = sql.val(filled + (query.after?.length ?? 0));
    return statement(this.#ordered(rows, query, `${name}.`).limit(limit), this.#clauses.select);
  }

  #list(query: RowQuery, more: readonly Test[]): Statement {
    const filled = widthOf(query.conditions);
    const filters = [...this.#tests(query.conditions, 0), ...more];
    const limit = sql.val(filled + (query.after?.length ?? 0));
    const positions = query.after
      ? after(this.table, query.order, query.after, filled, isMergeable(this.table, query))
      : [];
    const [first, ...others] = combined(branchesOf(this.table, query, filters) ?? [filters], positions);
    if (others.length > 0) {
      const branches = others.map((other) => this.#branch(query, other, limit));
      const rows = branches.reduce((union, branch) => union.unionAll(branch), this.#branch(query, first!, limit));
      return statement(this.#ordered(rows, query, '').limit(limit), this.#clauses.select);
    }
    // Sorts by the column, not by the selected alias: an int64 is selected as text, which sorts differently.
    const rows = this.#ordered(this.#select(first!), query, `${this.table.name}.`).limit(limit);
    return statement(rows, this.#clauses.select);
  }

  /** A branch of a page, of which Postgres uses the index only if it is told to give no more rows than the page has. */
  #branch(query: RowQuery, where: readonly Test[], limit: RawBuilder<number>) {
    if (this.#dialect.hasLists) return this.#select(where);
    const { name } = this.table;
    const page = this.#ordered(this.#select(where), query, `${name}.`).limit(limit);
    return this.#dialect.builder.selectFrom(page.as(name)).selectAll();
  }

  /** Arguments: the ids as a JSON array, the conditions' values. */
  getEach(conditions: readonly Condition[]): Statement {
    return this.#cached(`get each ${shapeOf(conditions)}`, () =>
      statement(rowsOfEach(this.#dialect, this.table, this.#tests(conditions, 1))),
    );
  }

  /** Arguments: the values as a JSON array, the conditions' values, the limit. Rows end with the value's index. */
  listEach(query: GroupQuery): Statement {
    const { conditions, order, property, through } = query;
    return this.#cached(`${property} each ${through ?? ''} ${listShape(query)}`, () => {
      const limitSlot = 1 + widthOf(conditions);
      const filters = this.#tests(conditions, 1);
      return statement(firstOfEach(this.#dialect, this.table, this.#groups(query, filters), order, limitSlot));
    });
  }

  /** Arguments: the values as a JSON array, the conditions' values. */
  countEach(property: string, conditions: readonly Condition[], most?: number, through?: string): Statement {
    return this.#cached(`${property} count each ${through ?? ''} ${most ?? ''} ${shapeOf(conditions)}`, () => {
      const groups = this.#groups({ property, through }, this.#tests(conditions, 1));
      return statement(countOfEach(this.#dialect, this.table, groups, most));
    });
  }

  #groups({ property, through }: Pick<GroupQuery, 'property' | 'through'>, filters: readonly Test[]): Groups {
    return { property, filters, ...(through !== undefined && { through: this.#context.tableOf(through) }) };
  }

  /** Arguments: the rows as the dialect reads them, the conditions' values. Answers the positions of those that meet them. */
  meetEach(conditions: readonly Condition[]): Statement {
    return this.#cached(`meet each ${shapeOf(conditions)}`, () =>
      statement(meetingOfEach(this.#dialect, this.table, this.#tests(conditions, 1))),
    );
  }

  #ordered(rows: SelectQueryBuilder<AnyDatabase, string, unknown>, { order }: RowQuery, qualifier: string) {
    return order.reduce((ordered, { property: name, direction }) => {
      const property = columnOf(this.table, name);
      const key = sql.ref(`${qualifier}${property.column}`);
      return ordered.orderBy(sql`${key} ${sql.raw(this.#dialect.direction(property, direction))}`);
    }, rows);
  }

  #select(where: readonly Test[]) {
    const rows = this.#dialect.builder.selectFrom(this.table.name).select(this.#columns());
    return where.length === 0 ? rows : rows.where(all(where));
  }

  #tests(conditions: readonly Condition[], firstSlot: number): readonly Test[] {
    return tests(this.#context, this.table, conditions, firstSlot);
  }

  #cached(shape: string, make: () => Statement): Statement {
    return cached(this.#shapes, shape, make);
  }
}

function cached<S>(shapes: Map<string, S>, shape: string, make: () => S): S {
  const known = shapes.get(shape);
  if (known) return known;
  const made = make();
  if (shapes.size >= MAX_SHAPES) shapes.delete(shapes.keys().next().value!);
  shapes.set(shape, made);
  return made;
}

/** Every branch combined with every alternative of the position. */
function combined(branches: readonly (readonly Test[])[], positions: readonly Test[]): readonly (readonly Test[])[] {
  return positions.length === 0
    ? branches
    : branches.flatMap((branch) => positions.map((position) => [...branch, position]));
}

function all(where: readonly Test[]): Test {
  return sql.join([...where], sql` and `);
}

function listShape({ conditions, order, after: last }: Pick<RowQuery, 'conditions' | 'order' | 'after'>): string {
  let shape = `list ${shapeOf(conditions)}`;
  for (let i = 0; i < order.length; i++)
    shape += `${order[i]!.property} ${order[i]!.direction} ${last ? last[i] === null : ''},`;
  return shape;
}
