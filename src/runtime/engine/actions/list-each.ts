import { lookUp } from '../../../descriptor/look-up.ts';
import { type Id, listOf, type ThroughDescriptor } from '../../../descriptor/resource.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Comparison, Condition, Reader } from '../../storage/store.ts';
import { checkFollowed, checkReadable } from '../access/field-checks.ts';
import { equals } from '../access/filter.ts';
import { find } from '../access/find.ts';
import { ancestorsOf, checkParents, withAncestorIds } from '../access/parents.ts';
import type { Caller, ListCall, ListEachCall, ListThroughCall, PathParams } from '../interface/call.ts';
import type { Page } from '../interface/engine.ts';
import { type ListPlan, listPlanner, narrowed, type PlanList, startingAt } from '../lists/list-plan.ts';
import { readFirstPages, readPage, shownPage, shownPages } from '../lists/read-pages.ts';
import type { Resource } from '../resource/resource.ts';
import { readerFor } from '../transaction/reading.ts';
import type { Runtime } from '../transaction/runtime.ts';
import { listAction } from './list.ts';
import { settled } from './settled.ts';

/** Lists of a resource by an id each: of the rows that refer to it, or of those that another resource joins to it. */
interface Lists {
  readonly runtime: Runtime;
  readonly resource: Resource;
  readonly planList: PlanList;
  /** The property that has the id, of the resource itself or of the one that is `through`, by its key. */
  readonly property: string;
  readonly through?: string;
  /** Selects the rows of the list of one id, beside what its caller sees. */
  ofOne(id: Id, principal: Principal | undefined): Condition;
  /** Selects the rows of the lists of all. */
  ofAll(principal: Principal | undefined): readonly Condition[];
}

/**
 * For each id, a page of its list. A later page is asked for by a cursor, which belongs to the list of one id: all others
 * get `INVALID_CURSOR`.
 */
async function pagesOf(lists: Lists, call: ListThroughCall): Promise<readonly (Page | ApiError)[]> {
  const { runtime, resource, property, through } = lists;
  const { caller, ids: values, query } = call;
  const { principal } = caller;
  const plan = planFor(lists, call);
  const reader = await readerFor(runtime, caller);
  if (query['cursor'] !== undefined) return settled(values, (id) => readOne(lists, reader, plan, id, call));
  const conditions = [...lists.ofAll(principal), ...plan.rows.conditions];
  const whole = { ...plan, rows: { ...plan.rows, conditions } };
  const plans = values.map((id) => narrowed(resource, plan, lists.ofOne(id, principal), runtime.cursors));
  const pages = await readFirstPages(resource, reader, whole, { property, values, through }, plans);
  return shownPages(reader, resource, pages, principal);
}

/** All lists without their beginnings, which a cursor names. */
function planFor({ resource, planList }: Lists, { caller: { principal }, query, asked }: Asked): ListPlan {
  const { cursor: _, ...whole } = query;
  return planList(whole, { principal, scope: resource.filter.own(principal), columns: resource.columnsOf(asked) });
}

function readOne(lists: Lists, reader: Reader, plan: ListPlan, id: Id, { caller, query }: Asked): MaybePromise<Page> {
  const { runtime, resource } = lists;
  const whole = narrowed(resource, plan, lists.ofOne(id, caller.principal), runtime.cursors);
  const cursor = query['cursor'] as string | undefined;
  const page = readPage(resource, reader, cursor === undefined ? whole : startingAt(resource, whole, cursor));
  return whenKnown(page, (found) => shownPage(reader, resource, found, caller.principal));
}

type Asked = Pick<ListThroughCall, 'caller' | 'query' | 'asked'>;

/** For each id, a page of the rows whose property is that id. */
export function listEachAction(
  runtime: Runtime,
  resource: Resource,
): (call: ListEachCall) => Promise<readonly (Page | ApiError)[]> {
  if (runtime.overrides[resource.descriptor.key]?.list) return listEachByOverride(runtime, resource);
  const planList = listPlanner(resource, runtime.cursors);
  return async (call) => {
    const { caller, property, query, ids } = call;
    // It is the list with a filter, where there is one.
    const filter = listOf(resource.descriptor).filters.find((one) => one.property === property);
    checkReadable(resource, filter ? { ...query, [filter.parameter]: ids } : query, caller.principal);
    checkFollowed(resource, property, caller.principal);
    const ofOne = (id: Id): Condition => equals(property, id);
    return pagesOf({ runtime, resource, planList, property, ofOne, ofAll: () => [] }, call);
  };
}

