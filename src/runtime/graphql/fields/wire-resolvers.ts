import type { Access } from '../../../descriptor/access.ts';
import {
  type FieldDescriptor,
  type GraphqlDescriptor,
  isFurtherField,
  partsOfCoordinate,
} from '../../../descriptor/graphql.ts';
import { lookUp, ownMember } from '../../../descriptor/look-up.ts';
import { declaredAction, type ResourceDescriptor } from '../../../descriptor/resource.ts';
import { operationWithId } from '../../../descriptor/rest.ts';
import { type FieldBinding, planResolvers } from '../../../descriptor/wiring-plan.ts';
import type { Engine } from '../../engine/interface/engine.ts';
import type { AnyResources } from '../../engine/interface/untyped.ts';
import { notImplemented } from '../../errors/api-error.ts';
import { HandlerError } from '../../errors/handler-error.ts';
import type { Operations } from '../../operations/create-operations.ts';
import { resourceFields } from './argument-names.ts';
import { InputDecoders } from './arguments.ts';
import { createResolverBinder } from './bind-resolvers.ts';
import type { FieldHandlers } from './custom-resolvers.ts';
import { type AnyResolver, type Replacements, replacedFields, replacedResolver } from './replaced-resolver.ts';
import { operationFieldsOf } from './resolver-runtime.ts';
import type { ResolverBinder, ResolverWiring } from './resolvers.ts';

type AnyFields = Readonly<Record<string, Readonly<Record<string, never>>>>;
/** The resolvers of the fields of a type, or the type resolver of a union. */
type TypeResolvers = Readonly<Record<string, AnyResolver>>;
export type AnyResolvers = Readonly<Record<string, TypeResolvers>>;

/** The type of `resolvers` in `generated/resolvers.ts` for any contract. */
export type WireResolvers = (wiring: ResolverWiring<AnyResources, AnyFields, Operations>) => AnyResolvers;

/** Wires a contract without emitted files: it calls the same binders, by the plan that the emitter prints. */
export function plannedResolvers(graphql: GraphqlDescriptor, resources: readonly ResourceDescriptor[]): WireResolvers {
  const { types, unions } = planResolvers(graphql, resources);
  return ({ bind, fields, operations }) => ({
    ...Object.fromEntries(
      [...types].map(([type, bindings]) => [
        type,
        Object.fromEntries(
          [...bindings].map(([field, binding]) => [field, bound(bind, { fields, operations }, binding)]),
        ),
      ]),
    ),
    ...Object.fromEntries(
      [...unions].map(([name, { property, types: byValue }]) => [name, bind.union(property, byValue)]),
    ),
  });
}

/** Calls a binder as the emitted file does: `bind.connection('orders', 'userId')`. */
function bound(bind: ResolverBinder<AnyResources>, code: Code, binding: FieldBinding): AnyResolver {
  const call = bind[binding.bind] as (...args: readonly unknown[]) => AnyResolver;
  return call(...argumentsOf(binding, code));
}

type Code = Pick<ResolverWiring<AnyResources, AnyFields, Operations>, 'fields' | 'operations'>;

function argumentsOf(binding: FieldBinding, { fields, operations }: Code): readonly unknown[] {
  if ('operationId' in binding) return [operations[binding.operationId]];
  if ('type' in binding) return [fields[binding.type]![binding.field]];
  if ('field' in binding) return [binding.resource, binding.field];
  if ('by' in binding) return [binding.resource, ...(binding.by ?? [])];
  if (!('resource' in binding)) return [binding.property];
  return 'property' in binding ? [binding.resource, binding.property] : [binding.resource];
}

export interface ResolverSources {
  readonly wire: WireResolvers;
  readonly engine: Engine;
  readonly operations: Operations;
  readonly descriptor: GraphqlDescriptor;
  /** Handlers of custom fields, by type and field. */
  readonly fields: FieldHandlers;
  /** Replacements of resolvers, by type and field. */
  readonly replacements: Replacements;
  /** A custom field without a handler answers `NOT_IMPLEMENTED`. */
  readonly allowMissing: boolean;
}

/**
 * Wires all fields that are not properties of their parents, including replacements. Throws `HandlerError` when the
 * wiring does not have exactly the fields of the contract, and when a handler is missing or does not belong to a field.
 */
