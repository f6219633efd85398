import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Column, columnOf, type Table } from '../../../descriptor/table.ts';
import type { OrderKey, StoredValue } from '../store.ts';
import { columnsOf, givenTo, partsOf, valueIn } from './columns.ts';

interface Key {
  readonly property: Column;
  readonly column: RawBuilder<unknown>;
  readonly nullable: boolean;
  readonly direction: 'asc' | 'desc';
  /** Whether the row before the page has NULL in this column. */
  readonly isNull: boolean;
  readonly given: RawBuilder<unknown>;
  readonly value: RawBuilder<unknown>;
}

/** The first decides; there is at least one. */
type Keys = readonly [Key, ...Key[]];

/**
 * Tests for the rows that follow a row with these values in the order, so that those before it need not be read
 * (keyset pagination). NULL sorts below every value. The tests are alternatives, and no row passes two of them; there
 * is more than one only if `canMerge`, and then an index can serve each of them alone.
 */
export function after(
  table: Table,
  order: readonly OrderKey[],
  values: readonly StoredValue[],
  firstSlot: number,
  canMerge: boolean,
): RawBuilder<SqlBool>[] {
  const [first, ...rest] = order.map((key, i): Key => {
    const property = columnOf(table, key.property);
    return {
      property,
      column: valueIn(property),
      nullable: property.nullable || !property.required,
      direction: key.direction,
      isNull: values[i] === null,
      given: sql.val(firstSlot + i),
      value: givenTo(property, sql.val(firstSlot + i)),
    };
  });
  if (!first) throw new Error('An order has a key.');
  const keys: Keys = [first, ...rest];
  if (isUniform(keys)) return [rowValue(keys)];
  if (canMerge && endsWithNulls(keys)) return [rowValue(keys), sql`${first.column} is null`];
  return [lexicographic(keys)];
}

/** A descending order in which the rows with NULL in the first key, which no comparison matches, come last. */
function endsWithNulls([first, ...rest]: Keys): boolean {
  const isDescending = (key: Key): boolean => key.direction === 'desc' && !key.isNull;
  return isDescending(first) && rest.every((key) => isDescending(key) && !key.nullable);
}

function isUniform(keys: Keys): boolean {
  const [first] = keys;
  return keys.every(
    (key) => key.direction === first.direction && !key.isNull && !(key.nullable && key.direction === 'desc'),
  );
}

function rowValue(keys: Keys): RawBuilder<SqlBool> {
  const [first] = keys;
  const operator = sql.raw(first.direction === 'asc' ? '>' : '<');
  if (keys.length === 1) return sql`${first.column} ${operator} ${first.value}`;
  const columns = keys.flatMap(({ property }) => columnsOf(property));
  const values = keys.flatMap(({ property, given }) => partsOf(property, given));
  return sql`(${sql.join(columns)}) ${operator} (${sql.join(values)})`;
}

function lexicographic(keys: Keys): RawBuilder<SqlBool> {
  const expanded = expand(keys);
  const bound = leadingBound(keys[0]);
  return bound ? sql`${bound} and ${expanded}` : expanded;
}

/** `a > x or (a = x and (b > y or …))` */
function expand([key, next, ...rest]: Keys): RawBuilder<SqlBool> {
  const beyond = isBeyond(key);
  if (!next) return beyond ?? sql`1 = 0`;
  const tie = sql<SqlBool>`(${isEqual(key)} and ${expand([next, ...rest])})`;
  return beyond ? sql`(${beyond} or ${tie})` : tie;
}

function isBeyond({ column, nullable, direction, isNull, value }: Key): RawBuilder<SqlBool> | undefined {
  if (direction === 'asc') return isNull ? sql`${column} is not null` : sql`${column} > ${value}`;
  if (isNull) return undefined;
  return nullable ? sql`(${column} < ${value} or ${column} is null)` : sql`${column} < ${value}`;
}

function isEqual({ column, isNull, value }: Key): RawBuilder<SqlBool> {
  return isNull ? sql`${column} is null` : sql`${column} = ${value}`;
}

/** A redundant condition that lets an index on the first key skip the previous pages. */
function leadingBound({ column, nullable, direction, isNull, value }: Key): RawBuilder<SqlBool> | undefined {
  if (isNull || (nullable && direction === 'desc')) return undefined;
  return direction === 'asc' ? sql`${column} >= ${value}` : sql`${column} <= ${value}`;
}
