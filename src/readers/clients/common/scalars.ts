import {
  type GraphQLInputType,
  type GraphQLSchema,
  isScalarType,
  isSpecifiedScalarType,
  parseType,
  typeFromAST,
} from 'graphql';

/** The type that a document declares for a variable. */
export const inputTypeOf = (schema: GraphQLSchema, text: string): GraphQLInputType =>
  typeFromAST(schema, parseType(text)) as GraphQLInputType;

/** Names of a schema's scalars beyond GraphQL's own. */
export const customScalars = (schema: GraphQLSchema): string[] =>
  Object.values(schema.getTypeMap())
    .filter((type) => isScalarType(type) && !isSpecifiedScalarType(type))
    .map(({ name }) => name);
