import type { Row } from '../../storage/store.ts';
import type { Page } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfRow, type RowEntity } from '../resource/row-entity.ts';
import { BACKWARD, type ListPlan } from './list-plan.ts';

/**
 * A page of the rows that a plan found. The plan reads one row more than fits on the page, to see whether more follow.
 */
export function pageOf(resource: Resource, plan: ListPlan, found: readonly Row[], totalCount?: number): Page {
  const { limit, isBackward, isContinued } = plan;
  const isMore = found.length > limit;
  const rows = isMore ? found.slice(0, limit) : found;
  const items = (isBackward ? rows.toReversed() : rows).map((row) => entityOfRow(resource, row));
  const isFollowed = isBackward ? isContinued : isMore;
  const isPreceded = isBackward ? isMore : isContinued;
  const neighbours = {
    nextCursor: isFollowed ? plan.cursorAfter(items.at(-1)?.row) : null,
    isPreceded,
    get previousCursor() {
      const [first] = items;
      return isPreceded ? `${BACKWARD}${first ? plan.cursorAfter(first.row) : ''}` : null;
    },
  };
  return pageOfEntities(plan, items, neighbours, totalCount);
}

type Neighbours = Pick<Page, 'nextCursor' | 'isPreceded' | 'previousCursor'>;

/** A page of entities, which an override may have made. */
export function pageOfEntities(
  plan: ListPlan,
  items: readonly RowEntity[],
  neighbours: Neighbours,
  totalCount?: number,
): Page {
  return {
    items,
    nextCursor: neighbours.nextCursor,
    isPreceded: neighbours.isPreceded,
    get previousCursor() {
      return neighbours.previousCursor;
    },
    ...(totalCount !== undefined && { totalCount }),
    cursorOf: (position) => plan.cursorAfter(items[position]!.row),
  };
}
