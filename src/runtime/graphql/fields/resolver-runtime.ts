import type { GraphQLFieldConfig, GraphQLFieldResolver } from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { Action } from '../../../descriptor/resource.ts';
import type { Caller } from '../../engine/interface/call.ts';
import type { Engine, ResourceActions } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { GraphqlContext } from './context.ts';
import type { InputDecoders } from './input.ts';

/** What the resolvers of a schema share. */
export interface ResolverRuntime {
  readonly engine: Engine;
  readonly descriptor: GraphqlDescriptor;
  readonly inputs: InputDecoders;
}

export type Arguments = Readonly<Record<string, unknown>>;
export type Source = Readonly<Record<string, unknown>>;
export type Resolve = GraphQLFieldResolver<Source, GraphqlContext, Arguments>;

/** The functions of one field. */
export type Resolvers = Pick<GraphQLFieldConfig<Source, GraphqlContext, Arguments>, 'resolve' | 'subscribe'>;

export function actionsOf({ engine }: ResolverRuntime, resource: string): ResourceActions {
  return engine.resources.get(resource)!;
}

/** The caller as an action's access knows it. Throws what authorizing throws, before any argument is looked at. */
export function authorized(actions: ResourceActions, action: Action, { session }: GraphqlContext): Caller {
  const declared = actions.descriptor.actions[action];
  if (!declared) throw new ApiError('METHOD_NOT_ALLOWED', { detail: `${actions.descriptor.name} has no ${action}.` });
  const caller = session.callerFor(declared.access);
  actions.authorize(action, caller);
  return caller;
}
