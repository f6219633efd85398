import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Column, Table } from '../../../descriptor/table.ts';
import type { AnyDatabase, Placed } from '../dialect.ts';

type Sql = RawBuilder<unknown>;

const ref = (column: string, of: string | undefined): Sql => (of === undefined ? sql.id(column) : sql.id(of, column));

// A property of one column takes a step: statements are made while a request waits.
/** The columns of a property, in order. */
export const columnsOf = ({ column, parts, of }: Placed): readonly Sql[] => {
  if (parts) return parts.map((part) => ref(part.column, of));
  return [of === undefined ? sql.id(column) : sql.id(of, column)];
};

/** The value of a property, as it is compared: a row of several columns. */
export const valueIn = (property: Placed): Sql => {
  const { column, parts, of } = property;
  if (parts) return rowOf(columnsOf(property));
  return of === undefined ? sql.id(column) : sql.id(of, column);
};

/** A given value, for each of the columns of a property: several are a JSON array. */
export const partsOf = ({ parts }: Column, given: Sql): readonly Sql[] =>
  parts ? parts.map(({ type }, i) => sql`(${given}::jsonb ->> ${sql.lit(i)})::${sql.raw(type)}`) : [given];

/** The same as texts. */
export const partTexts = ({ parts }: Column, given: Sql): readonly Sql[] =>
  parts ? parts.map((_, i) => sql`(${given}::jsonb ->> ${sql.lit(i)})`) : [sql`${given}::text`];

/** A given value, as it is compared with that of a property. */
export const givenTo = (property: Column, given: Sql): Sql =>
  property.parts ? rowOf(partsOf(property, given)) : given;

/** Whether a property has no value: it has none if one of its columns has none. */
export const isNull = (property: Placed): Sql => {
  const tests = columnsOf(property).map((column) => sql`${column} is null`);
  return property.parts ? sql`(${sql.join(tests, sql` or `)})` : sql`${sql.join(tests)}`;
};

const rowOf = (columns: readonly Sql[]): Sql => sql`(${sql.join(columns)})`;

/** A table as a statement names it: tables of others by their schema. */
export const relationOf = ({ name, relation }: Table): Sql =>
  relation ? sql.id(relation.schema, relation.name) : sql.id(name);

/** The rows of a table, which go by its name in the statement. */
export const rowsOf = (table: Table): Sql =>
  table.relation ? sql`${relationOf(table)} as ${sql.id(table.name)}` : sql.id(table.name);

/** A query for these rows. */
export const selectFrom = (
  builder: Kysely<AnyDatabase>,
  table: Table,
): SelectQueryBuilder<AnyDatabase, string, unknown> =>
  table.relation ? builder.selectFrom(relationOf(table).as(table.name)) : builder.selectFrom(table.name);
