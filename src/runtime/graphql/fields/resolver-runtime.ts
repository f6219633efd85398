import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { Action } from '../../../descriptor/resource.ts';
import type { Caller } from '../../engine/interface/call.ts';
import type { Engine, ResourceActions } from '../../engine/interface/engine.ts';
import type { GraphqlContext } from './context.ts';
import type { InputDecoders } from './input.ts';

/** Shared by all resolvers of a schema. */
export interface ResolverRuntime {
  readonly engine: Engine;
  readonly descriptor: GraphqlDescriptor;
  readonly inputs: InputDecoders;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** The actions of a resource. Throws, at boot, if the contract does not have the resource or the action. */
export function actionsFor<T>({ engine }: ResolverRuntime, resource: string, action: Action): ResourceActions<T> {
  const actions = engine.resources.get(resource);
  if (!actions?.descriptor.actions[action]) throw new Error(`The contract has no action ${resource}.${action}.`);
  return actions as ResourceActions<T>;
}

/** The caller that the field's policy has admitted for an action. */
export function callerFor({ descriptor }: ResourceActions<unknown>, action: Action, context: GraphqlContext): Caller {
  return context.session.callerFor(descriptor.actions[action]!.access);
}
