import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  isUnionType,
} from 'graphql';
import type { CustomField, FieldDescriptor, GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { Engine } from '../../engine/interface/engine.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { GraphqlContext } from './context.ts';
import {
  type FieldHandler,
  type FieldHandlers,
  fieldResolver,
  type RootFieldHandler,
  rootResolver,
} from './custom-resolvers.ts';
import { eventResolvers } from './event-resolvers.ts';
import { checkFieldHandlers } from './field-check.ts';
import { InputDecoders } from './input.ts';
import { connectionResolver, getResolver, listResolver, referenceResolver } from './read-resolvers.ts';
import type { Resolve, ResolverRuntime, Resolvers, Source } from './resolver-runtime.ts';
import { defineScalars } from './scalars.ts';
import { deleteResolver, writeResolver } from './write-resolvers.ts';

export interface SchemaOptions {
  /** The merged SDL with all directives. */
  readonly sdl: string;
  readonly descriptor: GraphqlDescriptor;
  readonly engine: Engine;
  /** Hand-written code, by type and field. */
  readonly fields?: FieldHandlers | undefined;
  /** A field without its handler answers `NOT_IMPLEMENTED` instead of failing the boot. */
  readonly allowMissing?: boolean | undefined;
}

type Field = GraphQLField<Source, GraphqlContext>;

/** The contract's schema, able to answer. Throws when handlers and fields do not match. */
export function buildExecutableSchema(options: SchemaOptions): GraphQLSchema {
  const { sdl, descriptor, engine, fields = {} } = options;
  checkFieldHandlers(descriptor, fields, options);
  // The compiler has validated it.
  const schema = buildSchema(sdl, { assumeValid: true });
  defineScalars(schema);
  const runtime: ResolverRuntime = { engine, descriptor, inputs: new InputDecoders(descriptor) };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isObjectType(type)) resolveFields(runtime, schema, type, fields);
    const union = descriptor.unions[type.name];
    if (isUnionType(type) && union) type.resolveType = (value) => union.types[value[union.property]];
  }
  return schema;
}

function resolveFields(
  runtime: ResolverRuntime,
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  handlers: FieldHandlers,
): void {
  for (const field of Object.values(type.getFields())) {
    const descriptor = runtime.descriptor.fields[`${type.name}.${field.name}`];
    if (!descriptor) continue;
    const handler = handlers[type.name]?.[field.name];
    const resolvers =
      descriptor.kind === 'custom'
        ? { resolve: customResolver(runtime, schema, type, descriptor, handler) }
        : resolversOf(runtime, descriptor, field);
    Object.assign(field, resolvers);
  }
}

function resolversOf(
  runtime: ResolverRuntime,
  descriptor: Exclude<FieldDescriptor, CustomField>,
  field: Field,
): Resolvers {
  switch (descriptor.kind) {
    case 'get':
      return { resolve: getResolver(runtime, descriptor) };
    case 'list':
      return { resolve: listResolver(runtime, descriptor, field) };
    case 'create':
    case 'replace':
    case 'update':
      return { resolve: writeResolver(runtime, descriptor) };
    case 'delete':
      return { resolve: deleteResolver(runtime, descriptor) };
    case 'reference':
      return { resolve: referenceResolver(runtime, descriptor) };
    case 'connection':
      return { resolve: connectionResolver(runtime, descriptor, field) };
    case 'created':
    case 'updated':
    case 'deleted':
      return eventResolvers(runtime, descriptor);
  }
}

function customResolver(
  runtime: ResolverRuntime,
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  descriptor: CustomField,
  handler: RootFieldHandler | FieldHandler | undefined,
): Resolve {
  if (!handler) return notImplemented;
  if (type === schema.getQueryType()) return rootResolver(runtime, descriptor, handler as RootFieldHandler, true);
  if (type === schema.getMutationType()) return rootResolver(runtime, descriptor, handler as RootFieldHandler, false);
  return fieldResolver(runtime, descriptor, handler as FieldHandler, type.name);
}

const notImplemented: Resolve = () => {
  throw new ApiError('NOT_IMPLEMENTED', { detail: 'This server has no handler for the field.' });
};
