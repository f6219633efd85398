import { lookUp } from '../../../descriptor/look-up.ts';
import { listOf } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Condition, OrderKey, Row, RowQuery, StoredValue } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';
import { type CursorCodec, invalidCursor } from './cursor.ts';
import { comparisonsOf, refuseNull } from './filter-comparisons.ts';
import { combinedFilters } from './filter-conditions.ts';
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

/** Whose list is planned. */
interface Planning {
  readonly principal: Principal | undefined;
  /** Selects the rows that the caller may see. */
  readonly scope: readonly Condition[];
  /** The columns that are read of each row; all if left out. */
  readonly columns?: RowQuery['columns'];
}

/** Plans a list by its query, which has been validated. Throws `INVALID_CURSOR`, and what `combinedFilters` throws. */
export type PlanList = (query: Query, planning: Planning) => ListPlan;

/** Plans the lists of a resource. */
export function listPlanner(resource: Resource, cursors: CursorCodec): PlanList {
  const { key } = resource.descriptor;
  const { defaultLimit, defaultSort, search: searched } = listOf(resource.descriptor);
  const filtersIn = filterReader(resource);
  const combined = combinedFilters(resource);
  const defaultOrder = orderOf(resource, defaultSort);
  return (query, { principal, scope, columns }) => {
    const conditions = [...scope];
    filtersIn(query, conditions);
    if (combined) conditions.push(...combined(query, principal));
    const { search: text, sort, limit = defaultLimit, cursor, count } = query as ListParameters;
    const search = searched && text !== undefined ? searchCondition(searched, text, resource.inflect) : undefined;
    if (search) conditions.push(search);
    const order = sort ? orderOf(resource, sort) : defaultOrder;
    const ranking = search && !sort ? rankingOf(resource, search) : undefined;
    // Ranks go by what is searched.
    const rows = { resource: key, conditions, order, limit: limit + 1, columns: ranking ? undefined : columns };
    const plan = planOf(resource, { rows, ranking, isCounted: count === true }, cursors);
    return cursor === undefined ? plan : startingAt(resource, plan, cursor);
  };
}

/** The parameters that lists have beside filters. */
interface ListParameters {
  readonly search?: string;
  readonly sort?: readonly string[];
  readonly limit?: number;
  readonly cursor?: string;
  readonly count?: boolean;
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
      const values = row ? rows.order.map(({ property }) => resource.valueIn(row, property)) : [];
      const position = row && ranking ? [ranking.rankOf(row), ...values] : values;
      return cursors.encode(position, query());
    },
  };
}

/** What a cursor is bound to. The same list, however it was asked for, accepts the same cursors. */
function identityOf({ resource, conditions, order }: RowQuery): string {
  return JSON.stringify([resource, conditions.map((condition) => JSON.stringify(condition)).sort(), order]);
}

/** Adds what the filters of a query ask for to the conditions. */
function filterReader({ descriptor, property }: Resource): (query: Query, into: Condition[]) => void {
  const filters = listOf(descriptor).filters.map((filter) => ({ filter, compared: lookUp(property, filter.property) }));
  return (query, into) => {
    for (const { filter, compared } of filters) {
      const value = query[filter.parameter];
      if (value === undefined) continue;
      refuseNull(value, filter.parameter);
      into.push(...comparisonsOf(compared, filter, value));
    }
  };
}

/** The requested order, where the first of a property counts, made total by the id, which sorts in the direction of the last key. */
function orderOf(resource: Resource, sort: readonly string[]): OrderKey[] {
  const order: OrderKey[] = [];
  const isIn = (name: string): boolean => order.some(({ property }) => property === name);
  for (const { property, direction } of sort.map((value) => lookUp(resource.sorts, value)))
    if (!isIn(property)) order.push({ property, direction });
  if (!isIn('id')) order.push({ property: 'id', direction: order.at(-1)?.direction ?? 'asc' });
  return order;
}
