import { lookUp } from '../../../descriptor/look-up.ts';
import {
  declaredAction,
  type Id,
  type IncludeDescriptor,
  listOf,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import { ApiError, remade } from '../../errors/api-error.ts';
import { innerDoor } from '../access/inner-door.ts';
import type { Caller } from '../interface/call.ts';
import type { Entity, Include, IncludeCall, Page, ResourceActions, ShownRow } from '../interface/engine.ts';
import { pageForm, pageText } from '../lists/page-text.ts';
import { INCLUDE } from '../resource/further-checks.ts';
import type { Values } from '../resource/row-codec.ts';

/** The names of `include` as a tree: `items.product` is `product` below `items`. */
type Tree = ReadonlyMap<string, Tree>;

/** What stands beside each of many rows under one name, as JSON. */
type ReadMember = (rows: readonly ShownRow[], inner: Tree, caller: Caller) => Promise<readonly string[]>;

/** Rows that one name stands for. */
interface Relation {
  /** Whose related rows are meant. */
  readonly target: () => Related;
  /** The cost of what one row has under the name, by that of an entry. */
  readonly cost: (entry: number) => number;
  /** Throws `UNAUTHENTICATED`, `FORBIDDEN`. */
  readonly check: (caller: Caller) => void;
  readonly read: ReadMember;
}

/** A resource by the names that may be included beside its rows, in the order of its schema. */
type Related = ReadonlyMap<string, Relation>;

/**
 * Reads what `include` names beside rows that were read, with one statement for each name. `maxCost`: of a request, as GraphQL
 * counts it. The include throws `LIMIT_EXCEEDED`, `UNAUTHENTICATED` and `FORBIDDEN` before anything is read.
 */
export function includer(
  resources: ReadonlyMap<string, ResourceActions>,
  maxCost: number,
): (call: IncludeCall) => Include {
  const related = new Map<string, Related>();
  for (const { descriptor } of resources.values())
    related.set(descriptor.key, relationsOf(descriptor, resources, related));
  const sizeOf = (resource: string, { limit }: NonNullable<IncludeCall['query']>): number =>
    (limit as number | undefined) ?? listOf(lookUp(resources, resource).descriptor).defaultLimit;
  return ({ resource, names, query, caller }) => {
    const own = lookUp(related, resource);
    const tree = treeOf(names);
    const entry = entryCost(own, tree);
    const cost = query ? pageCost(sizeOf(resource, query), entry) : entry;
    if (cost > maxCost) throw tooDear(cost, maxCost);
    checkAccess(own, tree, caller);
    return (rows) => textsOf(own, tree, rows, caller);
  };
}

function treeOf(names: readonly string[]): Tree {
  const tree = new Map<string, Map<string, Tree>>();
  for (const name of names) {
    const [first = '', second] = name.split('.');
    const inner = tree.get(first) ?? new Map<string, Tree>();
    tree.set(first, second === undefined ? inner : inner.set(second, new Map()));
  }
  return tree;
}

const inTree = (related: Related, tree: Tree) =>
  [...related].flatMap(([name, relation]) => {
    const inner = tree.get(name);
    return inner ? [{ name, relation, inner }] : [];
  });

const entryCost = (related: Related, tree: Tree): number =>
  inTree(related, tree).reduce(
    (sum, { relation, inner }) => sum + relation.cost(entryCost(relation.target(), inner)),
    1,
  );

/** The objects of a page are its entries, itself and what has its cursor. */
const pageCost = (size: number, entry: number): number => 2 + size * entry;

function tooDear(cost: number, maxCost: number): ApiError {
  const detail = `costs ${cost}; at most ${maxCost} is allowed. Name less, or ask for fewer entries.`;
  return new ApiError('LIMIT_EXCEEDED', {
    detail: `The request ${detail}`,
    errors: [{ parameter: INCLUDE, detail }],
  });
}

function checkAccess(related: Related, tree: Tree, caller: Caller): void {
  for (const { name, relation, inner } of inTree(related, tree)) {
    refusing(name, () => relation.check(caller));
    checkAccess(relation.target(), inner, caller);
  }
}

/** Names the parameter in a refusal. */
function refusing<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusal(name, error);
  }
}

