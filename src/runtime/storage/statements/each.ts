import { type Compilable, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Column, columnOf, type Table } from '../../../descriptor/table.ts';
import type { SqlDialect } from '../dialect.ts';
import { columnsOf, givenTo, partsOf, rowsOf, valueIn } from './columns.ts';
import { EACH_VALUE as VALUE } from './comparisons.ts';
import { countOfEachValue, rowsHaving } from './led-rows.ts';
import { all, isRead, type Read, selected, selectedOf } from './select-rows.ts';

type Test = RawBuilder<SqlBool>;
type Sql = RawBuilder<unknown>;

/** Groups of rows, one for each value in the JSON array in slot 0, which `property` has. */
export interface Groups {
  readonly property: string;
  /** The table that has the property, where it is another: then the filters compare with the value. */
  readonly through?: Table | undefined;
  readonly filters: readonly Test[];
  /** They are found by an index that begins with the property, behind what leads there, whatever the filters are. */
  readonly isNarrow?: boolean;
  readonly within?: Test | undefined;
}

// No column has these names: columns are named in snake_case, without a trailing underscore.
const EACH = sql.ref('each_');
const INDEX = sql.ref('index_');
const POSITION = sql.ref('position_');
const COUNTED = sql.ref('counted_');
const COUNT = sql.ref('count');

/** Rows by their ids (slot 0, a JSON array). */
export const rowsOfEach = (dialect: SqlDialect, table: Table, filters: readonly Test[], read: Read): Compilable =>
  ofEachId(dialect, table, filters, sql`select ${columns(dialect, table, read)}`);

/** Deletes such rows. */
export const deletionOfEach = (dialect: SqlDialect, table: Table, filters: readonly Test[]): Compilable =>
  ofEachId(dialect, table, filters, sql`delete`);

function ofEachId(dialect: SqlDialect, table: Table, filters: readonly Test[], what: RawBuilder<unknown>): Compilable {
  const id = columnOf(table, 'id');
  const where = all([sql`${valueIn(id)} in (select ${sql.join(partsOf(id, VALUE))} from ${EACH})`, ...filters]);
  return query(dialect, id, sql`${what} from ${rowsOf(table)} where ${where}`);
}

/**
 * The first rows of each group, up to the limit, each with the index of its group's value. The
 * statement has a subquery per value, so that an index finds and sorts the rows, and none beyond the limit is read.
 */
export function firstOfEach(
  dialect: SqlDialect,
  table: Table,
  groups: Groups,
  read: Read,
  limit: RawBuilder<number>,
): Compilable {
  const keys = (of?: string) =>
    sql.join(
      read.order.flatMap((key) => {
        const property = columnOf(table, key.property);
        const direction = sql.raw(dialect.direction(property, key.direction));
        return columnsOf({ ...property, of }).map((column) => sql`${column} ${direction}`);
      }),
    );
  const first = sql`${from(table, sourceOf(table, groups))} where ${inGroup(table, groups)} order by ${keys()} limit ${limit}`;
  const property = columnOf(groups.through ?? table, groups.property);
  if (dialect.hasLateral) {
    const each = sql`select ${columns(dialect, table, read)} ${first}`;
    return query(
      dialect,
      property,
      sql`select ${sql.id(table.name)}.*, ${INDEX} from ${EACH} cross join lateral (${each}) as ${sql.id(table.name)} order by ${INDEX}, ${keys(table.name)}`,
    );
  }
  const id = valueIn(columnOf(table, 'id'));
  return query(
    dialect,
    property,
    sql`select ${columns(dialect, table, read)}, ${INDEX} from ${EACH} cross join ${rowsOf(table)} where ${id} in (
      select ${id} ${first}
    ) order by ${INDEX}, ${keys(table.name)}`,
  );
}

/** The number of rows in each group, in the order of the values; no more than `most` are counted. */
export function countOfEach(dialect: SqlDialect, table: Table, groups: Groups, most: number | undefined): Compilable {
  const count = countOf(table, [inGroup(table, groups)], most, sourceOf(table, groups));
  const property = columnOf(groups.through ?? table, groups.property);
  return query(dialect, property, sql`select (${count}) from ${EACH} order by ${INDEX}`);
}

