import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { Reader, Row, RowGroups, RowQuery } from '../../storage/store.ts';
import { shownAll } from '../access/fields.ts';
import type { Resource } from '../resource/resource.ts';
import { countRows, mostCounted } from './counted.ts';
import { type ListPage, pageOf } from './list-page.ts';
import type { ListPlan } from './list-plan.ts';
import type { Ranking } from './ranking.ts';

/** The page of a plan. */
export const readPage = (resource: Resource, reader: Reader, plan: ListPlan): MaybePromise<ListPage> =>
  whenKnown(readRows(resource, reader, plan), (found) =>
    whenKnown(plan.isCounted ? countRows(reader, resource, plan.rows.conditions) : undefined, (count) =>
      pageOf(resource, plan, found, count),
    ),
  );

/**
 * For each value of a property, the first page of a plan of its own. One statement reads them all (of a search, one for
 * each rank), and another counts.
 */
export async function readFirstPages(
  resource: Resource,
  reader: Reader,
  plan: ListPlan,
  group: RowGroups,
  plans: readonly ListPlan[],
): Promise<readonly ListPage[]> {
  const groups = await readGroups(resource, reader, plan, group);
  const most = mostCounted(resource);
  const counts = plan.isCounted ? await reader.countEach({ ...plan.rows, ...group, most }) : undefined;
  return plans.map((one, i) => pageOf(resource, one, groups[i]!, counts?.[i]));
}

/** Pages as their caller sees them: what it may not read of each row is null. Takes as many statements as one page. */
export function shownPages(
  reader: Reader,
  resource: Resource,
  pages: readonly ListPage[],
  principal: Principal | undefined,
): MaybePromise<readonly ListPage[]> {
  if (!resource.fields?.viewFor(principal)) return pages;
  const rows = pages.flatMap(({ items }) => items.map(({ row }) => row));
  return whenKnown(shownAll(reader, resource, rows, principal), (entities) => {
    let from = 0;
    return pages.map((page) => {
      const to = from + page.items.length;
      const own = page.withItems(entities.slice(from, to));
      from = to;
      return own;
    });
  });
}

/** `shownPages` of one page. */
export const shownPage = (
  reader: Reader,
  resource: Resource,
  page: ListPage,
  principal: Principal | undefined,
): MaybePromise<ListPage> =>
  resource.fields ? whenKnown(shownPages(reader, resource, [page], principal), ([own]) => own!) : page;

/**
 * The rows of a plan. Those of a search are read rank by rank, each in the order of the list, until there are enough: no
 * database has to sort all that it finds.
 */
function readRows(resource: Resource, store: Reader, plan: ListPlan): MaybePromise<readonly Row[]> {
  const { rows, ranking, rank, isBackward } = plan;
  if (!ranking) return store.list(rows);
  const order = rows.order.map(({ property }) => resource.index(property));
  const found = new Map<unknown, Row>();
  const readFrom = (one: number, after: RowQuery['after']): MaybePromise<readonly Row[]> => {
    const limit = rows.limit - found.size;
    if (limit === 0 || one < 1 || one > ranking.count) return [...found.values()];
    const { after: _, ...query } = { ...rows, conditions: ranked(rows, ranking, one), limit };
    return whenKnown(store.list(after ? { ...query, after } : query), (more) => {
      addAll(resource, found, more);
      if (more.length < limit) return readFrom(isBackward ? one - 1 : one + 1, undefined);
      return readFrom(
        one,
        order.map((i) => more.at(-1)![i]!),
      );
    });
  };
  return readFrom(rank ?? (isBackward ? ranking.count : 1), rows.after);
}

/** For each value of a property, the first rows of a plan with that value. */
async function readGroups(
  resource: Resource,
  store: Reader,
  { rows, ranking }: ListPlan,
  { property, values, through }: RowGroups,
): Promise<readonly (readonly Row[])[]> {
  if (!ranking) return store.listEach({ ...rows, property, values, through });
  const groups = values.map(() => new Map<unknown, Row>());
  for (let rank = 1; rank <= ranking.count; rank++) {
    const open = groups.flatMap((group, i) => (group.size < rows.limit ? [i] : []));
    if (open.length === 0) break;
    const conditions = ranked(rows, ranking, rank);
    const more = await store.listEach({
      ...rows,
      conditions,
      property,
      values: open.map((i) => values[i]!),
      through,
    });
    for (const [n, i] of open.entries()) addAll(resource, groups[i]!, more[n]!);
  }
  return groups.map((group) => [...group.values()].slice(0, rows.limit));
}

const ranked = ({ conditions }: RowQuery, { search, only }: Ranking, rank: number): RowQuery['conditions'] =>
  conditions.map((condition) => (condition === search ? only(rank) : condition));

/** A row that changes its rank between two reads is there once. */
function addAll(resource: Resource, found: Map<unknown, Row>, more: readonly Row[]): void {
  const id = resource.index('id');
  for (const row of more) if (!found.has(row[id])) found.set(row[id], row);
}
