import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely';
import { POSTGRES_TYPES, postgresDirection } from '../../../descriptor/migration/postgres-schema.ts';
import type { Column } from '../../../descriptor/table.ts';
import type { AnyDatabase, Placed, SqlDialect } from '../dialect.ts';
import { columnsOf, givenTo, partsOf, partTexts, relationOf, valueIn } from '../statements/columns.ts';
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
  select: ({ column }) => sql`${sql.id(column)}`,
  entries: (slot, property) =>
    sql`select ordinality - 1, ${value(property)} from jsonb_array_elements_text(${sql.val(slot)}::jsonb) with ordinality`,
  // Each row is an object by column.
  rows: (table, slot) => {
    const own = (table.selected ?? table.stored).map(({ column }) => sql.id('record_', column));
    return sql`select ${sql.join(own)}, ordinality_ - 1 as position_ from jsonb_array_elements(${sql.val(slot)}::jsonb) with ordinality as each_ (value_, ordinality_) cross join lateral jsonb_populate_record(null::${relationOf(table)}, value_) as record_`;
  },
  direction: postgresDirection,
  hasLists: false,
  isLimitInText: false,
  hasLateral: true,
  // As numeric values, 1.5 equals 1.50; their texts differ.
  equals: (property, slot) => {
    const [column, given] = [valueIn(property), sql.val(slot)];
    return property.type === 'decimal'
      ? sql`(${column} = ${given} and ${column}::text = ${given}::numeric::text)`
      : isSame(property, given);
  },
  isAmong: (property, slot) => {
    const column = valueIn(property);
    const values = sql`jsonb_array_elements_text(${sql.val(slot)}::jsonb)`;
    const [texts, given] = looseTexts(property, VALUE);
    if (property.parts) {
      const [own, others] = [columnsOf(property), partsOf(property, VALUE)];
      return sql`(${sql.join([...own, ...texts])}) in (select ${sql.join([...others, ...given])} from ${values})`;
    }
    const isOneOf = sql<SqlBool>`${column} = any(array(select ${value(property)} from ${values}))`;
    const among = (text: Sql, read: Sql) =>
      sql<SqlBool>`(${isOneOf} and ${text} = any(array(select ${read} from ${values})))`;
    if (property.type === 'decimal') return among(sql`${column}::text`, sql`value::numeric::text`);
    const [text] = texts;
    return text ? among(text, VALUE) : isOneOf;
  },
  // The pattern is for the index; what it finds is tested again.
  contains: (property, slot) =>
    sql`(lower(${valueIn(property)}) like ${pattern(slot)} and strpos(lower(${valueIn(property)}), ${lowered(slot)}) > 0)`,
  totals: postgresTotals,
  hasWords: ({ name }, slot) =>
    sql`(${sql.ref(name)} @@ ${sql.val(slot)}::text::tsquery and lockstep_found(${sql.ref(name)}))`,
};

/** Texts that differ may be equal values, as of citext. */
function isSame(property: Placed, given: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const { loose, cast } = property;
  const value = loose && cast !== undefined ? sql`${given}::text::${sql.raw(cast)}` : givenTo(property, given);
  const equal = sql<SqlBool>`${valueIn(property)} = ${value}`;
  if (!loose) return equal;
  const [texts, others] = looseTexts(property, given);
  return sql`(${equal} and (${sql.join(texts)}) = (${sql.join(others)}))`;
}

/** The texts of the columns whose equal values may differ, and those that are given. */
function looseTexts(property: Placed, given: RawBuilder<unknown>): readonly [texts: Sql[], given: Sql[]] {
  const isLoose = (_: unknown, i: number): boolean => property.loose?.[i] === true;
  const texts = columnsOf(property).map((column, i) => textOf(property, column, i));
  return [texts.filter(isLoose), partTexts(property, given).filter(isLoose)];
}

/** The text of a column as rows have it: the blanks behind a `char` do not count. */
const textOf = ({ parts, cast }: Placed, column: RawBuilder<unknown>, i: number): RawBuilder<unknown> =>
  (parts?.[i]?.type ?? cast) === 'bpchar' ? sql`${column}::text` : sql`format('%s', ${column})`;

type Sql = RawBuilder<unknown>;

const VALUE = sql.id('value');

const lowered = (slot: number) => sql`lower(${sql.val(slot)} collate "C")`;

/** Any text with the placeholder's in it, none of whose characters has a meaning in a pattern. */
const pattern = (slot: number) =>
  sql`'%' || replace(replace(replace(${lowered(slot)}, '\\', '\\\\'), '%', '\\%'), '_', '\\_') || '%'`;

const value = ({ type, parts, cast }: Column) => {
  if (parts) return sql`value::jsonb`;
  if (cast !== undefined) return sql`value::${sql.raw(cast)}`;
  return type === 'string' ? sql`value collate "C"` : sql`value::${sql.raw(POSTGRES_TYPES[type])}`;
};
