import type { EventField } from '../../../descriptor/graphql.ts';
import type { Entity } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import { toldOfArguments } from './argument-errors.ts';
import { type Arguments, actionsOf, type ResolverRuntime, type Resolvers } from './resolver-runtime.ts';

/** `productUpdated(id:)`: each event is the resource as it is then; of a deletion, its id. */
export function eventResolvers(
  runtime: ResolverRuntime,
  { kind, resource, arguments: properties }: EventField,
): Resolvers {
  const { engine, descriptor } = runtime;
  const { actions } = actionsOf(runtime, resource).descriptor;
  const access = (actions.get ?? actions.list)!.access;
  return {
    subscribe: async (_source, args, { session }) => {
      try {
        const caller = session.callerFor(access);
        return await engine.subscribe({ caller, resource, kind, where: whereOf(args, properties) });
      } catch (error) {
        throw toldOfArguments(error, { params: properties }, args, descriptor.inputs);
      }
    },
    resolve: (source) => {
      if ((source as unknown) instanceof ApiError) throw source;
      const entity = source as unknown as Entity;
      return kind === 'deleted' ? entity.id : entity.view;
    },
  };
}

function whereOf(args: Arguments, properties: Readonly<Record<string, string>>): Record<string, string> {
  const where: Record<string, string> = {};
  for (const [argument, value] of Object.entries(args))
    if (value != null) where[properties[argument]!] = value as string;
  return where;
}
