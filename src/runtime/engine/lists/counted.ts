import type { Condition, Reader } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';

/** What a page says of how many entries there are; nothing if they were not counted. */
export interface Counted {
  readonly totalCount?: number | undefined;
  /** False: there are more. Left out where all are counted. */
  readonly totalCountIsExact?: boolean | undefined;
}

/** The most rows that are counted: one more than a page says, to see whether there are more. */
export function mostCounted({ descriptor: { list } }: Pick<Resource, 'descriptor'>): number | undefined {
  return list?.countBound === undefined ? undefined : list.countBound + 1;
}

/** What a page says where this many were counted. */
export function countedOf({ descriptor: { list } }: Pick<Resource, 'descriptor'>, count: number | undefined): Counted {
  const bound = list?.countBound;
  if (count === undefined) return {};
  if (bound === undefined) return { totalCount: count };
  return { totalCount: Math.min(count, bound), totalCountIsExact: count <= bound };
}

/** The number of rows that meet the conditions, as far as pages of the resource count them. */
export const countRows = (reader: Reader, resource: Resource, conditions: readonly Condition[]) =>
  reader.count(resource.descriptor.key, conditions, mostCounted(resource));

/** What a page says where an override has counted, and its caller reads this many rows: a page counts no more. */
export function countedReadable(
  resource: Resource,
  { totalCount, totalCountIsExact }: Counted,
  readable: number,
): Counted {
  if (totalCount === undefined) return {};
  const counted = countedOf(resource, Math.min(totalCount, readable));
  return totalCountIsExact === false && totalCount < readable && counted.totalCountIsExact
    ? { ...counted, totalCountIsExact: false }
    : counted;
}
