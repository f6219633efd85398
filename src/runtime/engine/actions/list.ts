import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Reader } from '../../storage/store.ts';
import { checkReadable } from '../access/field-checks.ts';
import { filterAt, parentId } from '../access/find.ts';
import { findEach } from '../access/find-each.ts';
import { checkParents } from '../access/parents.ts';
import type { Caller, ListCall } from '../interface/call.ts';
import type { Page } from '../interface/engine.ts';
import type { PageOf } from '../interface/overrides.ts';
import { type Counted, countedReadable, countRows } from '../lists/counted.ts';
import { asksOtherRows } from '../lists/filter-conditions.ts';
import type { CachedList } from '../lists/list-cache.ts';
import { ListPage } from '../lists/list-page.ts';
import { type ListPlan, listPlanner } from '../lists/list-plan.ts';
import { readPage, shownPage } from '../lists/read-pages.ts';
import type { Resource } from '../resource/resource.ts';
import { entityOfValues, type RowEntity, type Values } from '../resource/row-codec.ts';
import { withinTenant } from '../transaction/code-scope.ts';
import { momentOf, readerFor } from '../transaction/reading.ts';
import { readingOnly } from '../transaction/reading-only.ts';
import { followedBy, type Runtime } from '../transaction/runtime.ts';

/** Throws `NOT_FOUND` for a missing parent, `INVALID_CURSOR`. */
export function listAction(runtime: Runtime, resource: Resource): (call: ListCall) => MaybePromise<Page> {
  const { cursors, overrides } = runtime;
  // Others write to tables of others, which no server hears of.
  const lists = resource.descriptor.mapped ? undefined : runtime.lists;
  const { key, list: { pagesBack = false } = {} } = resource.descriptor;

  const override = overrides[key]?.list;
  // Pages that are kept, and what code gets, have whole rows.
  const columnsOf = override || lists ? undefined : resource.columnsOf;
  const planList = listPlanner(resource, cursors);
  const plan = ({ params, query, asked, caller: { principal } }: ListCall): ListPlan =>
    planList(query, { principal, scope: filterAt(resource, params, principal), columns: columnsOf?.(asked) });

  const readAll = (reader: Reader, call: ListCall): MaybePromise<ListPage> => readPage(resource, reader, plan(call));

  const readBelow = (reader: Reader, call: ListCall): MaybePromise<ListPage> =>
    whenKnown(checkParents(reader, resource, call.params, call.caller.principal, 'read'), () => readAll(reader, call));

  const readFrom = resource.parent ? readBelow : readAll;

  const readShown = (reader: Reader, call: ListCall): MaybePromise<Page> => {
    checkReadable(resource, call.query, call.caller.principal);
    return whenKnown(readFrom(reader, call), (page) => shownPage(reader, resource, page, call.caller.principal));
  };

  const readAs = resource.fields ? readShown : readFrom;

  const read = (call: ListCall): MaybePromise<Page> =>
    whenKnown(readerFor(runtime, call.caller), (reader) => readAs(reader, call));

  if (!override && lists) {
    const { filter, referenceFilters } = resource.descriptor.list ?? {};
    const whole: CachedList = { resource: key, rows: undefined };
    const listOf = ({ caller: { principal } }: ListCall): CachedList =>
      resource.tenancy ? { resource: key, rows: followedBy(runtime, resource, principal) } : whole;
    const isCombined = filter !== undefined || referenceFilters !== undefined;
    const keyOf = keyReader(resource);
    return (call) =>
      isCombined && asksOtherRows(resource, call.query)
        ? read(call)
        : lists.read(listOf(call), keyOf(call), momentOf(runtime, call.caller), () => read(call));
  }
  if (!override) return read;
  return async (call) => {
    const reader = await readerFor(runtime, call.caller);
    const next = async (query: ListCall['query']): Promise<PageOf<Values>> => {
      const page = await readFrom(reader, { ...call, query, queryText: undefined });
      const { items, nextCursor, totalCount, totalCountIsExact } = page;
      return {
        items: items.map(({ value }) => value),
        nextCursor,
        ...(pagesBack && { previousCursor: page.previousCursor }),
        ...(totalCount !== undefined && { totalCount }),
        ...(totalCountIsExact !== undefined && { totalCountIsExact }),
      };
    };
    checkReadable(resource, call.query, call.caller.principal);
    const reading = readingOnly(runtime, call.caller, reader);
    const context = (await withinTenant(runtime, reading, resource, call)).context(call);
    const page = (await override(call.query as never, context, next)) as PageOf<Values>;
    const all = page.items.map((values) => entityOfValues(resource, values));
    const items = resource.filter.isRuled ? await readable(reader, resource, all, call.caller) : all;
    const { nextCursor, previousCursor = null } = page;
    const isPreceded = pagesBack ? previousCursor !== null : call.query['cursor'] !== undefined;
    const planned = plan(call);
    const counted = await countReadable(reader, resource, planned, page);
    const whole = new ListPage(planned, items, { nextCursor, previousCursor, isPreceded }, counted);
    return shownPage(reader, resource, whole, call.caller.principal);
  };
}

/** Those of an override's rows that the caller reads. */
async function readable(
  reader: Reader,
  resource: Resource,
  all: readonly RowEntity[],
  { principal }: Caller,
): Promise<readonly RowEntity[]> {
  const ids = all.map(({ id }) => id);
  const seen = await findEach(reader, resource, ids, principal);
  return all.filter(({ id }) => seen.has(id));
}

/** The number that an override counted, or that of the rows that the caller reads if it is less. */
async function countReadable(
  reader: Reader,
  resource: Resource,
  { rows: { conditions } }: ListPlan,
  counted: Counted,
): Promise<Counted> {
  const isAsked = resource.filter.isRuled && counted.totalCount !== undefined;
  const readable = isAsked ? await countRows(reader, resource, conditions) : Number.POSITIVE_INFINITY;
  return countedReadable(resource, counted, readable);
}

/** What distinguishes the page of a call from any other: what is asked, below which parents, and what its caller sees. */
export function keyReader({ descriptor, filter, levels }: Resource): (call: ListCall) => string {
  const children = levels.filter(({ parent }) => parent);
  return ({ params, query, queryText, caller: { principal } }) => {
    let key = descriptor.key;
    // Ids may have spaces.
    for (const child of children) key += ` ${JSON.stringify(parentId(child, params))}`;
    return `${key} ${filter.key(principal)} ${queryText ?? JSON.stringify(query)}`;
  };
}
