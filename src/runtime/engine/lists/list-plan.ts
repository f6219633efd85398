import type { FilterDescriptor } from '../../../descriptor/resource.ts';
import type { Condition, OrderKey, Row, RowQuery, StoredValue } from '../../storage/store.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import type { CursorCodec } from './cursor.ts';

type Query = Readonly<Record<string, unknown>>;

/** A list request as a query of rows, with one row more than the page to see whether another follows. */
export interface ListPlan {
  readonly rows: RowQuery;
  /** Rows on the page. */
  readonly limit: number;
  readonly isCounted: boolean;
  /** Where a cursor says that the page begins. Throws `INVALID_CURSOR`. */
  placeOf(cursor: string): readonly StoredValue[];
  /** Seals the place of the last row. */
  cursorAfter(row: Row): string;
}

/** Throws `INVALID_CURSOR`. The query has been validated; `scope` is what the caller may see at all. */
export function planList(
  resource: Resource,
  query: Query,
  scope: readonly Condition[],
  cursors: CursorCodec,
): ListPlan {
  const { key, list } = resource.descriptor;
  const conditions = [...scope, ...filtersIn(resource, query)];
  const order = orderOf(resource, query['sort'] as readonly string[] | undefined);
  const limit = (query['limit'] as number | undefined) ?? list!.defaultLimit;
  const rows = { resource: key, conditions, order, limit: limit + 1 };
  const plan = planOf(resource, rows, cursors, query['count'] === true);
  const cursor = query['cursor'] as string | undefined;
  return cursor === undefined ? plan : { ...plan, rows: { ...rows, after: plan.placeOf(cursor) } };
}

/** The same list of those rows only that have a value of a property, from the beginning. */
export function narrowed(
  resource: Resource,
  { rows, isCounted }: ListPlan,
  condition: Condition,
  cursors: CursorCodec,
): ListPlan {
  return planOf(resource, { ...rows, conditions: [condition, ...rows.conditions] }, cursors, isCounted);
}

function planOf(resource: Resource, rows: RowQuery, cursors: CursorCodec, isCounted: boolean): ListPlan {
  const positions = rows.order.map(({ property }) => resource.index(property));
  let identity: string | undefined;
  const query = (): string => {
    identity ??= identityOf(rows);
    return identity;
  };
  return {
    rows,
    limit: rows.limit - 1,
    isCounted,
    placeOf: (cursor) => cursors.decode(cursor, query()),
    cursorAfter: (row) => {
      const position = positions.map((i) => row[i]!);
      return cursors.encode(position, query());
    },
  };
}

/** What a cursor is bound to: whichever way a list is asked for, the same list takes its cursors. */
function identityOf({ resource, conditions, order }: RowQuery): string {
  return JSON.stringify([resource, conditions.map((condition) => JSON.stringify(condition)).sort(), order]);
}

function filtersIn(resource: Resource, query: Query): Condition[] {
  const conditions: Condition[] = [];
  for (const filter of resource.descriptor.list!.filters) {
    const value = query[filter.parameter];
    if (value !== undefined) conditions.push(...conditionsOf(resource, filter, value));
  }
  return conditions;
}

function conditionsOf(
  resource: Resource,
  { property, shape, operators }: FilterDescriptor,
  value: unknown,
): Condition[] {
  const stored = (one: unknown) => storedFilter(resource, property, one);
  switch (shape) {
    case 'eq':
      return [{ property, operator: 'eq', value: stored(value) }];
    case 'in':
      return [{ property, operator: 'in', value: [...new Set((value as readonly unknown[]).map(stored))] }];
    case 'object': {
      const tests = value as Query;
      return operators
        .filter((operator) => tests[operator] !== undefined)
        .map((operator) => ({ property, operator, value: stored(tests[operator]) }));
    }
  }
}

function storedFilter(resource: Resource, property: string, value: unknown): StoredValue {
  const normal = normalize(resource.property.get(property)!, value);
  return typeof normal === 'boolean' ? Number(normal) : (normal as StoredValue);
}

/** The asked order, made total by the id, which runs in the direction of the last key. */
function orderOf(resource: Resource, sort: readonly string[] | undefined): OrderKey[] {
  const values = sort ?? resource.descriptor.list!.defaultSort;
  const keys = new Map(values.map((value) => resource.sorts.get(value)!).map((key) => [key.property, key]));
  const order = [...keys.values()].map(({ property, direction }) => ({ property, direction }));
  if (!keys.has('id')) order.push({ property: 'id', direction: order.at(-1)?.direction ?? 'asc' });
  return order;
}
