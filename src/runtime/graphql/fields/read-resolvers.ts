import { type GraphQLResolveInfo, Kind, type ValueNode } from 'graphql';
import type { Access } from '../../../descriptor/access.ts';
import type { GraphqlDescriptor, ParamArguments } from '../../../descriptor/graphql.ts';
import type { Id, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { ListThroughCall } from '../../engine/interface/call.ts';
import type { Entity, Page, ResourceActions } from '../../engine/interface/engine.ts';
import { validationFailed } from '../../engine/resource/validated.ts';
import type { ApiError } from '../../errors/api-error.ts';
import { inArguments } from './argument-errors.ts';
import { keyArguments, pathArguments, typeOf } from './argument-names.ts';
import { type Arguments, paramsReader } from './arguments.ts';
import { selectionReader } from './asked-properties.ts';
import { Batch, batchOf } from './batch.ts';
import { Connection } from './connection.ts';
import { integerIds, integerParameters } from './ids.ts';
import { queryReader, type ReadQuery } from './list-query.ts';
import { actionsFor, type ResolverRuntime } from './resolver-runtime.ts';
import type { ConnectionOf, PageArguments, Resolve } from './resolvers.ts';

/**
 * `product(id:)`, or `product(id:, sku:)` by one of several properties. Throws `NOT_FOUND`, `VALIDATION_FAILED` when not
 * exactly one of them is given, and what the get action throws.
 */
export function getResolver<Row>(
  runtime: ResolverRuntime,
  resource: string,
  by: readonly string[] = [],
): Resolve<Row, unknown, object> {
  const { actions, access } = actionsFor<Row>(runtime, resource, 'get');
  const { descriptor } = actions;
  const params = pathArguments(runtime.fields, descriptor, 'get', by);
  const keys = keyArguments(params, descriptor, by);
  const readParams = paramsReader(params, integerParameters(runtime.engine, actions.descriptor));
  const selectionOf = selectionReader(runtime, descriptor, 'row');
  return async (_parent, args, context, info) => {
    const caller = context.session.callerFor(access);
    try {
      checkOneOf(keys, args as Arguments);
      const path = readParams(args as Arguments);
      actions.checkParams(path);
      const { asked } = selectionOf(info);
      return (await actions.get({ caller, params: path, asked })).view;
    } catch (error) {
      throw inArguments(error, { params }, args as Arguments, runtime.descriptor.inputs);
    }
  };
}

function checkOneOf(keys: readonly string[], args: Arguments): void {
  const given = keys.filter((key) => args[key] != null);
  if (keys.length === 0 || given.length === 1) return;
  const names = keys.map((key) => `\`${key}\``).join(', ');
  const detail = `exactly one of ${names} must be given`;
  throw validationFailed((given.length > 0 ? given : keys).map((argument) => ({ argument, detail })));
}

/** `products(first:, after:, filter:, search:, sort:)`. */
export function listResolver<Row>(
  runtime: ResolverRuntime,
  resource: string,
): Resolve<ConnectionOf<Row>, unknown, PageArguments> {
  const { actions, access } = actionsFor<Row>(runtime, resource, 'list');
  const params = pathArguments(runtime.fields, actions.descriptor, 'list');
  const readParams = paramsReader(params, integerParameters(runtime.engine, actions.descriptor));
  const readQuery = queryReaderOf(runtime, actions.descriptor);
  const selectionOf = selectionReader(runtime, actions.descriptor, 'connection');
  return async (_parent, args, context, info) => {
    const caller = context.session.callerFor(access);
    const given = args as PageArguments & Arguments;
    try {
      const path = readParams(given);
      checkDirection(given, info);
      const { asked, isCounted } = selectionOf(info);
      const query = readQuery(given, isCounted);
      actions.checkParams(path);
      actions.checkQuery(query);
      return new Connection(await actions.list({ caller, params: path, query, asked }));
    } catch (error) {
      throw inArguments(error, listNames(runtime, actions.descriptor, given, params), given, runtime.descriptor.inputs);
    }
  };
}

/** `order.user`: null if the order does not refer to a user. Throws `NOT_FOUND` for one that the caller may not see. */
export function referenceResolver<Row, P extends string>(
  runtime: ResolverRuntime,
  resource: string,
  property: P,
): Resolve<Row | null, { readonly [_ in P]?: Id | null }, unknown> {
  const { actions, access } = actionsFor<Row>(runtime, resource, 'get');
  const selectionOf = selectionReader(runtime, actions.descriptor, 'row');
  return async (parent, _args, context, info) => {
    const id = parent[property];
    if (id == null) return null;
    const batch = batchOf<Id, Entity<Row>>(context.batches, info.fieldNodes[0]!, () => {
      const caller = context.session.callerFor(access);
      return new Batch((ids, asked) => actions.getEach({ caller, ids, asked }));
    });
    return (await batch.load(id, selectionOf(info).asked)).view;
  };
}

/** `user.orders`, `order.items`: a page for each parent. */
export function connectionResolver<Row>(
  runtime: ResolverRuntime,
  resource: string,
  property: string | undefined,
): Resolve<ConnectionOf<Row>, { readonly id: Id }, PageArguments> {
  const { actions, access } = actionsFor<Row>(runtime, resource, 'list');
  const referring = property ?? actions.descriptor.parent?.property;
  if (referring === undefined) throw new Error(`${resource} has no property that refers to a parent.`);
  const list: ListEach<Row> = {
    access,
    read: (call) => actions.listEach({ ...call, property: referring }),
  };
  return pagesOfEach(runtime, actions, list);
}

/** `issue.labels`, where another resource joins the two: a page for each parent. */
export function throughResolver<Row>(
  runtime: ResolverRuntime,
  resource: string,
  operation: string,
): Resolve<ConnectionOf<Row>, { readonly id: Id }, PageArguments> {
  const { actions } = actionsFor<Row>(runtime, resource, 'list');
  const further = actions.furtherLists.get(operation);
  if (!further) throw new Error(`${resource} has no list ${operation}.`);
  return pagesOfEach(runtime, actions, { access: further.access, read: further.listEach });
}

interface ListEach<Row> {
  readonly access: Access;
  readonly read: (call: ListThroughCall) => MaybePromise<readonly (Page<Row> | ApiError)[]>;
}

function pagesOfEach<Row>(
  runtime: ResolverRuntime,
  actions: ResourceActions<Row>,
  { access, read }: ListEach<Row>,
): Resolve<ConnectionOf<Row>, { readonly id: Id }, PageArguments> {
  const readQuery = queryReaderOf(runtime, actions.descriptor);
  const selectionOf = selectionReader(runtime, actions.descriptor, 'connection');
  return async (parent, args, context, info) => {
    const given = args as PageArguments & Arguments;
    try {
      const selection = selectionOf(info);
      const { asked, isCounted } = selection;
      const batch = batchOf<Id, Page<Row>>(context.batches, selection, () => {
        const caller = context.session.callerFor(access);
        checkDirection(given, info);
        const query = readQuery(given, isCounted);
        actions.checkQuery(query);
        return new Batch((ids) => read({ caller, ids, query, asked }));
      });
      return new Connection(await batch.load(parent.id));
    } catch (error) {
      throw inArguments(error, listNames(runtime, actions.descriptor, given, {}), given, runtime.descriptor.inputs);
    }
  };
}

export function queryReaderOf({ descriptor, inputs }: ResolverRuntime, resource: ResourceDescriptor): ReadQuery {
  const sorts = descriptor.sorts[`${typeOf(descriptor, resource)}Sort`];
  const type = filterTypeOf(descriptor, resource);
  const filters = descriptor.filters?.[resource.key];
  const references = Object.entries(descriptor.referenceFilters?.[resource.key] ?? {});
  return queryReader({
    sorts,
    filters,
    integers: integerIds(resource),
    decode: type === undefined ? undefined : inputs.of(type, 'patch'),
    references: new Map(references.map(([field, input]) => [field, inputs.of(input, 'patch')])),
  });
}

/** The input type of a filter whose conditions callers may combine. */
const filterTypeOf = (descriptor: GraphqlDescriptor, resource: ResourceDescriptor): string | undefined =>
  resource.list?.filter === undefined ? undefined : `${typeOf(descriptor, resource)}Filter`;

export const listNames = (
  { descriptor }: ResolverRuntime,
  resource: ResourceDescriptor,
  args: Arguments,
  params: ParamArguments,
) => ({
  params,
  filters: descriptor.filters?.[resource.key],
  filterType: filterTypeOf(descriptor, resource),
  isSearched: resource.list?.search !== undefined,
  isBackward: isBackward(args),
});

const isBackward = ({ last, before }: Arguments): boolean => last != null || before != null;

/** Pages go one way; `first` alone may stand beside `last`, where it is a default of the schema. */
function checkDirection(args: Arguments, { fieldNodes, variableValues }: GraphQLResolveInfo): void {
  if (!isBackward(args)) return;
  const given = fieldNodes[0]!.arguments?.filter(({ value }) => !isOmitted(value, variableValues));
  const written = new Set(given?.map(({ name }) => name.value));
  const strays = ['first', 'after'].filter((argument) => written.has(argument) && args[argument] != null);
  if (strays.length === 0) return;
  const detail = 'goes with neither `last` nor `before`';
  throw validationFailed(strays.map((argument) => ({ argument, detail })));
}

/** A variable without a value is an argument that is not there (GraphQL specification, 6.4.1). */
const isOmitted = (value: ValueNode, variables: GraphQLResolveInfo['variableValues']): boolean =>
  value.kind === Kind.VARIABLE && !Object.hasOwn(variables, value.name.value);