/** The number of rows in all groups, up to one more than few. */
export const countOfGroups = (
  dialect: SqlDialect,
  table: Table,
  property: string,
  within: Test | undefined,
): Compilable => query(dialect, columnOf(table, property), countOfEachValue(dialect, table, property, within));

/** The number of rows that meet the tests; no more than `most` are read for it. `source`: another query for the rows. */
export function countOf(table: Table, tests: readonly Test[], most?: number, source?: Sql): Sql {
  const rows = sql`${from(table, source)}${whereAll(tests)}`;
  if (most === undefined) return sql`select count(*) as ${COUNT} ${rows}`;
  return sql`select count(*) as ${COUNT} from (select 1 ${rows} limit ${sql.lit(most)}) as ${COUNTED}`;
}

/** The same tests, for the first rows and for all. */
export interface TestsAhead {
  /** An index serves them. */
  readonly within: readonly Test[];
  /** The others, for rows that are tested one by one. */
  readonly tested: readonly Test[];
  readonly counted: readonly Test[];
}

/** Of so many rows, one has to meet the tests for the first rows to be enough. */
const AHEAD = 8;

/** The same number. All rows are counted only if the first of those that an index leads to do not come to `most`. */
export function countAhead(table: Table, { within, tested, counted }: TestsAhead, most: number): RawBuilder<unknown> {
  const name = sql.id(table.name);
  const first = sql`select * from ${rowsOf(table)}${whereAll(within)} limit ${sql.lit(most * AHEAD)}`;
  const met = sql`select 1 from (${first}) as ${name}${whereAll(tested)} limit ${sql.lit(most)}`;
  const whole = countOf(table, counted, most);
  return sql`select case when ${COUNT} = ${sql.lit(most)} then ${COUNT} else (${whole}) end as ${COUNT}
    from (select count(*) as ${COUNT} from (${met}) as ${COUNTED}) as ${COUNTED}`;
}

/** The positions of the rows in slot 0 that meet the tests. They go by the name of their table, which the tests use. */
export function meetingOfEach(dialect: SqlDialect, table: Table, filters: readonly Test[]): Compilable {
  const rows = sql`(${dialect.rows(table, 0)}) as ${sql.id(table.name)}`;
  const whole = sql`select ${POSITION} from ${rows} where ${all(filters)}`;
  return { compile: () => whole.compile(dialect.builder) };
}

/** For each row whether its position is among those that were found. */
export function meeting(rows: readonly unknown[], found: readonly number[]): readonly boolean[] {
  const meets = new Array<boolean>(rows.length).fill(false);
  for (const position of found) meets[position] = true;
  return meets;
}

/** Defines the table of values, which have the type of `property`, for the rest of the query. */
function query(dialect: SqlDialect, property: Column, rest: RawBuilder<unknown>): Compilable {
  const whole = sql`with ${EACH} (${INDEX}, ${VALUE}) as (${dialect.entries(0, property)}) ${rest}`;
  return { compile: () => whole.compile(dialect.builder) };
}

const columns = (dialect: SqlDialect, table: Table, read: Read): RawBuilder<unknown> =>
  sql.join(
    table.selected?.map((one) => sql`${selected(one)} as ${sql.id(one.column)}`) ??
      selectedOf(table, read).map((property) =>
        isRead(read, property.name) ? dialect.select(property) : sql`null as ${sql.id(property.column)}`,
      ),
  );

const inGroup = (table: Table, { property, through, filters }: Groups): Test =>
  through
    ? all(filters)
    : all([sql`${valueIn(columnOf(table, property))} = ${givenTo(columnOf(table, property), VALUE)}`, ...filters]);

const sourceOf = (table: Table, { isNarrow, property, within }: Groups): Sql | undefined =>
  isNarrow ? rowsHaving(table, property, VALUE, within) : undefined;

const from = (table: Table, source: Sql | undefined): Sql =>
  source ? sql`from (${source}) as ${sql.id(table.name)}` : sql`from ${rowsOf(table)}`;

const whereAll = (tests: readonly Test[]): RawBuilder<unknown> =>
  tests.length === 0 ? sql`` : sql` where ${all(tests)}`;
