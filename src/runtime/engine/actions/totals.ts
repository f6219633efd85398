import { conventionNames } from '../../../descriptor/convention-names.ts';
import type { ResourceDescriptor, TotalsDescriptor } from '../../../descriptor/resource.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Reader } from '../../storage/store.ts';
import { checkMeasurable, checkReadable } from '../access/field-checks.ts';
import { filterAt } from '../access/find.ts';
import { checkParents } from '../access/parents.ts';
import { WHOLE } from '../access/sight.ts';
import type { ListCall } from '../interface/call.ts';
import type { Totals } from '../interface/engine.ts';
import { asksOtherRows } from '../lists/filter-conditions.ts';
import { listPlanner } from '../lists/list-plan.ts';
import type { Resource } from '../resource/resource.ts';
import { validationFailed } from '../resource/validated.ts';
import { momentOf, readerFor } from '../transaction/reading.ts';
import { followedBy, type Runtime } from '../transaction/runtime.ts';
import { isTimeZone, UTC } from '../transaction/time-zone.ts';
import { totalsIn } from '../transaction/totals.ts';
import { keyReader } from './list.ts';

/** What callers ask of totals, and the filters and search of the list. */
interface Asked {
  readonly groupBy: readonly string[];
  readonly measures: readonly string[];
  readonly sort: readonly string[];
  readonly limit: number;
  readonly timeZone: string;
  readonly filters: ListCall['query'];
}

/** Separates the parameters of totals from those of the list; a name that is repeated counts once. */
function askedIn(
  { nameCase }: Pick<ResourceDescriptor, 'nameCase'>,
  { defaultLimit }: TotalsDescriptor,
  query: ListCall['query'],
): Asked {
  const names = conventionNames(nameCase);
  const {
    [names.groupBy]: groupBy = [],
    measures = ['count'],
    sort = [],
    limit = defaultLimit,
    [names.timeZone]: timeZone = UTC,
    ...filters
  } = query;
  const listed = (value: unknown): readonly string[] => [...new Set(value as readonly string[])];
  return {
    groupBy: listed(groupBy),
    measures: listed(measures),
    sort: listed(sort),
    limit: limit as number,
    timeZone: timeZone as string,
    filters,
  };
}

/**
 * The totals of the rows that the list shows to the caller. They are kept as lists are. Throws `NOT_FOUND` for a missing parent,
 * `LIMIT_EXCEEDED` for more rows than the contract allows, `FORBIDDEN` for properties that the caller may not read on every row, and
 * `VALIDATION_FAILED` for an unknown time zone, or an order by a group that is not asked for.
 */
export function totalsAction(
  runtime: Runtime,
  resource: Resource,
  descriptor: TotalsDescriptor,
): (call: ListCall) => MaybePromise<Totals> {
  const { cursors, lists } = runtime;
  const { key, list: { filter, referenceFilters } = {} } = resource.descriptor;
  const planList = listPlanner(resource, cursors);
  const names = conventionNames(resource.descriptor.nameCase);

  const check = ({ groupBy, sort, timeZone, filters }: Asked, principal: ListCall['caller']['principal']): void => {
    const stray = sort
      .map((value) => value.replace(/^-/, ''))
      .find((name) => descriptor.groups.includes(name) && !groupBy.includes(name));
    const faults = [
      ...(isTimeZone(timeZone) ? [] : [{ parameter: names.timeZone, detail: 'must be the IANA name of a time zone' }]),
      ...(stray === undefined ? [] : [{ parameter: 'sort', detail: `names ${stray}, which ${names.groupBy} lacks` }]),
    ];
    if (faults.length > 0) throw validationFailed(faults);
    checkReadable(resource, filters, principal);
  };

  const totals = async (reader: Reader, { params, caller: { principal } }: ListCall, asked: Asked): Promise<Totals> => {
    const scope = filterAt(resource, params, principal);
    const { conditions } = planList(asked.filters, { principal, scope }).rows;
    const { maxRows } = descriptor;
    if ((await reader.count(key, conditions, maxRows + 1)) > maxRows) throw tooManyRows(resource, maxRows);
    const { limit } = asked;
    const found = await totalsIn({ reader, resource, sight: WHOLE }, conditions, { ...asked, limit: limit + 1 });
    return { groups: found.slice(0, limit), hasMore: found.length > limit };
  };

  const read = (call: ListCall, asked: Asked): MaybePromise<Totals> =>
    whenKnown(readerFor(runtime, call.caller), (reader) =>
      whenKnown(checkParents(reader, resource, call.params, call.caller.principal, 'read'), () =>
        totals(reader, call, asked),
      ),
    );

  const keyOf = keyReader(resource);
  const isCombined = filter !== undefined || referenceFilters !== undefined;
  return (call) => {
    const { caller, query } = call;
    const asked = askedIn(resource.descriptor, descriptor, query);
    check(asked, caller.principal);
    checkMeasurable(resource, { ...asked, names }, caller.principal);
    if (!lists || (isCombined && asksOtherRows(resource, asked.filters))) return read(call, asked);
    const kept = { resource: key, rows: followedBy(runtime, resource, caller.principal) };
    const name = `totals ${keyOf({ ...call, queryText: JSON.stringify(asked) })}`;
    return lists.read(kept, name, momentOf(runtime, caller), () => read(call, asked));
  };
}

function tooManyRows({ descriptor: { name } }: Resource, maxRows: number): ApiError {
  const detail = `More than ${maxRows} rows of ${name} match. Narrow them by filters.`;
  return new ApiError('LIMIT_EXCEEDED', { detail });
}
