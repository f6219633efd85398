import { type GraphQLSchema, isUnionType } from 'graphql';
import type { OpenApiDocument } from '../../../descriptor/document.ts';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import { discriminated } from './discriminated.ts';
import type { OriginalNames } from './original-names.ts';

/**
 * How the types of each union are distinguished: by the discriminator of the schema that the union stands for, in the names of
 * the document.
 */
export function describeUnions(
  schema: GraphQLSchema,
  document: OpenApiDocument,
  names: Pick<OriginalNames, 'schema' | 'type'>,
): GraphqlDescriptor['unions'] {
  const unions: Record<string, GraphqlDescriptor['unions'][string]> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    const variants = isUnionType(type) ? discriminated(document, names.schema(type.name)) : undefined;
    if (!variants) continue;
    const types = Object.entries(variants.schemas).map(([value, variant]) => [value, names.type(variant)]);
    unions[type.name] = { property: variants.property, types: Object.fromEntries(types) };
  }
  return unions;
}
