import { type AliasedExpression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { AnyDatabase, SqlDialect } from '../dialect.ts';
import type { Condition, RowQuery } from '../store.ts';
import { branchesOf, isMergeable } from './branches.ts';
import { columnsOf, selectFrom, valueIn } from './columns.ts';
import { comparisonsIn, isBroad, type TestContext, tenantIn, tests } from './conditions.ts';
import { countAhead, countOf } from './each.ts';
import { after } from './keyset.ts';
import { narrowed } from './narrowed.ts';
import { isCountBounded, isPageBounded, leadingAhead, tablesOf } from './reach.ts';
import { searchIn } from './search-in.ts';
import { all, columnsIn, rowsWhere } from './select-rows.ts';
import { widthOf } from './shapes.ts';
import {
  compiledBy,
  limitIn,
  type ReadStatement,
  type SearchedStatement,
  type Statement,
  statement,
} from './statement.ts';

type Test = RawBuilder<SqlBool>;

/** Rows that are read ahead of a page: each takes some microseconds. */
const AHEAD_ROWS = sql.lit(1_000);

/** The statements that read pages of a table and count its rows. */
export class ListStatements {
  readonly #context: TestContext;
  readonly #dialect: SqlDialect;
  readonly #table: Table;
  readonly #clause: string | undefined;

  /** `clause`: what a statement that reads rows ends with. */
  constructor(context: TestContext, table: Table, clause?: string) {
    this.#context = context;
    this.#dialect = context.dialect;
    this.#table = table;
    this.#clause = clause;
  }

  /** Arguments: the conditions' values. `most`: as many rows are counted at most. */
  count(conditions: readonly Condition[], most: number | undefined): ReadStatement {
    const isBounded = isCountBounded(this.#table, conditions, most);
    const tables = tablesOf(this.#context.tableOf, this.#table, conditions);
    const count = (more: readonly Test[]) => this.#count([...this.#tests(conditions), ...more], most);
    if (isBounded) return { ...count([]), isBounded, tables };
    const isAhead = most !== undefined && (!this.#table.isDistributed || this.#hasAhead(conditions));
    const ahead = isAhead ? this.#countAhead(conditions, most) : undefined;
    const narrow = narrowed(this.#context, this.#table, conditions, (rows, where) => this.#count(where, most, rows));
    return { ...(ahead ?? count([])), isBounded, tables, narrow, ...this.#searched(conditions, count) };
  }

  /**
   * Counts the first rows that an index leads to, by comparisons alone, and tests the other conditions row by row. Only if
   * that does not come to `most`, all rows are counted.
   */
  #countAhead(conditions: readonly Condition[], most: number): Statement | undefined {
    const comparisons = comparisonsIn(conditions);
    if (comparisons.length === conditions.length || !isCountBounded(this.#table, comparisons, most)) return undefined;
    const filters = tests(this.#context, this.#table, conditions, 0, 'few');
    const of = (isComparison: boolean) =>
      filters.filter((_, i) => (conditions[i]!.kind === undefined) === isComparison);
    const ahead = countAhead(
      this.#table,
      { within: of(true), tested: of(false), counted: this.#tests(conditions) },
      most,
    );
    return compiledBy(this.#dialect.builder, ahead);
  }

  #count(where: readonly Test[], most: number | undefined, rows?: RawBuilder<unknown>): Statement {
    return compiledBy(this.#dialect.builder, countOf(this.#table, where, most, rows));
  }

  /** Arguments: the conditions' values, the values of `after`, the limit. */
  page(query: RowQuery): ReadStatement {
    const isBounded = isPageBounded(this.#table, query);
    const tables = tablesOf(this.#context.tableOf, this.#table, query.conditions);
    const page = (more: readonly Test[]) => this.#page(query, more);
    if (isBounded) return { ...page([]), isBounded, tables };
    const isAhead = this.#dialect.hasLists || query.conditions.some(isBroad);
    const isAsked = isAhead && (!this.#table.isDistributed || this.#hasAhead(query.conditions));
    const ahead = isAsked ? this.#ahead(query) : undefined;
    const narrow = narrowed(this.#context, this.#table, query.conditions, (rows, where) =>
      this.#pageOf(sql`(${rows})`.as(this.#table.name), [...where, ...this.#behind(query)], query),
    );
    return { ...page([]), isBounded, tables, narrow, ahead, ...this.#searched(query.conditions, page) };
  }

  /** Nodes cannot answer a subquery with a limit each for itself. */
  #hasAhead(conditions: readonly Condition[]): boolean {
    const { tenant } = this.#table;
    return !tenant || tenantIn(tenant.name, conditions) !== undefined;
  }

  /** A page of rows that another query reads, under the name of the table. */
  #pageOf(source: AliasedExpression<AnyDatabase, string>, where: readonly Test[], query: RowQuery): Statement {
    const rows = this.#dialect.builder
      .selectFrom(source)
      .select(columnsIn(this.#dialect, this.#table, query))
      .where(all(where));
    return statement(this.#ordered(rows, query, this.#table.name).limit(this.#limitOf(query)), this.#clause);
  }

  #limitOf({ conditions, after: last }: RowQuery): RawBuilder<number> {
    return limitIn(this.#dialect, widthOf(conditions) + (last?.length ?? 0));
  }

  /** A test for the rows behind a position. */
  #behind({ conditions, order, after: last }: RowQuery): readonly Test[] {
    return last ? after(this.#table, order, last, widthOf(conditions), false) : [];
  }

  /** An index leads to rows in their order, by some of the comparisons; the other conditions are tested row by row. */
  #ahead(query: RowQuery): Statement | undefined {
    const leading = leadingAhead(this.#table, query);
    if (!leading) return undefined;
    const { name } = this.#table;
    const filters = tests(this.#context, this.#table, query.conditions, 0, 'few');
    const of = (isLeading: boolean) => filters.filter((_, i) => leading.has(query.conditions[i]!) === isLeading);
    const within = [...of(true), ...this.#behind(query)];
    const source = selectFrom(this.#dialect.builder, this.#table).selectAll();
    const led = this.#ordered(within.length > 0 ? source.where(all(within)) : source, query, name);
    return this.#pageOf(led.limit(AHEAD_ROWS).as(name), of(false), query);
  }

  #page(query: RowQuery, more: readonly Test[]): Statement {
    const filled = widthOf(query.conditions);
    const filters = [...this.#tests(query.conditions), ...more];
    const limit = this.#limitOf(query);
    const positions = query.after
      ? after(this.#table, query.order, query.after, filled, isMergeable(this.#table, query))
      : [];
    const [first, ...others] = combined(branchesOf(this.#table, query, filters) ?? [filters], positions);
    if (others.length > 0) {
      const branches = others.map((other) => this.#branch(query, other, limit));
      const rows = branches.reduce((union, branch) => union.unionAll(branch), this.#branch(query, first!, limit));
      return statement(this.#ordered(rows, query).limit(limit), this.#clause);
    }
    // Sorts by the column, not by the selected alias: an int64 is selected as text, which sorts differently.
    const rows = this.#ordered(this.#rows(first!, query), query, this.#table.name).limit(limit);
    return statement(rows, this.#clause);
  }

  /** A branch of a page, of which Postgres uses the index only if it is asked for no more rows than the page has. */
  #branch(query: RowQuery, where: readonly Test[], limit: RawBuilder<number>) {
    if (this.#dialect.hasLists) return this.#rows(where, query);
    const { name } = this.#table;
    const page = this.#ordered(this.#rows(where, query), query, name).limit(limit);
    return this.#dialect.builder.selectFrom(page.as(name)).selectAll();
  }

  #searched(conditions: readonly Condition[], narrowed: (more: readonly Test[]) => Statement) {
    const { search: dialect, builder } = this.#dialect;
    const found = dialect && searchIn(this.#table, conditions);
    if (!found) return undefined;
    const { search, slot } = found;
    const probe = sql`${dialect.matches(search, 0)} limit ${sql.val(1)}`;
    const searched: SearchedStatement = {
      statement: narrowed([dialect.isMatch(search, slot)]),
      search,
      slot,
      probe: compiledBy(builder, probe),
    };
    return { searched };
  }

  /** `of`: the name of the table in the statement. */
  #ordered(rows: SelectQueryBuilder<AnyDatabase, string, unknown>, { order }: RowQuery, of?: string) {
    return order.reduce((ordered, { property: name, direction }) => {
      const property = { ...columnOf(this.#table, name), of };
      const towards = sql.raw(this.#dialect.direction(property, direction));
      if (!property.parts) return ordered.orderBy(sql`${valueIn(property)} ${towards}`);
      return columnsOf(property).reduce((keys, key) => keys.orderBy(sql`${key} ${towards}`), ordered);
    }, rows);
  }

  #rows(where: readonly Test[], query: RowQuery) {
    return rowsWhere(this.#dialect, this.#table, where, query);
  }

  #tests(conditions: readonly Condition[]): readonly Test[] {
    return tests(this.#context, this.#table, conditions, 0);
  }
}

/** Every branch combined with every alternative of the position. */
function combined(branches: readonly (readonly Test[])[], positions: readonly Test[]): readonly (readonly Test[])[] {
  return positions.length === 0
    ? branches
    : branches.flatMap((branch) => positions.map((position) => [...branch, position]));
}
