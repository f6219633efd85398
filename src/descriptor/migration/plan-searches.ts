import { searchesOf } from '../searches.ts';
import type { Table } from '../table.ts';
import type { LiveTable, SchemaDialect, Step } from './schema-dialect.ts';

export interface SearchPlan {
  readonly steps: readonly Step[];
  /** What stands against an index, and the SQL that would change it. The server works all the same. */
  readonly differences: readonly {
    readonly what: string;
    readonly byHand: readonly string[];
    readonly isHarmless: true;
  }[];
}

/** The indexes that filters with `contains` need. Without them, such a filter works all the same, by a scan of the table. */
export function planSearches(
  dialect: SchemaDialect,
  tables: readonly Table[],
  live: ReadonlyMap<string, LiveTable>,
): SearchPlan {
  const { unavailable, prerequisite } = dialect.searches;
  const stale = tables.flatMap((table) => staleIn(dialect, table, live.get(table.name)));
  const plans = tables.map((table) => missingIn(dialect, table, live.get(table.name)));
  const steps = plans.flatMap((plan) => plan.steps);
  if (steps.length === 0) return { steps: stale, differences: [] };
  if (unavailable)
    return { steps: stale, differences: plans.flatMap(({ names }) => names.map(withReason(unavailable))) };
  return { steps: [...stale, ...(prerequisite ? [prerequisite] : []), ...steps], differences: [] };
}

function missingIn(
  { searches }: SchemaDialect,
  table: Table,
  existing: LiveTable | undefined,
): { readonly names: readonly string[]; readonly steps: readonly Step[] } {
  const isFilled = existing !== undefined;
  const missing = searchesOf(table).filter(({ name }) => !existing?.indexes.get(name)?.isValid);
  const steps = missing.flatMap((search) => [
    ...(existing?.indexes.has(search.name) ? searches.drop(search.name, isFilled) : []),
    ...searches.create(table, search, isFilled),
  ]);
  const names = missing.map(({ name, property }) => `${name} on ${table.name} (${property.column})`);
  return { names, steps: steps.map((step) => ({ ...step, isOptional: true })) };
}

function staleIn({ searches }: SchemaDialect, table: Table, existing: LiveTable | undefined): readonly Step[] {
  const wanted = new Set(searchesOf(table).map(({ name }) => name));
  const stale = [...(existing?.indexes.keys() ?? [])].filter((name) => searches.isOwn(name) && !wanted.has(name));
  return stale.flatMap((name) => searches.drop(name, true)).map((step) => ({ ...step, isOptional: true }));
}

const withReason =
  ({ reason, byHand }: NonNullable<SchemaDialect['searches']['unavailable']>) =>
  (name: string): SearchPlan['differences'][number] => ({
    what: `search index ${name} cannot be made: ${reason}; filters with contains read the whole table`,
    byHand,
    isHarmless: true,
  });