function refusal(name: string, error: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'FORBIDDEN') return error;
  return remade(error, { errors: [{ parameter: INCLUDE, detail: `you may not read ${name}` }] });
}

async function textsOf(
  related: Related,
  tree: Tree,
  rows: readonly ShownRow[],
  caller: Caller,
): Promise<readonly string[]> {
  const members = await Promise.all(
    inTree(related, tree).map(async ({ name, relation, inner }) => {
      try {
        return { name, texts: await relation.read(rows, inner, caller) };
      } catch (error) {
        throw refusal(name, error);
      }
    }),
  );
  return rows.map(({ json }, i) => {
    let text = json.slice(0, -1);
    for (const { name, texts } of members) text += `,${JSON.stringify(name)}:${texts[i]}`;
    return `${text}}`;
  });
}

function relationsOf(
  { includes = {} }: ResourceDescriptor,
  resources: ReadonlyMap<string, ResourceActions>,
  related: ReadonlyMap<string, Related>,
): Related {
  return new Map(
    Object.entries(includes).map(([name, include]) => {
      const actions = lookUp(resources, include.resource);
      const target = () => lookUp(related, include.resource);
      return [name, include.kind === 'one' ? oneRow(actions, include, target) : manyRows(actions, include, target)];
    }),
  );
}

/** The row that a property refers to; null where the caller does not see it. */
function oneRow(actions: ResourceActions, { property }: IncludeDescriptor, target: Relation['target']): Relation {
  const door = innerDoor(declaredAction(actions.descriptor, 'get').access);
  return {
    target,
    cost: (entry) => entry,
    check: (caller) => void door(caller),
    read: async (rows, inner, caller) => {
      const referred = rows.map(({ view }) => (view as Values)[property] as Id | null | undefined);
      const ids = [...new Set(referred.filter((id) => id != null))];
      if (ids.length === 0) return rows.map(() => 'null');
      const found = await actions.getEach({ caller: door(caller), ids });
      const seen = ids.flatMap((id, i) => {
        const one = found[i];
        return one && !isHidden(one) ? [{ id, one }] : [];
      });
      const shown = seen.map(({ one }) => one);
      const texts = await textsOf(target(), inner, shown, caller);
      const textOf = new Map(seen.map(({ id }, i) => [id, texts[i]]));
      return referred.map((id) => (id == null ? undefined : textOf.get(id)) ?? 'null');
    },
  };
}

/** Whether a row is not there for the caller. Throws any other error. */
function isHidden(one: Entity | ApiError): one is ApiError {
  if (!(one instanceof ApiError)) return false;
  if (one.code !== 'NOT_FOUND') throw one;
  return true;
}

/** The first page of the rows that belong to each, in the default order and size of their list. */
function manyRows(
  actions: ResourceActions,
  { property, through }: IncludeDescriptor,
  target: Relation['target'],
): Relation {
  const { descriptor } = actions;
  const further = through === undefined ? undefined : lookUp(actions.furtherLists, through);
  const door = innerDoor((further ?? declaredAction(descriptor, 'list')).access);
  const { defaultLimit } = listOf(descriptor);
  const form = pageForm(descriptor);
  const pagesOf = (caller: Caller, ids: readonly Id[]): MaybePromise<readonly (Page | ApiError)[]> => {
    const call = { caller: door(caller), ids, query: {} };
    return further ? further.listEach(call) : actions.listEach({ ...call, property });
  };
  return {
    target,
    cost: (entry) => pageCost(defaultLimit, entry),
    check: (caller) => void door(caller),
    read: async (rows, inner, caller) => {
      if (rows.length === 0) return [];
      const found = await pagesOf(
        caller,
        rows.map(({ id }) => id),
      );
      const pages = found.map((one) => {
        if (one instanceof ApiError) throw one;
        return one;
      });
      const texts = await textsOf(
        target(),
        inner,
        pages.flatMap(({ items }) => items),
        caller,
      );
      let from = 0;
      return pages.map((page) => {
        const to = from + page.items.length;
        const own = texts.slice(from, to);
        from = to;
        return pageText(page, form, own);
      });
    },
  };
}
