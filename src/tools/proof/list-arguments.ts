import { type GraphQLField, getNamedType } from 'graphql';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';

type Query = Readonly<Record<string, unknown>>;

const ARGUMENTS: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' };

/** The query of a REST list as arguments of a connection. */
export function argumentsOfQuery(
  { count: _, sort, ...query }: Query,
  field: GraphQLField<unknown, unknown>,
  { sorts }: GraphqlDescriptor,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(query)) {
    if (ARGUMENTS[name] === undefined) filter[name] = value;
    else values[ARGUMENTS[name]] = value;
  }
  if (Object.keys(filter).length > 0) values['filter'] = filter;
  if (sort !== undefined) values['sort'] = (sort as readonly string[]).map((value) => sortOf(value, field, sorts));
  return values;
}

/** A value that the enum does not have is passed as it is: the server must refuse it. */
function sortOf(value: string, field: GraphQLField<unknown, unknown>, sorts: GraphqlDescriptor['sorts']): string {
  const argument = field.args.find(({ name }) => name === 'sort');
  const names = (argument && sorts[getNamedType(argument.type).name]) ?? {};
  return Object.keys(names).find((name) => names[name] === value) ?? value;
}

/** `price[gte]` is `filter.price.gte`. */
export function argumentOfParameter(parameter: string): string {
  const [name = '', operator] = parameter.replace(']', '').split('[');
  if (name === 'sort') return 'sort';
  return ARGUMENTS[name] ?? ['filter', name, ...(operator === undefined ? [] : [operator])].join('.');
}
