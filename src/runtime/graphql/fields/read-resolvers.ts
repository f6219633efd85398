import type { GraphQLField } from 'graphql';
import type { ConnectionField, GetField, ListField, ReferenceField } from '../../../descriptor/graphql.ts';
import type { Entity, Page } from '../../engine/interface/engine.ts';
import { type ArgumentNames, toldOfArguments } from './argument-errors.ts';
import { Batch } from './batch.ts';
import { Connection } from './connection.ts';
import type { GraphqlContext } from './context.ts';
import { queryReader } from './list-query.ts';
import { paramsReader } from './path-params.ts';
import {
  type Arguments,
  actionsOf,
  authorized,
  type Resolve,
  type ResolverRuntime,
  type Source,
} from './resolver-runtime.ts';
import { selectsTotalCount } from './selection.ts';

type Field = GraphQLField<Source, GraphqlContext>;

/** `product(id:)`. Throws `NOT_FOUND` and what the get action throws. */
export function getResolver(runtime: ResolverRuntime, { resource, params }: GetField): Resolve {
  const actions = actionsOf(runtime, resource);
  const readParams = paramsReader(params);
  const explain = explainer(runtime, { params });
  return async (_source, args, context) => {
    const caller = authorized(actions, 'get', context);
    try {
      const path = readParams(args);
      actions.checkParams(path);
      return (await actions.get({ caller, params: path })).view;
    } catch (error) {
      throw explain(error, args);
    }
  };
}

/** `products(first:, after:, filter:, sort:)`. */
export function listResolver(runtime: ResolverRuntime, { resource, params }: ListField, field: Field): Resolve {
  const actions = actionsOf(runtime, resource);
  const readParams = paramsReader(params);
  const readQuery = queryReader(field, runtime.descriptor);
  const explain = explainer(runtime, { params });
  return async (_source, args, context, info) => {
    const caller = authorized(actions, 'list', context);
    try {
      const path = readParams(args);
      const query = readQuery(args, selectsTotalCount(info));
      actions.checkParams(path);
      actions.checkQuery(query);
      return new Connection(await actions.list({ caller, params: path, query }), query['cursor'] !== undefined);
    } catch (error) {
      throw explain(error, args);
    }
  };
}

/** `order.user`: null when the order refers to none. Throws `NOT_FOUND` for one that the caller may not see. */
export function referenceResolver(runtime: ResolverRuntime, { resource, property }: ReferenceField): Resolve {
  const actions = actionsOf(runtime, resource);
  return async (source, _args, context, { fieldNodes }) => {
    const id = source[property] as string | null | undefined;
    if (id == null) return null;
    const batch = context.batches.of<string, Entity>(fieldNodes[0]!, () => {
      const caller = authorized(actions, 'get', context);
      return new Batch((ids) => actions.getEach({ caller, ids }));
    });
    return (await batch.load(id)).view;
  };
}

/** `user.orders`, `order.items`: a page of each parent's. */
export function connectionResolver(
  runtime: ResolverRuntime,
  { resource, property }: ConnectionField,
  field: Field,
): Resolve {
  const actions = actionsOf(runtime, resource);
  const readQuery = queryReader(field, runtime.descriptor);
  const explain = explainer(runtime, { params: {} });
  return async (source, args, context, info) => {
    try {
      const batch = context.batches.of<string, Page>(info.fieldNodes[0]!, () => {
        const caller = authorized(actions, 'list', context);
        const query = readQuery(args, selectsTotalCount(info));
        actions.checkQuery(query);
        return new Batch((ids) => actions.listEach({ caller, property, ids, query }));
      });
      return new Connection(await batch.load(source['id'] as string), args['after'] != null);
    } catch (error) {
      throw explain(error, args);
    }
  };
}

function explainer({ descriptor }: ResolverRuntime, names: ArgumentNames) {
  return (error: unknown, args: Arguments): unknown => toldOfArguments(error, names, args, descriptor.inputs);
}
