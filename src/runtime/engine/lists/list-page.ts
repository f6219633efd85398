import type { Row } from '../../storage/store.ts';
import type { Page, RenderedPages } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import { RowEntity } from '../resource/row-codec.ts';
import { type Counted, countedOf } from './counted.ts';
import { BACKWARD, type ListPlan } from './list-plan.ts';

/**
 * A page of the rows that a plan found. The plan reads one row more than fits on the page, to see whether more follow.
 */
export function pageOf(resource: Resource, plan: ListPlan, found: readonly Row[], count?: number): ListPage {
  const { limit, isBackward, isContinued } = plan;
  const isMore = found.length > limit;
  const rows = isMore ? found.slice(0, limit) : found;
  const items = (isBackward ? rows.toReversed() : rows).map((row) => new RowEntity(resource, row));
  const isFollowed = isBackward ? isContinued : isMore;
  const isPreceded = isBackward ? isMore : isContinued;
  const nextCursor = isFollowed ? plan.cursorAfter(items.at(-1)?.row) : null;
  return new ListPage(plan, items, { nextCursor, isPreceded }, countedOf(resource, count));
}

interface Neighbours {
  readonly nextCursor: string | null;
  readonly isPreceded: boolean;
  /** Left out: made from the first item when it is read. */
  readonly previousCursor?: string | null;
}

/** A page of entities, which an override may have made. */
export class ListPage implements Page {
  readonly items: readonly RowEntity[];
  readonly nextCursor: string | null;
  readonly isPreceded: boolean;
  declare readonly totalCount?: number;
  declare readonly totalCountIsExact?: boolean;
  readonly rendered: RenderedPages = {};
  readonly #plan: ListPlan;
  #previousCursor: string | null | undefined;

  constructor(plan: ListPlan, items: readonly RowEntity[], neighbours: Neighbours, counted: Counted = {}) {
    this.#plan = plan;
    this.items = items;
    this.nextCursor = neighbours.nextCursor;
    this.isPreceded = neighbours.isPreceded;
    this.#previousCursor = neighbours.previousCursor;
    if (counted.totalCount !== undefined) this.totalCount = counted.totalCount;
    if (counted.totalCountIsExact !== undefined) this.totalCountIsExact = counted.totalCountIsExact;
  }

  get previousCursor(): string | null {
    if (this.#previousCursor === undefined) {
      const [first] = this.items;
      this.#previousCursor = this.isPreceded ? `${BACKWARD}${first ? this.#plan.cursorAfter(first.row) : ''}` : null;
    }
    return this.#previousCursor;
  }

  /** The page as a caller sees it. */
  withItems(items: readonly RowEntity[]): ListPage {
    const { nextCursor, isPreceded } = this;
    const neighbours = {
      nextCursor,
      isPreceded,
      ...(this.#previousCursor !== undefined && { previousCursor: this.#previousCursor }),
    };
    return new ListPage(this.#plan, items, neighbours, this);
  }

  cursorOf(position: number): string {
    return this.#plan.cursorAfter(this.items[position]!.row);
  }
}
