import { type GraphQLSchema, isScalarType, isSpecifiedScalarType } from 'graphql';

/** Names of a schema's scalars beyond GraphQL's own. */
export const customScalars = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name);
