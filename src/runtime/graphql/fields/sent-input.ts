import { type GraphQLResolveInfo, valueFromASTUntyped } from 'graphql';
import { WrittenNumber } from '../../../descriptor/written-number.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * An argument without the members that the caller has not sent, which are defaults of the SDL. `coerced` is the
 * argument as graphql-js gives it, `variables` are those of the request.
 */
export function sentInput(
  coerced: unknown,
  { fieldNodes, operation }: GraphQLResolveInfo,
  variables: Values,
  called = 'input',
): unknown {
  const argument = fieldNodes[0]!.arguments?.find(({ name }) => name.value === called);
  if (!argument) return coerced;
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  );
  return only(coerced, valueFromASTUntyped(argument.value, { ...Object.fromEntries(defaults), ...variables }));
}

/** What of a value was sent. One value in place of a list is a list of it (GraphQL, 3.11). */
function only(value: unknown, sent: unknown): unknown {
  if (Array.isArray(value)) return value.map((item, i) => only(item, Array.isArray(sent) ? sent[i] : sent));
  if (!isObject(value) || !isObject(sent)) return value;
  const members = Object.entries(value).filter(([name]) => sent[name] !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, only(member, sent[name])]));
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !(value instanceof WrittenNumber);
