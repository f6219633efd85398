import { lookUp } from '../../../descriptor/look-up.ts';
import { listOf } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Comparison, Condition, OrderKey, Row, RowQuery, StoredValue } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';
import { type CursorCodec, invalidCursor } from './cursor.ts';
import { comparisonsOf } from './filter-comparisons.ts';
import { combinedFilters, refuseNull } from './filter-conditions.ts';
import { type Ranking, rankingOf } from './ranking.ts';
import { searchCondition } from './search-condition.ts';

type Query = Readonly<Record<string, unknown>>;

/** A list request as a query for rows, with one row more than fits on the page, to see whether another page follows. */
export interface ListPlan {
  readonly rows: RowQuery;
  /** The rows come by rank, and within one in their order. */
  readonly ranking?: Ranking | undefined;
  /** The rank that the page begins in, or ends in; without a position, the first, or the last. */
  readonly rank?: number;
  /** Maximum number of rows on the page. */
  readonly limit: number;
  /** The rows are those before the page's position, or the last ones, and come in reverse. */
  readonly isBackward: boolean;
  /** The page begins, or ends, beside the position of a cursor. */
  readonly isContinued: boolean;
  readonly isCounted: boolean;
  /** The position of a cursor; none is that before all rows. Throws `INVALID_CURSOR`. */
  decodeCursor(cursor: string): readonly StoredValue[];
  /** The cursor of the page that begins after a row, or with the first one. */
  cursorAfter(row: Row | undefined): string;
}

/** What a list is planned with beside its query. */
interface Planning {
  readonly cursors: CursorCodec;
  readonly principal: Principal | undefined;
  /** What is read of each row; all if left out. */
  readonly columns?: RowQuery['columns'];
}

/**
 * The query has been validated; `scope` selects the rows that the caller may see. Throws `INVALID_CURSOR`, and what
 * `combinedFilters` throws.
 */
export function planList(
  resource: Resource,
  query: Query,
  scope: readonly Condition[],
  { cursors, principal, columns }: Planning,
): ListPlan {
  const { key } = resource.descriptor;
  const combined = combinedFilters(resource, query, principal);
  const search = searchIn(resource, query);
  const conditions = [...scope, ...filtersIn(resource, query), ...combined, ...(search ? [search] : [])];
  const sort = query['sort'] as readonly string[] | undefined;
  const order = orderOf(resource, sort);
  const limit = (query['limit'] as number | undefined) ?? listOf(resource.descriptor).defaultLimit;
  const ranking = search && !sort ? rankingOf(resource, search) : undefined;
  // Ranks go by what is searched.
  const rows = { resource: key, conditions, order, limit: limit + 1, columns: ranking ? undefined : columns };
  const plan = planOf(resource, { rows, ranking, isCounted: query['count'] === true }, cursors);
  const cursor = query['cursor'] as string | undefined;
  return cursor === undefined ? plan : startingAt(resource, plan, cursor);
}

/** Stands before a cursor for the page that ends there, and alone for the last page. */
export const BACKWARD = '~';

/** The page of a cursor. Throws `INVALID_CURSOR`. */
export function startingAt({ descriptor }: Resource, plan: ListPlan, cursor: string): ListPlan {
  const { rows, ranking } = plan;
  const isBackward = descriptor.list?.pagesBack === true && cursor.startsWith(BACKWARD);
  const given = isBackward ? cursor.slice(BACKWARD.length) : cursor;
  const position = isBackward && given === '' ? [] : plan.decodeCursor(given);
  const isContinued = position.length > 0;
  if (isBackward && given !== '' && !isContinued) throw invalidCursor();
  const order = isBackward ? rows.order.map(reversed) : rows.order;
  const page = { ...plan, isBackward, isContinued };
  if (!isContinued) return { ...page, rows: { ...rows, order } };
  if (!ranking) return { ...page, rows: { ...rows, order, after: position } };
  return { ...page, rank: position[0] as number, rows: { ...rows, order, after: position.slice(1) } };
}

const reversed = ({ property, direction }: OrderKey): OrderKey => ({
  property,
  direction: direction === 'asc' ? 'desc' : 'asc',
});

/** The first page of the same list, with one more condition. */
export function narrowed(
  resource: Resource,
  { rows, ranking, isCounted }: ListPlan,
  condition: Condition,
  cursors: CursorCodec,
): ListPlan {
  const narrower = { ...rows, conditions: [condition, ...rows.conditions] };
  return planOf(resource, { rows: narrower, ranking, isCounted }, cursors);
}

function planOf(
  resource: Resource,
  { rows, ranking, isCounted }: Pick<ListPlan, 'rows' | 'ranking' | 'isCounted'>,
  cursors: CursorCodec,
): ListPlan {
  const positions = rows.order.map(({ property }) => resource.index(property));
  let identity: string | undefined;
  const query = (): string => {
    identity ??= identityOf(rows) + (ranking ? ' ranked' : '');
    return identity;
  };
  return {
    rows,
    ranking,
    limit: rows.limit - 1,
    isBackward: false,
    isContinued: false,
    isCounted,
    decodeCursor: (cursor) => cursors.decode(cursor, query()),
    cursorAfter: (row) => {
      const values = row ? positions.map((i) => row[i]!) : [];
      const position = row && ranking ? [ranking.rankOf(row), ...values] : values;
      return cursors.encode(position, query());
    },
  };
}

/** What a cursor is bound to. The same list, however it was asked for, accepts the same cursors. */
function identityOf({ resource, conditions, order }: RowQuery): string {
  return JSON.stringify([resource, conditions.map((condition) => JSON.stringify(condition)).sort(), order]);
}

function filtersIn(resource: Resource, query: Query): Condition[] {
  const conditions: Condition[] = [];
  for (const filter of listOf(resource.descriptor).filters) {
    const value = query[filter.parameter];
    if (value === undefined) continue;
    refuseNull(value, filter.parameter);
    conditions.push(...comparisonsOf(resource, filter, value));
  }
  return conditions;
}

function searchIn({ descriptor, inflect }: Resource, query: Query): Comparison | undefined {
  const { search } = listOf(descriptor);
  const text = query['search'];
  return search && text !== undefined ? searchCondition(search, text as string, inflect) : undefined;
}

/** The requested order, where the first of a property counts, made total by the id, which sorts in the direction of the last key. */
function orderOf(resource: Resource, sort: readonly string[] | undefined): OrderKey[] {
  const values = sort ?? listOf(resource.descriptor).defaultSort;
  const order: OrderKey[] = [];
  const isIn = (name: string): boolean => order.some(({ property }) => property === name);
  for (const { property, direction } of values.map((value) => lookUp(resource.sorts, value)))
    if (!isIn(property)) order.push({ property, direction });
  if (!isIn('id')) order.push({ property: 'id', direction: order.at(-1)?.direction ?? 'asc' });
  return order;
}
