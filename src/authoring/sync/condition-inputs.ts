import {
  type GraphQLInputObjectType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isObjectType,
} from 'graphql';

/** What no input without conditions on other rows, or several of them, has. */
const COMBINING = ['and', 'or', 'not'];
const BEYOND_PARAMETERS = ['isNull', 'in', 'some', 'none'];

/**
 * The inputs of an SDL that are conditions, or parts of them: the filters that parameters by property cannot say, and all that they
 * contain. `taken`: inputs that a document has the conditions of already.
 */
export function conditionInputs(
  schema: GraphQLSchema,
  taken: readonly string[] = [],
): ReadonlySet<GraphQLInputObjectType> {
  const found = new Set<GraphQLInputObjectType>();
  const visit = (type: GraphQLInputObjectType): void => {
    if (found.has(type)) return;
    found.add(type);
    for (const inner of inputsIn(type)) visit(inner);
  };
  for (const type of Object.values(schema.getTypeMap())) {
    const filter = isObjectType(type) ? schema.getType(`${type.name}Filter`) : undefined;
    if (!isObjectType(type) || !isInputObjectType(filter)) continue;
    if (taken.includes(filter.name) || combines(type, filter)) visit(filter);
  }
  return found;
}

function combines(type: GraphQLObjectType, filter: GraphQLInputObjectType): boolean {
  const own = type.getFields();
  return Object.values(filter.getFields()).some((field) => {
    const named = getNamedType(field.type);
    if (!isInputObjectType(named)) return false;
    const answered = own[field.name] && getNamedType(own[field.name]!.type);
    const words = Object.keys(named.getFields());
    return (
      (isObjectType(answered) && named.name === `${answered.name}Filter`) ||
      (COMBINING.includes(field.name) && named === filter) ||
      words.some((word) => BEYOND_PARAMETERS.includes(word))
    );
  });
}

const inputsIn = (type: GraphQLInputObjectType): readonly GraphQLInputObjectType[] =>
  Object.values(type.getFields()).flatMap((field) => {
    const named = getNamedType(field.type);
    return isInputObjectType(named) ? [named] : [];
  });
