import {
  coerceInputValue,
  GraphQLError,
  type GraphQLInputObjectType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getVariableValues,
  isInputObjectType,
  isInputType,
  type NamedTypeNode,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';

/**
 * The first faults of the variables that a request has, as graphql-js words them (GraphQL, 6.1.2). It prints the whole value
 * around a fault into each; here lists and objects are left out.
 */
export function variableFaults(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
  maxFaults: number,
): readonly GraphQLError[] {
  const faults: GraphQLError[] = [];
  try {
    for (const definition of variableDefinitions) {
      const { name } = definition.variable;
      const type = typeFromAST(schema, definition.type);
      if (!isInputType(type) || !Object.hasOwn(variables, name.value)) continue;
      coerceInputValue(variables[name.value], type, (path, value, error) => {
        const place = path.length > 0 ? ` at "${placeOf(name.value, path)}"` : '';
        const message = `Variable "$${name.value}" got invalid value ${shown(value)}${place}; ${error.message}`;
        faults.push(new GraphQLError(message, { nodes: definition }));
        // It goes on until it is stopped.
        if (faults.length === maxFaults) throw new Enough();
      });
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
  }
  return faults;
}

/** Whether graphql-js refuses the variables. */
export const areRefused = (
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): boolean => getVariableValues(schema, variableDefinitions, variables, { maxErrors: 1 }).errors !== undefined;

/**
 * The variables that the compiled operation accepts although they are not valid: none, empty lists for objects, or any number
 * of the fields of a `@oneOf` input.
 */
export type Accepts = 'valid' | 'empty lists' | 'excess';

export function acceptedBy(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): Accepts {
  const inputs = new Set<GraphQLInputObjectType>();
  const collect = (type: GraphQLNamedType | undefined): void => {
    if (!isInputObjectType(type) || inputs.has(type)) return;
    inputs.add(type);
    for (const field of Object.values(type.getFields())) collect(getNamedType(field.type));
  };
  for (const { type } of variableDefinitions) collect(getNamedType(typeFromAST(schema, type as NamedTypeNode)));
  if (inputs.size === 0) return 'valid';
  return [...inputs].some(({ isOneOf }) => isOneOf) ? 'excess' : 'empty lists';
}

class Enough extends Error {}

const shown = (value: unknown): string => {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return Array.isArray(value) ? '[…]' : '{…}';
};

const placeOf = (name: string, path: readonly (string | number)[]): string =>
  path.reduce<string>((place, key) => (typeof key === 'number' ? `${place}[${key}]` : `${place}.${key}`), name);
