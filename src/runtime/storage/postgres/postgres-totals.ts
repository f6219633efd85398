import { sql } from 'kysely';
import type { TotalsDialect } from '../totals-dialect.ts';

export const postgresTotals: TotalsDialect = {
  period(column, { property: type, period }, shift) {
    const seconds = sql`make_interval(secs => ${shift ?? sql`0`})`;
    const local = type === 'date' ? sql`${column}::timestamp` : sql`(${column} at time zone 'UTC' + ${seconds})`;
    const begun = sql`date_trunc(${sql.lit(period.toLowerCase())}, ${local})`;
    return period === 'Hour' ? sql`((${begun} - ${seconds}) at time zone 'UTC')` : sql`${begun}::date`;
  },
  group: (column) => column,
  measure(of, column, type) {
    const value = measured(of, sql`${column}`, type);
    return { select: value, order: value };
  },
  direction: (direction) => (direction === 'asc' ? 'asc nulls first' : 'desc nulls last'),
};

function measured(
  of: Parameters<TotalsDialect['measure']>[0],
  column: ReturnType<typeof sql>,
  type: Parameters<TotalsDialect['measure']>[2],
) {
  const sum = sql`sum(${column})::numeric`;
  switch (of) {
    case 'Sum':
      return sum;
    case 'Avg': {
      // In integers: `avg` rounds before it is rounded to six digits.
      const count = sql`count(${column})`;
      const millionths = sql`div(abs(${sum}) * 2000000 + ${count}, nullif(2 * ${count}, 0))`;
      return sql`trim_scale(sign(${sum}) * ${millionths} * 0.000001)`;
    }
    default: {
      if (type !== 'decimal') return sql`${sql.raw(of.toLowerCase())}(${column})`;
      // Equal numbers may be written in different ways.
      const direction = sql.raw(of === 'Min' ? 'asc' : 'desc');
      return sql`(array_agg(${column} order by ${column} ${direction}, ${column}::text collate "C") filter (where ${column} is not null))[1]`;
    }
  }
}
