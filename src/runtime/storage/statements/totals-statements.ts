import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PropertyDescriptor, PropertyType } from '../../../descriptor/resource.ts';
import { columnOf, type Table } from '../../../descriptor/table.ts';
import type { Grouping, Measure } from '../../../descriptor/totals.ts';
import type { StoredValue, TotalsQuery } from '../store.ts';
import type { Totalled } from '../totals-dialect.ts';
import { rowsOf, valueIn } from './columns.ts';
import { type TestContext, tests } from './conditions.ts';
import { narrowed } from './narrowed.ts';
import { tablesOf } from './reach.ts';
import { all } from './select-rows.ts';
import { shapeOf, widthOf } from './shapes.ts';
import { compiledBy, type ReadStatement, type Statement } from './statement.ts';

type Sql = RawBuilder<unknown>;

// No column has these names: columns are named in snake_case, without a trailing underscore.
const ROWS = sql.ref('rows_');
const groupColumn = (i: number): Sql => sql.ref(`group_${i}_`);
const valueColumn = (property: string): Sql => sql.ref(`${property}_value_`);

/** The same for queries that share a statement. */
export function totalsShape({ conditions, groups, measures, order, offsets }: TotalsQuery): string {
  const named = (parts: readonly (Grouping | Measure)[]) =>
    parts.map((one) => `${one.property ?? ''} ${'of' in one ? one.of : (one.period ?? '')}`).join();
  const keys = order.map(({ position, direction }) => `${position} ${direction}`).join();
  return `totals ${named(groups)} by ${named(measures)} ${keys} ${offsets.length} ${shapeOf(conditions)}`;
}

/** The arguments of the statement behind those of the conditions. */
export const totalsValues = ({ offsets, limit }: TotalsQuery): StoredValue[] => [
  ...offsets.flatMap(({ from, seconds }, i) => (i === 0 ? [seconds] : [from, seconds])),
  limit,
];

/** The type of each column of the answer. */
export const totalsTypes = (table: Table, { groups, measures }: TotalsQuery): readonly PropertyType[] => [
  ...groups.map(({ property, period }) => (period && period !== 'Hour' ? 'date' : columnOf(table, property).type)),
  ...measures.map((measure): PropertyType => {
    if (measure.of === 'Count' || measure.of === 'Distinct') return 'integer';
    return measure.of === 'Sum' || measure.of === 'Avg' ? 'decimal' : columnOf(table, measure.property).type;
  }),
];

/** Arguments: the conditions' values, then `totalsValues`. */
export function totalsOf(context: TestContext, table: Table, query: TotalsQuery): ReadStatement {
  const { conditions } = query;
  const read = (where: readonly RawBuilder<SqlBool>[], rows?: Sql): Statement =>
    compiledBy(context.dialect.builder, totals(context, table, query, where, rows));
  return {
    ...read(tests(context, table, conditions, 0)),
    isBounded: false,
    tables: tablesOf(context.tableOf, table, conditions),
    narrow: narrowed(context, table, conditions, (rows, where) => read(where, rows)),
  };
}

function totals(
  { dialect }: TestContext,
  table: Table,
  query: TotalsQuery,
  where: readonly RawBuilder<SqlBool>[],
  source?: Sql,
): Sql {
  const { groups, measures, order } = query;
  const first = widthOf(query.conditions);
  const values = totalsValues(query).length;
  const columns = groups.map(({ property: name, period }, i) => {
    const property = columnOf(table, name);
    const shift = property.type === 'date-time' ? shiftOf(property, query.offsets.length, first) : undefined;
    const value = period
      ? dialect.totals.period(valueIn(property), { property: property.type, period }, shift)
      : valueIn(property);
    return sql`${value} as ${groupColumn(i)}`;
  });
  const measured = new Set(measures.flatMap(({ property }) => property ?? []));
  for (const name of measured) columns.push(sql`${valueIn(columnOf(table, name))} as ${valueColumn(name)}`);
  const from = source ? sql`(${source}) as ${sql.id(table.name)}` : rowsOf(table);
  const rows = sql`select ${sql.join(columns.length > 0 ? columns : [sql`1`])} from ${from}${where.length > 0 ? sql` where ${all(where)}` : sql``}`;

  const totalled: readonly Totalled[] = [
    ...groups.map(({ property }, i) => ({
      select: dialect.totals.group(groupColumn(i), columnOf(table, property).type),
      order: groupColumn(i),
    })),
    ...measures.map((measure) => {
      if (measure.of === 'Count') return itself(sql`count(*)`);
      const column = valueColumn(measure.property);
      if (measure.of === 'Distinct') return itself(sql`count(distinct ${column})`);
      return dialect.totals.measure(measure.of, column, columnOf(table, measure.property).type);
    }),
  ];
  const ties = groups.map((_, position) => ({ position, direction: 'asc' as const }));
  const keys = [...order, ...ties].map(
    ({ position, direction }) => sql`${totalled[position]?.order} ${sql.raw(dialect.totals.direction(direction))}`,
  );
  const grouped = groups.length > 0 ? sql` group by ${sql.join(groups.map((_, i) => groupColumn(i)))}` : sql``;
  const ordered = keys.length > 0 ? sql` order by ${sql.join(keys)}` : sql``;
  const limit = sql.val(first + values - 1);
  return sql`select ${sql.join(totalled.map(({ select }) => select))} from (${rows}) as ${ROWS}${grouped}${ordered} limit ${limit}`;
}

const itself = (value: Sql): Totalled => ({ select: value, order: value });

/** The seconds from UTC to local time at a time: each offset holds until the next begins. */
function shiftOf(property: PropertyDescriptor, offsets: number, slot: number): Sql | undefined {
  if (offsets === 0) return undefined;
  const seconds = (i: number): Sql => sql`cast(${sql.val(slot + 2 * i)} as integer)`;
  if (offsets === 1) return seconds(0);
  const cases = Array.from(
    { length: offsets - 1 },
    (_, i) => sql`when ${valueIn(property)} < ${sql.val(slot + 2 * i + 1)} then ${seconds(i)}`,
  );
  return sql`case ${sql.join(cases, sql` `)} else ${seconds(offsets - 1)} end`;
}
