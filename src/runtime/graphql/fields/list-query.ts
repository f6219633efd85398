import { type GraphQLField, getNamedType } from 'graphql';
import type { GraphqlDescriptor } from '../../../descriptor/graphql.ts';
import type { ListCall } from '../../engine/interface/call.ts';
import type { GraphqlContext } from './context.ts';
import type { Arguments, Source } from './resolver-runtime.ts';

type Query = ListCall['query'];

/** Arguments of a connection as the list action's query. Null stands for an absent argument. */
export type ReadQuery = (args: Arguments, isCounted: boolean) => Query;

export function queryReader(field: GraphQLField<Source, GraphqlContext>, { sorts }: GraphqlDescriptor): ReadQuery {
  const sort = field.args.find(({ name }) => name === 'sort');
  const restValues = (sort && sorts[getNamedType(sort.type).name]) ?? {};
  return ({ first, after, filter, sort: keys }, isCounted) => {
    const query: Record<string, unknown> = {};
    if (filter) addFilters(query, filter as Arguments);
    if (first != null) query['limit'] = first;
    if (after != null) query['cursor'] = after;
    if (keys != null) query['sort'] = (keys as readonly string[]).map((key) => restValues[key]);
    if (isCounted) query['count'] = true;
    return query;
  };
}

function addFilters(query: Record<string, unknown>, filter: Arguments): void {
  for (const [name, value] of Object.entries(filter)) if (value !== null) query[name] = withoutNulls(value);
}

function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value as object).filter(([, operand]) => operand !== null));
}
