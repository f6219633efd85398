import type { DatabaseKind } from './bare-database.ts';

/** What differs in the SQL that fills large tables; `n` is an expression. */
export interface SqlWords {
  /** An id that rises with `n`; `group` keeps those of several tables apart. */
  id(group: number, n: string): string;
  /** Rows with the numbers from 1 to `count` as `i`. */
  rows(count: number): string;
  /** `n` seconds after a moment. */
  time(n: string): string;
  /** `n` days after a date. */
  date(n: string): string;
}

export const sqlWords: Readonly<Record<DatabaseKind['name'], SqlWords>> = {
  SQLite: {
    id: (group, n) => `printf('0000000${group}-0000-7000-8000-%012d', ${n})`,
    rows: (count) =>
      `(with recursive r (i) as (select 1 union all select i + 1 from r where i < ${count}) select i from r)`,
    time: (n) => `strftime('%Y-%m-%dT%H:%M:%fZ', 1700000000 + ${n}, 'unixepoch')`,
    date: (n) => `date('2026-01-01', (${n}) || ' days')`,
  },
  Postgres: {
    id: (group, n) => `('0000000${group}-0000-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`,
    rows: (count) => `(select i from generate_series(1::bigint, ${count}) i) n`,
    time: (n) => `to_timestamp(1700000000 + ${n})`,
    date: (n) => `date '2026-01-01' + (${n})::int`,
  },
};

/** The id that `SqlWords.id` makes. */
export const idOf = (group: number, n: number): string =>
  `0000000${group}-0000-7000-8000-${String(n).padStart(12, '0')}`;
