import { type GraphQLArgument, type GraphQLInputField, getNamedType, isInputObjectType } from 'graphql';
import type { ArgumentSource, CustomField } from '../../../descriptor/graphql.ts';
import type { Inputs } from './argument-errors.ts';
import type { Arguments } from './arguments.ts';

/** The arguments as the handler of a field gets them. */
export type CompleteArguments = (args: Arguments, definitions: readonly GraphQLArgument[]) => Arguments;

/**
 * SDL cannot declare an optional value that is not nullable: where the operation takes no null, null means that the
 * value is absent, and so stands for the default, as it does in the inputs of resources.
 */
export function absentArguments({ arguments: named = {} }: CustomField, inputs: Inputs): CompleteArguments {
  const takesNull = (source: ArgumentSource | undefined): boolean => source === undefined || source.nullable === true;
  return (args, definitions) => complete(args, definitions, (name) => takesNull(named[name]), inputs);
}

type Definition = GraphQLArgument | GraphQLInputField;

function complete(
  values: Arguments,
  definitions: readonly Definition[],
  takesNull: (name: string) => boolean,
  inputs: Inputs,
): Arguments {
  const members = definitions.flatMap((definition): readonly (readonly [string, unknown])[] => {
    const { name, defaultValue } = definition;
    const given = values[name];
    if (given === undefined) return [];
    if (given !== null || takesNull(name)) return [[name, completeValue(given, definition, inputs)]];
    return defaultValue === undefined ? [] : [[name, defaultValue]];
  });
  return Object.fromEntries(members);
}

function completeValue(given: unknown, definition: Definition, inputs: Inputs): unknown {
  const type = getNamedType(definition.type);
  if (given === null || !isInputObjectType(type)) return given;
  if (Array.isArray(given)) return given.map((item) => completeValue(item, definition, inputs));
  const fields = inputs[type.name]?.fields;
  const takesNull = (name: string): boolean => fields?.[name]?.nullable ?? true;
  return complete(given as Arguments, Object.values(type.getFields()), takesNull, inputs);
}
