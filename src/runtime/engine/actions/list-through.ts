import type { Id, ThroughDescriptor } from '../../../descriptor/resource.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import type { Principal } from '../../auth/principal.ts';
import type { ApiError } from '../../errors/api-error.ts';
import type { Comparison, Reader, Relation } from '../../storage/store.ts';
import { checkFollowed, checkReadable } from '../access/field-checks.ts';
import { equals } from '../access/filter.ts';
import { checkParents, find, withAncestorIds } from '../access/find.ts';
import type { Caller, ListCall, ListThroughCall } from '../interface/call.ts';
import type { Page } from '../interface/engine.ts';
import { countRows, mostCounted } from '../lists/counted.ts';
import { pageOf } from '../lists/list-page.ts';
import { type ListPlan, narrowed, planList, startingAt } from '../lists/list-plan.ts';
import { readGroups, readRows } from '../lists/read-rows.ts';
import type { Resource } from '../resource/resource.ts';
import { type Runtime, readerFor } from '../transaction/runtime.ts';
import { shownPage } from './list.ts';
import { shownPages } from './list-each.ts';
import { settled } from './settled.ts';

/** A list of the rows of a resource that another resource joins to a row of a third. */
interface Through {
  readonly runtime: Runtime;
  readonly resource: Resource;
  readonly below: Resource;
  readonly join: Resource;
  readonly descriptor: ThroughDescriptor;
}

const throughOf = (runtime: Runtime, resource: Resource, descriptor: ThroughDescriptor): Through => ({
  runtime,
  resource,
  below: runtime.resources.get(descriptor.below)!,
  join: runtime.resources.get(descriptor.join)!,
  descriptor,
});

/**
 * The list of what is joined to the row that the path names, which is never kept: it would have to be forgotten when any
 * of the three resources changes. Throws `NOT_FOUND` for a row above that the caller does not see, `INVALID_CURSOR`, and
 * `FORBIDDEN` for what would tell the caller of properties that it may not read.
 */
export function listThroughAction(
  runtime: Runtime,
  resource: Resource,
  descriptor: ThroughDescriptor,
): (call: ListCall) => MaybePromise<Page> {
  const through = throughOf(runtime, resource, descriptor);
  return (call) => {
    checkAsked(through, call);
    return whenKnown(readerFor(runtime, call.caller), (reader) =>
      whenKnown(idAbove(through, reader, call), (id) => {
        const plan = planFor(through, call);
        return readPage(through, reader, call, forOne(through, plan, id, call));
      }),
    );
  };
}

/** The same for many rows, which the caller is known to see: one statement reads all first pages, another counts. */
export function listEachThroughAction(
  runtime: Runtime,
  resource: Resource,
  descriptor: ThroughDescriptor,
): (call: ListThroughCall) => Promise<readonly (Page | ApiError)[]> {
  const through = throughOf(runtime, resource, descriptor);
  return async (call) => {
    checkAsked(through, call);
    const plan = planFor(through, call);
    const reader = await readerFor(runtime, call.caller);
    if (call.query['cursor'] === undefined) return firstPages(through, reader, call, plan);
    return settled(call.ids, (id) => readPage(through, reader, call, forOne(through, plan, id, call)));
  };
}

async function firstPages(
  through: Through,
  reader: Reader,
  call: ListThroughCall,
  plan: ListPlan,
): Promise<readonly Page[]> {
  const { resource, descriptor, runtime } = through;
  const { caller, ids: values } = call;
  const conditions = [joinedTo(through, EACH(descriptor.from), caller.principal), ...plan.rows.conditions];
  const group = { ...plan.rows, conditions, property: descriptor.from, values, through: descriptor.join };
  const of = { ...plan, rows: { ...plan.rows, conditions } };
  const groups = await readGroups(resource, reader, of, group);
  const counts = plan.isCounted ? await reader.countEach({ ...group, most: mostCounted(resource) }) : undefined;
  const pages = values.map((id, i) => {
    const own = joinedTo(through, equals(descriptor.from, id), caller.principal);
    return pageOf(resource, narrowed(resource, plan, own, runtime.cursors), groups[i]!, counts?.[i]);
  });
  return resource.fields ? shownPages(reader, resource, pages, caller) : pages;
}

function readPage({ resource }: Through, reader: Reader, { caller }: Pick<ListCall, 'caller'>, plan: ListPlan) {
  const { rows, isCounted } = plan;
  return whenKnown(readRows(resource, reader, plan), (found) =>
    whenKnown(isCounted ? countRows(reader, resource, rows.conditions) : undefined, (count) => {
      const page = pageOf(resource, plan, found, count);
      return resource.fields ? shownPage(reader, resource, page, caller) : page;
    }),
  );
}

/** The list without its beginning, which a cursor names, and without the row above. */
function planFor({ runtime: { cursors }, resource }: Through, { caller, query }: Asked): ListPlan {
  const { cursor: _, ...whole } = query;
  const { principal } = caller;
  return planList(resource, whole, resource.filter.own(principal), { cursors, principal });
}

function forOne(through: Through, plan: ListPlan, id: Id, { caller, query }: Asked): ListPlan {
  const { resource, runtime, descriptor } = through;
  const condition = joinedTo(through, equals(descriptor.from, id), caller.principal);
  const whole = narrowed(resource, plan, condition, runtime.cursors);
  const cursor = query['cursor'] as string | undefined;
  return cursor === undefined ? whole : startingAt(resource, whole, cursor);
}

interface Asked {
  readonly caller: Caller;
  readonly query: ListCall['query'];
}

/** The rows that a row of the join, which the caller sees, joins to the row above. */
function joinedTo({ join, descriptor }: Through, above: Comparison, principal: Principal | undefined): Relation {
  return {
    kind: 'related',
    property: 'id',
    resource: descriptor.join,
    relatedProperty: descriptor.to,
    conditions: [above, ...join.filter.whole(principal)],
    isNone: false,
  };
}

const EACH = (property: string): Comparison => ({ property, operator: 'each', value: [] });

/** Who may not read what joins them would learn of it. */
function checkAsked({ resource, join, descriptor: { from, to } }: Through, { caller, query }: Asked): void {
  const { principal } = caller;
  checkReadable(resource, query, principal);
  for (const property of [from, to]) checkFollowed(join, property, principal);
}

/** The id of the row that the path names, if the caller sees it and what is above it. */
function idAbove({ below }: Through, reader: Reader, { params, caller: { principal } }: ListCall): MaybePromise<Id> {
  return whenKnown(withAncestorIds(reader, below, params, principal), (own) =>
    whenKnown(checkParents(reader, below, own, principal, 'read'), () =>
      whenKnown(find(reader, below, own, principal), (row) => below.valueIn(row, 'id') as Id),
    ),
  );
}
