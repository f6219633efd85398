import { lookUp } from '../../../descriptor/look-up.ts';
import type { Grouping, Measure } from '../../../descriptor/totals.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Condition, Reader, StoredValue, TotalsQuery } from '../../storage/store.ts';
import type { Sight } from '../access/sight.ts';
import type { Resource } from '../resource/resource.ts';
import type { Values } from '../resource/row-codec.ts';
import { decoders } from '../resource/row-view.ts';
import { isTimeZone, UTC, zoneOffsets } from './time-zone.ts';

/** More groups than a list of totals takes would fill the memory. */
const MAX_GROUPS = 10_000;

/** What code asks of groups. */
export interface TotalsOptions {
  readonly filter?: object;
  readonly groupBy?: readonly string[];
  readonly measures?: readonly string[];
  readonly sort?: readonly string[];
  readonly limit?: number;
  readonly timeZone?: string;
}

/** The totals of rows that meet the conditions. Throws for more than 10,000 groups. */
export async function totalsIn(
  { reader, resource, sight }: { readonly reader: Reader; readonly resource: Resource; readonly sight: Sight },
  conditions: readonly Condition[],
  { groupBy = [], measures = ['count'], sort = [], limit = MAX_GROUPS + 1, timeZone = UTC }: TotalsOptions,
): Promise<readonly Values[]> {
  const { descriptor } = resource;
  const twice = [...groupBy, ...measures].find((name, i, all) => all.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`Totals of ${descriptor.name} have \`${twice}\` twice.`);
  if (!isTimeZone(timeZone)) throw new Error(`\`${timeZone}\` is not the name of a time zone.`);
  const named = <T extends Grouping | Measure>(all: ReadonlyMap<string, T>, name: string, what: string): T => {
    const found = all.get(name);
    if (!found) throw new Error(`Totals of ${descriptor.name} have no ${what} \`${name}\`.`);
    checkReadable(resource, sight, found.property);
    return found;
  };
  const keys = sort.map(
    (key) => ({ name: key.replace(/^-/, ''), direction: key.startsWith('-') ? 'desc' : 'asc' }) as const,
  );
  const known = resource.totalNames();
  const extra = keys.map(({ name }) => name).filter((name) => !groupBy.includes(name) && !measures.includes(name));
  const names = [...groupBy, ...measures, ...new Set(extra)];
  const groups = groupBy.map((name) => named(known.groups, name, 'group'));
  const measured = names.slice(groups.length).map((name) => named(known.measures, name, 'measure'));
  const query: TotalsQuery = {
    resource: descriptor.key,
    conditions,
    groups,
    measures: measured,
    order: keys.map(({ name, direction }) => ({ position: names.indexOf(name), direction })),
    offsets: [],
    limit: Math.min(limit, MAX_GROUPS + 1),
  };
  const rows = await reader.totals({ ...query, offsets: await offsetsOf(reader, resource, query, timeZone) });
  if (rows.length > MAX_GROUPS)
    throw new Error(
      `Totals of ${descriptor.name} have more than ${MAX_GROUPS} groups. Narrow them by a filter, or ask for fewer with \`limit\`.`,
    );
  const decode = groups.map(({ property, period }) =>
    period ? undefined : decoders[lookUp(resource.property, property).type],
  );
  const shown = groupBy.length + measures.length;
  const shownValue = (stored: StoredValue | undefined, i: number): unknown =>
    stored == null ? null : (decode[i]?.(stored) ?? stored);
  return rows.map((row) => Object.fromEntries(names.slice(0, shown).map((name, i) => [name, shownValue(row[i], i)])));
}

function checkReadable(resource: Resource, sight: Sight, property: string | undefined): void {
  if (property === undefined || !sight.readable(resource, property)) return;
  const detail = `The property ${property} of ${resource.descriptor.name} cannot be read on every row.`;
  throw new ApiError('FORBIDDEN', { detail });
}

/** The offsets of a time zone from the first to the last of the times that are grouped by a period. */
async function offsetsOf(reader: Reader, { property }: Resource, query: TotalsQuery, timeZone: string) {
  const times = query.groups.flatMap(({ property: name, period }) =>
    period && lookUp(property, name).type === 'date-time' ? [name] : [],
  );
  if (timeZone === UTC || times.length === 0) return [];
  const measures = times.flatMap((name): Measure[] => [
    { of: 'Min', property: name },
    { of: 'Max', property: name },
  ]);
  const [row = []] = await reader.totals({ ...query, groups: [], measures, order: [], limit: 1 });
  const instants = row.filter((value): value is string => value !== null).sort();
  const [first, last] = [instants[0], instants.at(-1)];
  return first !== undefined && last !== undefined ? zoneOffsets(timeZone, first, last) : [];
}
