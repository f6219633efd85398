import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { isRestAbsent } from '../../compiler/graphql/convention/index.ts';
import type { Json } from './openapi-resource.ts';

/** What names one resource in SDL: `id`, or a property that is unique; and what names its ancestors. */
export interface KeyArguments {
  readonly own: string;
  /** The other properties by which one may be read. */
  readonly others: readonly string[];
  readonly ancestors: readonly string[];
}

/** A text that can stand in a path: SDL has no words for what a key looks like. */
const KEY_TEXT: Json = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9-]{0,62}$' };

/**
 * Reads `product(sku: String!)`, or `product(id: ID, sku: String)`, of which one is given; undefined when the arguments
 * name no property that every one has.
 */
export function keyArgumentsOf(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  { args }: GraphQLField<unknown, unknown>,
): KeyArguments | undefined {
  const served = args.filter((arg) => !isRestAbsent(schema, arg));
  const optional = served.filter((arg) => !isNonNullType(arg.type)).map(({ name }) => name);
  const required = served.filter((arg) => isNonNullType(arg.type)).map(({ name }) => name);
  const named = optional.length > 0 ? optional : required.includes('id') ? ['id'] : required.slice(-1);
  const own = named.includes('id') ? 'id' : named[0];
  if (own === undefined || !named.every((name) => isKey(type, name))) return undefined;
  return {
    own,
    others: named.filter((name) => name !== own),
    ancestors: required.filter((name) => !named.includes(name)),
  };
}

function isKey(type: GraphQLObjectType, name: string): boolean {
  const declared = type.getFields()[name]?.type;
  return declared !== undefined && isNonNullType(declared) && isScalarType(getNamedType(declared));
}

/** The schema of a key: that of its property, and of a text one that can stand in a path. */
export const keySchema = (property: Json): Json =>
  property['type'] === 'string' && property['format'] === undefined ? { ...property, ...KEY_TEXT } : property;
