import {
  type GraphQLArgument,
  type GraphQLEnumType,
  GraphQLError,
  type GraphQLInputField,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  valueFromAST,
} from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';

/**
 * Gives the values of a schema's enums the texts that they are in JSON, where GraphQL names them otherwise: arguments come
 * and properties go as the OpenAPI document spells them. Changes the schema, before anything is executed.
 */
export function nameEnumValues(schema: GraphQLSchema, { enums = {} }: GraphqlDescriptor): void {
  if (Object.keys(enums).length === 0) return;
  for (const [name, values] of Object.entries(enums)) {
    const type = schema.getType(name);
    if (isEnumType(type)) giveValues(type, values);
  }
  for (const defaulted of defaultedOf(schema)) {
    const written = defaulted.astNode?.defaultValue;
    if (written) defaulted.defaultValue = valueFromAST(written, defaulted.type);
  }
}

function giveValues(type: GraphQLEnumType, values: Readonly<Record<string, string>>): void {
  const names = new Map<unknown, string>();
  for (const value of type.getValues()) {
    value.value = values[value.name] ?? value.name;
    names.set(value.value, value.name);
  }
  type.serialize = (value) => {
    const name = names.get(value);
    if (name === undefined) throw new GraphQLError(`Enum "${type.name}" cannot represent value: ${String(value)}`);
    return name;
  };
}

/** Arguments of fields, and fields of inputs. */
function defaultedOf(schema: GraphQLSchema): readonly (GraphQLArgument | GraphQLInputField)[] {
  return Object.values(schema.getTypeMap()).flatMap((type): readonly (GraphQLArgument | GraphQLInputField)[] => {
    if (isInputObjectType(type)) return Object.values(type.getFields());
    return isObjectType(type) ? Object.values(type.getFields()).flatMap(({ args }) => args) : [];
  });
}
