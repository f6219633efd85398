import { type GraphQLType, getNullableType, isListType, isNonNullType } from 'graphql';
import type { Fix } from '../../findings/fix.ts';
import type { FlatSchema } from '../../json-schema/flat-schema.ts';
import { namedSchemas } from '../../model/schemas.ts';
import { SCALAR_SCHEMAS } from '../../sdl/scalar-schemas.ts';
import type { Parity } from './parity.ts';
import { addKey } from './rest-edits.ts';

/**
 * Gives a schema the property that GraphQL has alone. Undefined when its type has no schema, and when it is required:
 * that takes a second edit.
 */
export function propertyFix(parity: Parity, { nodes }: FlatSchema, name: string, type: GraphQLType): Fix | undefined {
  const holder = (nodes.at(-1) as { readonly properties?: object } | undefined)?.properties;
  const schema = schemaOfType(parity, type);
  return holder && schema && !isNonNullType(type) ? addKey(parity, holder, name, schema) : undefined;
}

/** The schema of a GraphQL type by the conventions; undefined when there is none. */
export function schemaOfType(parity: Parity, type: GraphQLType): object | undefined {
  const nullable = getNullableType(type);
  if (isListType(nullable)) {
    const items = schemaOfType(parity, nullable.ofType);
    return items && { type: 'array', items };
  }
  const { name } = nullable as { readonly name: string };
  const schemas = namedSchemas(parity.document);
  const named = [name, name.replace(/Input$/, '')].find((one) => schemas[one] !== undefined);
  return SCALAR_SCHEMAS[name] ?? (named === undefined ? undefined : { $ref: `#/components/schemas/${named}` });
}
