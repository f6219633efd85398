import type { ParamArguments } from '../../../descriptor/graphql.ts';
import type { Id } from '../../../descriptor/resource.ts';
import { mapped } from '../../engine/events/mapped.ts';
import type { ChangeKind } from '../../engine/interface/call.ts';
import type { Entity } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import { inArguments } from './argument-errors.ts';
import { fieldOf } from './argument-names.ts';
import type { Arguments } from './arguments.ts';
import { integerIds, integerOf } from './ids.ts';
import { actionsFor, type ResolverRuntime } from './resolver-runtime.ts';
import type { Stream } from './resolvers.ts';

/** `productUpdated(id:)`. Each event has the new state of the resource, or the id of a deleted one. */
export function eventResolver<Field extends string, Event, Row>(
  runtime: ResolverRuntime,
  resource: string,
  kind: ChangeKind,
  field: Field,
  eventOf: (entity: Entity<Row>) => Event,
): Stream<Field, Event, unknown> {
  const { engine, descriptor } = runtime;
  const isRead = engine.resources.get(resource)?.descriptor.actions.get !== undefined;
  const { actions, access } = actionsFor(runtime, resource, isRead ? 'get' : 'list');
  const integers = integerIds(actions.descriptor);
  const properties = propertiesOf(runtime, resource, kind);
  const idOf = (name: string, value: unknown): unknown => (integers.has(name) ? integerOf(value) : value);
  const payload = payloadsOf<Field, Event>(field);
  return {
    subscribe: async (_parent, given, { session }) => {
      const args = given as Arguments;
      const wanted = Object.entries(args).filter(([, value]) => value != null);
      const where = Object.fromEntries(
        wanted.map(([argument, value]) => {
          const name = properties[argument] ?? argument;
          return [name, idOf(name, value)];
        }),
      );
      try {
        const caller = session.admit(access);
        const changes = await engine.subscribe({ caller, resource, kind, where: where as Record<string, Id> });
        return mapped(changes, (change) => payload(() => eventOf(read(change) as Entity<Row>)));
      } catch (error) {
        const params = Object.fromEntries(Object.keys(args).map((name) => [name, properties[name] ?? name]));
        throw inArguments(error, { params }, args, descriptor.inputs);
      }
    },
  };
}

/** The properties that the arguments of an event narrow by. */
function propertiesOf({ fields }: ResolverRuntime, resource: string, kind: ChangeKind): ParamArguments {
  const field = fieldOf(fields, resource, kind);
  return field && field.kind !== 'custom' && 'arguments' in field ? field.arguments : {};
}

/** Throws if events have been missed: that is an error of the field, and the stream continues. */
function read(change: Entity | ApiError): Entity {
  if (change instanceof ApiError) throw change;
  return change;
}

/** Makes root values of a subscription's field, which read an event when the field is resolved. */
function payloadsOf<Field extends string, Event>(field: Field) {
  class Payload {
    readonly #read: () => Event;

    constructor(read: () => Event) {
      this.#read = read;
    }

    static {
      const get = function (this: Payload) {
        return this.#read();
      };
      Object.defineProperty(Payload.prototype, field, { get, enumerable: true });
    }
  }
  return (read: () => Event) => new Payload(read) as object as { readonly [_ in Field]: Event };
}
