import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import type { PropertyDescriptor, PropertyType } from '../../../descriptor/resource.ts';
import type { AnyDatabase, SqlDialect } from '../dialect.ts';

/** Column types, as `format_type` names them. Text has the collation "C": by code point. */
export const POSTGRES_TYPES = {
  string: 'text',
  uuid: 'uuid',
  integer: 'bigint',
  int64: 'bigint',
  number: 'double precision',
  decimal: 'numeric',
  boolean: 'boolean',
  date: 'date',
  'date-time': 'timestamp(3) with time zone',
  json: 'jsonb',
} as const satisfies Readonly<Record<PropertyType, string>>;

export const postgresDialect: SqlDialect = {
  builder: new Kysely<AnyDatabase>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  }),
  select: ({ column }) => sql`${sql.ref(column)}`,
  entries: (slot, property) =>
    sql`select ordinality - 1, ${value(property)} from jsonb_array_elements_text(${sql.val(slot)}::jsonb) with ordinality`,
  direction: ({ nullable, required }, direction) => {
    if (required && !nullable) return direction;
    return direction === 'asc' ? 'asc nulls first' : 'desc nulls last';
  },
  hasLateral: true,
  // To numeric, 1.5 equals 1.50.
  equals: ({ column, type }, slot) =>
    type === 'decimal'
      ? sql`(${sql.ref(column)} = ${sql.val(slot)} and ${sql.ref(column)}::text = ${sql.val(slot)}::numeric::text)`
      : sql`${sql.ref(column)} = ${sql.val(slot)}`,
  contains: (column, slot) => sql`strpos(lower(${sql.ref(column)}), lower(${sql.val(slot)} collate "C")) > 0`,
};

const value = ({ type }: PropertyDescriptor) =>
  type === 'string' ? sql`value collate "C"` : sql`value::${sql.raw(POSTGRES_TYPES[type])}`;
