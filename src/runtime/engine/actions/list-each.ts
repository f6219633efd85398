import type { Id } from '../../../descriptor/resource.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Reader } from '../../storage/store.ts';
import { checkFollowed, checkReadable } from '../access/field-checks.ts';
import { shownAll } from '../access/fields.ts';
import { equals } from '../access/filter.ts';
import { ancestorsOf } from '../access/find.ts';
import type { Caller, ListEachCall, PathParams } from '../interface/call.ts';
import type { Page } from '../interface/engine.ts';
import { countRows, mostCounted } from '../lists/counted.ts';
import { type ListPage, pageOf } from '../lists/list-page.ts';
import { type ListPlan, narrowed, planList, startingAt } from '../lists/list-plan.ts';
import { readGroups, readRows } from '../lists/read-rows.ts';
import type { Resource } from '../resource/resource.ts';
import { type Runtime, readerFor } from '../transaction/runtime.ts';
import { listAction } from './list.ts';
import { settled } from './settled.ts';

/**
 * For each id, a page of the rows whose property is that id. One statement reads all first pages (of a search, one for each
 * rank), and another counts. A later page is asked for by a cursor, which belongs to the list of one id: all others get
 * `INVALID_CURSOR`.
 */
export function listEachAction(
  runtime: Runtime,
  resource: Resource,
): (call: ListEachCall) => Promise<readonly (Page | ApiError)[]> {
  const { cursors } = runtime;

  const planFor = ({ caller, query: { cursor: _, ...query } }: ListEachCall): ListPlan =>
    planList(resource, query, resource.filter.own(caller.principal), { cursors, principal: caller.principal });

  const firstPages = async (call: ListEachCall): Promise<readonly Page[]> => {
    const { property, ids: values } = call;
    const store = await readerFor(runtime, call.caller);
    const plan = planFor(call);
    const groups = await readGroups(resource, store, plan, { property, values });
    const counts = plan.isCounted
      ? await store.countEach({ ...plan.rows, property, values, most: mostCounted(resource) })
      : undefined;
    const pages = values.map((id, i) =>
      pageOf(resource, narrowed(resource, plan, equals(property, id), cursors), groups[i]!, counts?.[i]),
    );
    return resource.fields ? shownPages(store, resource, pages, call.caller) : pages;
  };

  const laterPages = async (call: ListEachCall): Promise<readonly (Page | ApiError)[]> => {
    const plan = planFor(call);
    const store = await readerFor(runtime, call.caller);
    return settled(call.ids, async (id) => {
      const whole = narrowed(resource, plan, equals(call.property, id), cursors);
      const single = startingAt(resource, whole, call.query['cursor'] as string);
      const rows = await readRows(resource, store, single);
      const count = single.isCounted ? await countRows(store, resource, single.rows.conditions) : undefined;
      const page = pageOf(resource, single, rows, count);
      return resource.fields ? (await shownPages(store, resource, [page], call.caller))[0]! : page;
    });
  };

  if (runtime.overrides[resource.descriptor.key]?.list) return listEachByOverride(runtime, resource);
  return (call) => {
    if (resource.fields) checkAsked(resource, call);
    return call.query['cursor'] === undefined ? firstPages(call) : laterPages(call);
  };
}

/** Throws `FORBIDDEN` for what would tell the caller of properties that it may not read. */
function checkAsked(resource: Resource, { caller: { principal }, property, query, ids }: ListEachCall): void {
  // It is the list with a filter, where there is one.
  const filter = resource.descriptor.list!.filters.find((one) => one.property === property);
  checkReadable(resource, filter ? { ...query, [filter.parameter]: ids } : query, principal);
  checkFollowed(resource, property, principal);
}

/** Pages as their caller sees them. Takes as many statements as one page. */
export async function shownPages(
  reader: Reader,
  resource: Resource,
  pages: readonly ListPage[],
  { principal }: Caller,
): Promise<readonly Page[]> {
  const rows = pages.flatMap(({ items }) => items.map(({ row }) => row));
  const entities = await shownAll(reader, resource, rows, principal);
  let from = 0;
  return pages.map((page) => {
    const to = from + page.items.length;
    const own = page.withItems(entities.slice(from, to));
    from = to;
    return own;
  });
}

/** An override of `list` answers one list at a time: the list of a parent, or a filtered one. */
function listEachByOverride(
  runtime: Runtime,
  resource: Resource,
): (call: ListEachCall) => Promise<readonly (Page | ApiError)[]> {
  const list = listAction(runtime, resource);
  const { parent, list: declared } = resource.descriptor;
  return ({ caller, property, ids, query }) => {
    checkFollowed(resource, property, caller.principal);
    return settled(ids, async (id) => {
      if (property === parent?.property) return list({ caller, query, params: await pathTo(caller, id) });
      const filter = declared!.filters.find((one) => one.property === property && one.shape !== 'object');
      if (!filter) throw new Error(`${resource.descriptor.key}.list is overridden, but has no filter by ${property}.`);
      return list({ caller, params: {}, query: { ...query, [filter.parameter]: filter.shape === 'in' ? [id] : id } });
    });
  };

  async function pathTo(caller: Caller, id: Id): Promise<PathParams> {
    const reader = await readerFor(runtime, caller);
    const row = resource.parent!.parent && (await reader.get(resource.parent!.descriptor.key, id));
    return { ...(row && (await ancestorsOf(reader, resource.parent!, row))), [parent!.property]: id };
  }
}