/** An override of `list` answers one list at a time: the list of a parent, or a filtered one. */
function listEachByOverride(
  runtime: Runtime,
  resource: Resource,
): (call: ListEachCall) => Promise<readonly (Page | ApiError)[]> {
  const list = listAction(runtime, resource);
  const { parent } = resource.descriptor;
  const { filters } = listOf(resource.descriptor);
  return async ({ caller, property, ids, query }) => {
    checkFollowed(resource, property, caller.principal);
    return settled(ids, async (id) => {
      if (property === parent?.property) return list({ caller, query, params: await pathTo(caller, id, property) });
      const filter = filters.find((one) => one.property === property && one.shape !== 'object');
      if (!filter) throw new Error(`${resource.descriptor.key}.list is overridden, but has no filter by ${property}.`);
      return list({ caller, params: {}, query: { ...query, [filter.parameter]: filter.shape === 'in' ? [id] : id } });
    });
  };

  async function pathTo(caller: Caller, id: Id, property: string): Promise<PathParams> {
    const reader = await readerFor(runtime, caller);
    const { parent: above } = resource;
    const row = above?.parent && (await reader.get(above.descriptor.key, id));
    return { ...(above && row && (await ancestorsOf(reader, above, row))), [property]: id };
  }
}

/**
 * The list of what is joined to the row that the path names, and the lists of many such rows, which the caller is known to
 * see. They are never kept: they would have to be forgotten when any of the three resources changes. Throws `NOT_FOUND` for
 * a row above that the caller does not see, `INVALID_CURSOR`, and `FORBIDDEN` for what would reveal to the caller properties
 * that it may not read.
 */
export function throughActions(runtime: Runtime, resource: Resource, descriptor: ThroughDescriptor) {
  const { from, to } = descriptor;
  const below = lookUp(runtime.resources, descriptor.below);
  const join = lookUp(runtime.resources, descriptor.join);
  /** The rows that a row of the join, which the caller sees, joins to the row above. */
  const joinedTo = (above: Comparison, principal: Principal | undefined): Condition => ({
    kind: 'related',
    property: 'id',
    resource: descriptor.join,
    relatedProperty: to,
    conditions: [above, ...join.filter.whole(principal)],
    isNone: false,
  });
  const lists: Lists = {
    runtime,
    resource,
    planList: listPlanner(resource, runtime.cursors),
    property: from,
    through: descriptor.join,
    ofOne: (id, principal) => joinedTo(equals(from, id), principal),
    ofAll: (principal) => [joinedTo({ property: from, operator: 'each', value: [] }, principal)],
  };
  // A caller that may not read what joins them would learn of it.
  const check = ({ caller: { principal }, query }: Asked): void => {
    checkReadable(resource, query, principal);
    for (const property of [from, to]) checkFollowed(join, property, principal);
  };
  return {
    list(call: ListCall): MaybePromise<Page> {
      check(call);
      return whenKnown(readerFor(runtime, call.caller), (reader) =>
        whenKnown(idAt(below, reader, call), (id) => readOne(lists, reader, planFor(lists, call), id, call)),
      );
    },
    async listEach(call: ListThroughCall) {
      check(call);
      return pagesOf(lists, call);
    },
  };
}

/** The id of the row that the path names, if the caller sees it and what is above it. */
function idAt(resource: Resource, reader: Reader, { params, caller: { principal } }: ListCall): MaybePromise<Id> {
  return whenKnown(withAncestorIds(reader, resource, params, principal), (own) =>
    whenKnown(checkParents(reader, resource, own, principal, 'read'), () =>
      whenKnown(find(reader, resource, own, principal), (row) => resource.valueIn(row, 'id') as Id),
    ),
  );
}
