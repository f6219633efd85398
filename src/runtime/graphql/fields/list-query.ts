import { FILTER_PARAMETER } from '../../../descriptor/filters.ts';
import type { ListCall } from '../../engine/interface/call.ts';
import { BACKWARD } from '../../engine/lists/list-plan.ts';
import type { Arguments, Decode } from './arguments.ts';
import { type DecodeId, integerOf } from './ids.ts';

type Query = ListCall['query'];

/** Translates the arguments of a connection to the list action's query. Null means that an argument is absent; inside a filter
 * it is a value, which the schemas of filters refuse. */
export type ReadQuery = (args: Arguments, isCounted: boolean) => Query;

/** How the arguments of a list map to its query parameters. */
export interface QueryNames {
  /** Maps each value of the argument `sort` to its value over REST. */
  readonly sorts: Readonly<Record<string, string>> | undefined;
  /** The parameter of each filter that is not called as its field. */
  readonly filters?: Readonly<Record<string, string>> | undefined;
  /** Parameters of the filters by ids that are integers. */
  readonly integers: ReadonlySet<string>;
  /** Translates the whole filter, where callers may combine conditions. */
  readonly decode?: Decode | undefined;
  /** Translates what fields that are named for references hold. */
  readonly references?: ReadonlyMap<string, Decode> | undefined;
}

export function queryReader({ sorts = {}, filters = {}, integers, decode, references }: QueryNames): ReadQuery {
  return ({ first, after, last, before, filter, search, sort }, isCounted) => {
    const query: Record<string, unknown> = {};
    if (filter && decode) query[FILTER_PARAMETER] = decode(filter);
    else if (filter) addFilters(query, filter as Arguments, { filters, integers, references });
    if (search != null) query['search'] = search;
    if (last != null || before != null) {
      if (last != null) query['limit'] = last;
      query['cursor'] = backward((before ?? '') as string);
    } else {
      if (first != null) query['limit'] = first;
      if (after != null) query['cursor'] = after;
    }
    if (sort != null) query['sort'] = (sort as readonly string[]).map((key) => sorts[key]);
    if (isCounted) query['count'] = true;
    return query;
  };
}

/** A cursor of REST may say already that its page ends there. */
const backward = (cursor: string): string => (cursor.startsWith(BACKWARD) ? cursor : `${BACKWARD}${cursor}`);

function addFilters(
  query: Record<string, unknown>,
  filter: Arguments,
  { filters = {}, integers, references }: Pick<QueryNames, 'filters' | 'integers' | 'references'>,
): void {
  for (const [field, value] of Object.entries(filter)) {
    const name = filters[field] ?? field;
    const reference = references?.get(field);
    query[name] = reference ? reference(value) : integers.has(name) ? operandsOf(value, integerOf) : operandsOf(value);
  }
}

/** The value, the values, or the operators that are given with theirs. */
function operandsOf(value: unknown, decode: DecodeId = (one) => one): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return decode(value);
  return Object.fromEntries(Object.entries(value).map(([operator, operand]) => [operator, decode(operand)]));
}
