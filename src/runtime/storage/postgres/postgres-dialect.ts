import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type SqlBool,
  sql,
} from 'kysely';
import { POSTGRES_TYPES, postgresDirection } from '../../../descriptor/migration/postgres-schema.ts';
import type { PropertyDescriptor } from '../../../descriptor/resource.ts';
import type { AnyDatabase, SqlDialect } from '../dialect.ts';
import { postgresTotals } from './postgres-totals.ts';

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
  // Each row is an object by column.
  rows: ({ name, stored }, slot) => {
    const own = stored.map(({ column }) => sql.ref(`record_.${column}`));
    return sql`select ${sql.join(own)}, ordinality_ - 1 as position_ from jsonb_array_elements(${sql.val(slot)}::jsonb) with ordinality as each_ (value_, ordinality_) cross join lateral jsonb_populate_record(null::${sql.table(name)}, value_) as record_`;
  },
  direction: postgresDirection,
  hasLists: false,
  isLimitInText: false,
  hasLateral: true,
  // As numeric values, 1.5 equals 1.50; their texts differ.
  equals: ({ column, type }, slot) =>
    type === 'decimal'
      ? sql`(${sql.ref(column)} = ${sql.val(slot)} and ${sql.ref(column)}::text = ${sql.val(slot)}::numeric::text)`
      : sql`${sql.ref(column)} = ${sql.val(slot)}`,
  isAmong: (property, slot) => {
    const column = sql.ref(property.column);
    const isOneOf = sql<SqlBool>`${column} = any(array(select ${value(property)} from jsonb_array_elements_text(${sql.val(slot)}::jsonb)))`;
    if (property.type !== 'decimal') return isOneOf;
    return sql`(${isOneOf} and ${column}::text = any(array(select value::numeric::text from jsonb_array_elements_text(${sql.val(slot)}::jsonb))))`;
  },
  // The pattern is for the index; what it finds is tested again.
  contains: (column, slot) =>
    sql`(lower(${sql.ref(column)}) like ${pattern(slot)} and strpos(lower(${sql.ref(column)}), ${lowered(slot)}) > 0)`,
  totals: postgresTotals,
  hasWords: ({ name }, slot) =>
    sql`(${sql.ref(name)} @@ ${sql.val(slot)}::text::tsquery and lockstep_found(${sql.ref(name)}))`,
};

const lowered = (slot: number) => sql`lower(${sql.val(slot)} collate "C")`;

/** Any text with the placeholder's in it, none of whose characters has a meaning in a pattern. */
const pattern = (slot: number) =>
  sql`'%' || replace(replace(replace(${lowered(slot)}, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;

const value = ({ type }: PropertyDescriptor) =>
  type === 'string' ? sql`value collate "C"` : sql`value::${sql.raw(POSTGRES_TYPES[type])}`;
