import { type RawBuilder, sql } from 'kysely';
import type { Period } from '../../../descriptor/totals.ts';
import type { TotalsDialect } from '../totals-dialect.ts';

type Sql = RawBuilder<unknown>;

/** Times are texts in RFC 3339: in UTC, a period is the beginning of one. */
const PREFIXES: Partial<Record<Period, readonly [length: number, rest: string]>> = {
  Hour: [13, ':00:00.000Z'],
  Day: [10, ''],
  Month: [7, '-01'],
  Year: [4, '-01-01'],
};

export const sqliteTotals: TotalsDialect = {
  period(column, { period }, shift) {
    const prefix = PREFIXES[period];
    if (prefix && !shift) return sql`substr(${column}, 1, ${sql.lit(prefix[0])}) || ${sql.lit(prefix[1])}`;
    const local = shift ? sql`${column}, (${shift}) || ' seconds'` : column;
    switch (period) {
      case 'Hour':
        return sql`strftime('%Y-%m-%dT%H:%M:%S.000Z', strftime('%Y-%m-%dT%H:00:00', ${local}), -(${shift}) || ' seconds')`;
      case 'Week':
        return sql`date(${local}, 'weekday 0', '-6 days')`;
      case 'Quarter':
        return sql`date(${local}, 'start of month', '-' || ((strftime('%m', ${local}) - 1) % 3) || ' months')`;
      case 'Day':
        return sql`date(${local})`;
      default:
        return sql`date(${local}, ${sql.lit(`start of ${period.toLowerCase()}`)})`;
    }
  },
  // As it is selected in rows.
  group: (column, type) => (type === 'int64' ? text(column) : column),
  measure(of, column, type) {
    const isDecimal = type === 'decimal';
    if (of === 'Sum' || of === 'Avg') {
      // Parts of 32 bits: the sum of integers itself may have more than the 64 bits that SQLite's has.
      const sum = isDecimal
        ? sql`lockstep_decimal_sum(${column})`
        : sql`lockstep_sum(sum(${column} >> 32), sum(${column} & 4294967295))`;
      return inOrder(of === 'Sum' ? sum : sql`lockstep_mean(${sum}, count(${column}))`);
    }
    const word = sql.raw(of.toLowerCase());
    if (isDecimal) return inOrder(sql`lockstep_decimal_${word}(${column})`);
    const value = sql`${word}(${column})`;
    return { select: type === 'int64' ? text(value) : value, order: value };
  },
  direction: (direction) => direction,
};

const text = (value: Sql): Sql => sql`cast(${value} as text)`;
const inOrder = (digits: Sql) => ({ select: digits, order: sql`lockstep_key(${digits})` });
