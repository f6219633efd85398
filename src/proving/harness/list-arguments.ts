import { type GraphQLField, type GraphQLType, getNamedType, isInputObjectType } from 'graphql';
import type { Spelling, Translators } from '../../compiler/graphql/fields/index.ts';
import { SEARCH_PARAMETER } from '../../compiler/model/resources/index.ts';
import { FILTER_PARAMETER } from '../../descriptor/filters.ts';
import type { GraphqlDescriptor } from '../../descriptor/graphql.ts';
import { listOf, type ResourceDescriptor } from '../../descriptor/resource.ts';
import { BACKWARD } from '../../runtime/engine/lists/index.ts';
import { isConditions } from './step.ts';

type Query = Readonly<Record<string, unknown>>;

const FORWARD: Readonly<Record<string, string>> = { limit: 'first', cursor: 'after' };
const BACK: Readonly<Record<string, string>> = { limit: 'last', cursor: 'before' };

/** The arguments that stand for the parameters of a page, which a cursor may ask for from its end. */
const argumentsFor = ({ cursor }: Query): Readonly<Record<string, string>> => (isBackward(cursor) ? BACK : FORWARD);

const isBackward = (cursor: unknown): cursor is string => typeof cursor === 'string' && cursor.startsWith(BACKWARD);

/** The query of a resource's REST list as arguments of a connection. */
export function argumentsOfQuery(
  { count: _, sort, ...query }: Query,
  field: GraphQLField<unknown, unknown>,
  resource: ResourceDescriptor,
  { sorts }: GraphqlDescriptor,
  { spelling, inputs }: Pick<Translators, 'spelling' | 'inputs'>,
): Record<string, unknown> {
  const pageArguments = argumentsFor(query);
  const values: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  for (const [parameter, value] of Object.entries(query)) {
    const name = spelling.filter(resource.key, parameter);
    const argument = pageArguments[parameter] ?? (isSearch(parameter, field) ? parameter : undefined);
    if (isConditions(resource, parameter)) Object.assign(filter, inputs.graphql(filterInput(field), value));
    else if (argument === undefined) filter[name] = operandOf(value, filterType(field, name), spelling);
    else values[argument] = isBackward(value) ? value.slice(BACKWARD.length) : value;
  }
  // The last page ends before nothing; what has `first` by default goes forward unless it is asked how many.
  if (values['before'] === '') {
    values['before'] = null;
    values['last'] ??= listOf(resource).defaultLimit;
  }
  if (Object.keys(filter).length > 0) values['filter'] = filter;
  if (sort !== undefined) values['sort'] = (sort as readonly string[]).map((value) => sortOf(value, field, sorts));
  return values;
}

/** The name of the input type of a field's filter. */
const filterInput = ({ args }: GraphQLField<unknown, unknown>): string | undefined => {
  const type = args.find(({ name }) => name === 'filter')?.type;
  return type && getNamedType(type).name;
};

/** A filter may have the name, too. */
const isSearch = (parameter: string, { args }: GraphQLField<unknown, unknown>): boolean =>
  parameter === SEARCH_PARAMETER && args.some(({ name }) => name === SEARCH_PARAMETER);

/** A value, several values, or operators with theirs; what GraphQL has operators for goes to the one that is meant. */
function operandOf(value: unknown, type: GraphQLType | undefined, spelling: Spelling): unknown {
  const fields = membersOf(type);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const operator = operatorFor(value, type);
    return operator ? { [operator]: spelling.value(fields[operator]!.type, value) } : spelling.value(type, value);
  }
  const operands = Object.entries(value).map(([operator, one]) => [
    operator,
    spelling.value(fields[operator]?.type, one),
  ]);
  return Object.fromEntries(operands);
}

const filterType = ({ args }: GraphQLField<unknown, unknown>, name: string): GraphQLType | undefined =>
  membersOf(args.find((one) => one.name === 'filter')?.type)[name]?.type;

function membersOf(type: GraphQLType | undefined): Readonly<Record<string, { readonly type: GraphQLType }>> {
  const named = type && getNamedType(type);
  return isInputObjectType(named) ? named.getFields() : {};
}

/** A value that the enum does not have is passed as it is: the server must refuse it. */
function sortOf(value: string, field: GraphQLField<unknown, unknown>, sorts: GraphqlDescriptor['sorts']): string {
  const argument = field.args.find(({ name }) => name === 'sort');
  const names = (argument && sorts[getNamedType(argument.type).name]) ?? {};
  return Object.keys(names).find((name) => names[name] === value) ?? value;
}

/**
 * `price[gte]` is `filter.price.gte`, and `filter/or/0` is `filter.or.0`. `isOfProperty`: what is wrong is to filter by the property
 * at all, not what it is compared with.
 */
export function argumentOfParameter(
  parameter: string,
  { query, isOfProperty }: { readonly query: Query; readonly isOfProperty: boolean },
  resource: ResourceDescriptor,
  field: GraphQLField<unknown, unknown>,
  { spelling, inputs }: Pick<Translators, 'spelling' | 'inputs'>,
): string {
  const { key, list } = resource;
  const [place = '', ...steps] = parameter.split('/');
  if (isConditions(resource, place))
    return ['filter', ...inputs.path(filterInput(field), query[FILTER_PARAMETER], steps)].join('.');
  const [name = '', operator] = parameter.replace(']', '').split('[');
  if (name === 'sort') return 'sort';
  if (name === SEARCH_PARAMETER && list?.search) return name;
  const filter = spelling.filter(key, name);
  const word = operator ?? (isOfProperty ? undefined : operatorFor(query[name], filterType(field, filter)));
  return argumentsFor(query)[name] ?? ['filter', filter, ...(word === undefined ? [] : [word])].join('.');
}

/** The operator that a value without one goes to, where GraphQL has operators. */
function operatorFor(value: unknown, type: GraphQLType | undefined): 'eq' | 'in' | undefined {
  const word = Array.isArray(value) ? 'in' : 'eq';
  return membersOf(type)[word] && word;
}
