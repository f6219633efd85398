import { type GraphQLSchema, isUnionType } from 'graphql';
import type { OpenApiDocument } from '../../descriptor/document.ts';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import { discriminated } from './discriminated.ts';

/** How the types of each union are distinguished: by the discriminator of the schema with the same name. */
export function describeUnions(schema: GraphQLSchema, document: OpenApiDocument): GraphqlDescriptor['unions'] {
  const unions: Record<string, GraphqlDescriptor['unions'][string]> = {};
  for (const type of Object.values(schema.getTypeMap())) {
    const variants = isUnionType(type) ? discriminated(document, type.name) : undefined;
    if (variants) unions[type.name] = { property: variants.property, types: variants.schemas };
  }
  return unions;
}