export function wireResolvers({
  wire,
  engine,
  operations,
  descriptor,
  fields,
  replacements,
  allowMissing,
}: ResolverSources): AnyResolvers {
  const needed = Object.keys(descriptor.fields).filter((coordinate) => {
    const field = descriptor.fields[coordinate]!;
    return field.kind === 'custom' && !field.isOperation;
  });
  for (const coordinate of coordinatesOf(fields)) if (!needed.includes(coordinate)) refuseField(coordinate, descriptor);
  for (const coordinate of needed)
    if (!handlerOf(fields, coordinate) && !handlerOf(replacements, coordinate) && !allowMissing)
      throw new HandlerError(`${coordinate} needs a handler (handlers.fields.${coordinate})`);
  const inputs = new InputDecoders(descriptor);
  const replaced = replacedFields(replacements);
  const runtime = {
    engine,
    descriptor,
    fields: resourceFields(descriptor),
    inputs,
    operationFields: operationFieldsOf(descriptor),
    replaced,
  };
  const bind = createResolverBinder<AnyResources>(runtime);
  const wired = wire({
    bind: {
      ...bind,
      root: (handler) => (handler ? bind.root(handler) : unanswered),
      field: (handler) => (handler ? bind.field(handler) : unanswered),
    },
    fields: completed(fields, needed),
    operations,
  });
  checkCoverage(wired, descriptor);
  for (const coordinate of coordinatesOf(replacements))
    if (!descriptor.fields[coordinate])
      throw new HandlerError(`handlers.resolvers.${coordinate} does not replace a resolver of the contract`);
  return Object.fromEntries(
    Object.entries(wired).map(([type, resolvers]) => [
      type,
      Object.fromEntries(
        Object.entries(resolvers).map(([field, resolver]) => {
          const known = descriptor.fields[`${type}.${field}`];
          const replacement = replacements[type]?.[field];
          const own = known && replacement ? replacedResolver(runtime, accessOf(engine, known), replacement) : resolver;
          return [field, own];
        }),
      ),
    ]),
  );
}

/** Throws for code of a field that has none of its own. */
function refuseField(coordinate: string, { fields }: GraphqlDescriptor): never {
  const field = fields[coordinate];
  if (field?.kind !== 'custom')
    throw new HandlerError(`handlers.fields.${coordinate} is not a custom field of the contract`);
  throw new HandlerError(
    `handlers.fields.${coordinate}: handlers.operations.${field.operationId} answers it; delete it`,
  );
}

/** The access of a field. Events require the same access as reading their resource. */
export function accessOf(engine: Engine, field: FieldDescriptor): Access {
  if (field.kind === 'custom') return field.access;
  if (field.kind === 'property') return ANYONE;
  const { descriptor } = lookUp(engine.resources, field.resource);
  const { actions, further } = descriptor;
  if (isFurtherField(field)) return operationWithId(further ?? [], field.operationId).access;
  switch (field.kind) {
    case 'reference':
      return declaredAction(descriptor, 'get').access;
    case 'connection':
      return (further?.find(({ operationId }) => operationId === field.through) ?? declaredAction(descriptor, 'list'))
        .access;
    case 'created':
    case 'updated':
    case 'deleted':
      return (actions.get ?? declaredAction(descriptor, 'list')).access;
    default:
      return declaredAction(descriptor, field.kind).access;
  }
}

/** A caller that may ask for an object may ask for its properties. */
const ANYONE: Access = { anyOf: [] };

const coordinatesOf = (byType: Readonly<Record<string, object | undefined>>): readonly string[] =>
  Object.entries(byType).flatMap(([type, members = {}]) => Object.keys(members).map((field) => `${type}.${field}`));

function handlerOf(byType: Readonly<Record<string, object | undefined>>, coordinate: string): unknown {
  const { type, field } = partsOfCoordinate(coordinate);
  return (byType[type] as Readonly<Record<string, unknown>> | undefined)?.[field];
}

/** Adds an empty member for each type with a custom field, so that the wiring can read the handlers of all types. */
function completed(fields: FieldHandlers, needed: readonly string[]): AnyFields {
  const types = needed.map((coordinate) => partsOfCoordinate(coordinate).type);
  return Object.fromEntries(types.map((type) => [type, Object.assign(Object.create(null), fields[type])]));
}

function checkCoverage(wired: AnyResolvers, { fields, unions }: GraphqlDescriptor): void {
  const given = coordinatesOf(wired).filter((coordinate) => !ownMember(unions, partsOfCoordinate(coordinate).type));
  for (const coordinate of Object.keys(fields))
    if (!given.includes(coordinate))
      throw new HandlerError(`No resolver for ${coordinate} (generated/resolvers.ts; run \`npm run generate\`)`);
  for (const coordinate of given)
    if (!fields[coordinate]) throw new HandlerError(`The contract has no field ${coordinate} that takes a resolver`);
}

const unanswered = async (): Promise<never> => {
  throw notImplemented();
};
