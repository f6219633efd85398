import type { Row } from '../../storage/store.ts';
import type { Page } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfRow, type RowEntity } from '../resource/row-entity.ts';
import type { ListPlan } from './list-plan.ts';

/**
 * A page of the rows that a plan found. The plan reads one row more than fits on the page, to see whether more follow.
 */
export function pageOf(resource: Resource, plan: ListPlan, rows: readonly Row[], totalCount?: number): Page {
  const isLast = rows.length <= plan.limit;
  const items = (isLast ? rows : rows.slice(0, plan.limit)).map((row) => entityOfRow(resource, row));
  return pageOfEntities(plan, items, isLast ? null : plan.cursorAfter(items.at(-1)!.row), totalCount);
}

/** A page of entities, which an override may have made. */
export function pageOfEntities(
  plan: ListPlan,
  items: readonly RowEntity[],
  nextCursor: string | null,
  totalCount?: number,
): Page {
  return {
    items,
    nextCursor,
    ...(totalCount !== undefined && { totalCount }),
    cursorOf: (position) => plan.cursorAfter(items[position]!.row),
  };
}
