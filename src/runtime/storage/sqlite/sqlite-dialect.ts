import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely';
import type { PropertyDescriptor, PropertyType } from '../../../descriptor/resource.ts';
import type { AnyDatabase, SqlDialect } from '../dialect.ts';
import { valueIn } from '../statements/columns.ts';
import { hasWords, isMatch, matches } from './sqlite-search-parts.ts';
import { sqliteTotals } from './sqlite-totals.ts';

export const sqliteDialect: SqlDialect = {
  builder: new Kysely<AnyDatabase>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  }),
  // node:sqlite can read an INTEGER beyond 2^53 only as a bigint; an int64 is a string of digits in JSON anyway.
  select: ({ column, type }: PropertyDescriptor) =>
    type === 'int64' ? sql`cast(${sql.id(column)} as text)` : sql`${sql.id(column)}`,
  direction: (_property, direction) => direction,
  hasLists: true,
  // SQLite plans anew whenever a placeholder of a limit is bound, which takes longer than reading twenty rows.
  isLimitInText: true,
  hasLateral: false,
  equals: (property, slot) => sql`${valueIn(property)} = ${sql.val(slot)}`,
  isAmong: (property, slot) => sql`${valueIn(property)} in (select value from json_each(${sql.val(slot)}))`,
  entries: (slot) => sql`select key, value from json_each(${sql.val(slot)})`,
  // Each row is an array of its values. A cast gives a column the affinity that the table's own has.
  rows: ({ columns }, slot) => {
    const cast = columns.map(
      ({ column, type }, i) =>
        sql`cast(json_extract(value, ${sql.lit(`$[${i}]`)}) as ${sql.raw(SQLITE_TYPES[type])}) as ${sql.id(column)}`,
    );
    return sql`select ${sql.join(cast)}, key as position_ from json_each(${sql.val(slot)})`;
  },
  contains: (property, slot) => sql`instr(lower(${valueIn(property)}), lower(${sql.val(slot)})) > 0`,
  hasWords,
  totals: sqliteTotals,
  search: { matches, isMatch },
};

/** Column types of a STRICT table. */
export const SQLITE_TYPES: Readonly<Record<PropertyType, 'text' | 'integer' | 'real'>> = {
  string: 'text',
  uuid: 'text',
  integer: 'integer',
  int64: 'integer',
  number: 'real',
  decimal: 'text',
  boolean: 'integer',
  date: 'text',
  'date-time': 'text',
  json: 'text',
};
