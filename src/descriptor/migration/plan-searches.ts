import { type Search, searchesOf } from '../searches.ts';
import type { Table } from '../table.ts';
import type { LiveTable, SchemaDialect } from './schema-dialect.ts';
import type { Difference, Plan, Step } from './step.ts';

/** The indexes that filters with `contains` need. Without them, such a filter works all the same, by a scan of the table. */
export function planSearches(
  dialect: SchemaDialect,
  tables: readonly Table[],
  live: ReadonlyMap<string, LiveTable>,
  made: ReadonlySet<string>,
): Plan {
  const { unavailable, prerequisite } = dialect.searches;
  const stale = tables.flatMap((table) => staleIn(dialect, table, live.get(table.name), made));
  const plans = tables.map((table) => missingIn(dialect, table, live.get(table.name)));
  const steps = plans.flatMap((plan) => plan.steps);
  if (steps.length === 0) return { steps: stale, differences: [] };
  if (unavailable)
    return { steps: stale, differences: plans.flatMap(({ names }) => names.map(withReason(unavailable))) };
  return { steps: [...stale, ...(prerequisite ? [prerequisite] : []), ...steps], differences: [] };
}

function missingIn(
  dialect: SchemaDialect,
  table: Table,
  existing: LiveTable | undefined,
): { readonly names: readonly string[]; readonly steps: readonly Step[] } {
  const missing = searchesOf(table).filter(({ name }) => !existing?.indexes.get(name)?.isValid);
  const names = missing.map(({ name, property }) => `${name} on ${table.name} (${property.column})`);
  return { names, steps: missing.flatMap((search) => madeBy(dialect, table, search, existing)) };
}

function madeBy(dialect: SchemaDialect, table: Table, search: Search, existing: LiveTable | undefined): Step[] {
  const { searches } = dialect;
  const { name, property } = search;
  const isUnfinished = existing?.indexes.has(name) === true;
  if (isUnfinished && !searches.isOwn(name)) {
    const what = `complete search index ${name} on ${table.name} (${property.column})`;
    return [{ what, isOptional: true, ...dialect.rebuildIndex(name) }];
  }
  const drop = isUnfinished ? searches.drop(name, true) : [];
  const [create, ...others] = searches.create(table, search, existing !== undefined);
  const made = { ...create!, makes: { kind: 'index', name, table: table.name } } as const;
  return [...drop, made, ...others].map((step) => ({ ...step, isOptional: true }));
}

/** Those that Lockstep has made for an earlier contract, where they are more than indexes; else they are among these. */
function staleIn(
  { searches }: SchemaDialect,
  table: Table,
  existing: LiveTable | undefined,
  made: ReadonlySet<string>,
): readonly Step[] {
  const wanted = new Set(searchesOf(table).map(({ name }) => name));
  const stale = [...(existing?.indexes.keys() ?? [])].filter(
    (name) => made.has(name) && searches.isOwn(name) && !wanted.has(name),
  );
  return stale.flatMap((name) => searches.drop(name, true).map((step) => ({ ...step, isOptional: true, drops: name })));
}

const withReason =
  ({ reason, byHand }: NonNullable<SchemaDialect['searches']['unavailable']>) =>
  (name: string): Difference => ({
    what: `search index ${name} cannot be made: ${reason}; filters with contains read the whole table`,
    byHand,
    isHarmless: true,
  });
