import type { ListCall } from '../../engine/interface/call.ts';
import type { Arguments } from './resolver-runtime.ts';

type Query = ListCall['query'];

/** Translates the arguments of a connection to the list action's query. Null means that an argument is absent. */
export type ReadQuery = (args: Arguments, isCounted: boolean) => Query;

/** `sorts` maps each value of the argument `sort` to its value over REST. */
export function queryReader(sorts: Readonly<Record<string, string>> = {}): ReadQuery {
  return ({ first, after, filter, sort }, isCounted) => {
    const query: Record<string, unknown> = {};
    if (filter) addFilters(query, filter as Arguments);
    if (first != null) query['limit'] = first;
    if (after != null) query['cursor'] = after;
    if (sort != null) query['sort'] = (sort as readonly string[]).map((key) => sorts[key]);
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
