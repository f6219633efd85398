import type { Search, WordSearch } from '../searches.ts';
import type { Table } from '../table.ts';
import type { LiveTable, SchemaDialect, SearchDialect } from './schema-dialect.ts';
import type { Difference, Plan, Step } from './step.ts';

type Live = ReadonlyMap<string, LiveTable>;

/** A kind of index by texts. */
interface Kind<S> {
  readonly dialect: SearchDialect<S>;
  readonly wantedBy: (table: Table) => readonly S[];
  readonly columnsOf: (search: S) => string;
  /** The server works without it, only slower. */
  readonly isOptional: boolean;
  rebuild: SchemaDialect['rebuildIndex'];
}

/** The indexes that filters with `contains` need. Without them, such a filter works all the same, by a scan of the table. */
export function planSearches(
  dialect: SchemaDialect,
  tables: readonly Table[],
  live: Live,
  made: ReadonlySet<string>,
): Plan {
  const kind: Kind<Search> = {
    dialect: dialect.searches,
    wantedBy: ({ searches }) => searches,
    columnsOf: ({ property }) => property.column,
    isOptional: true,
    rebuild: (table, name) => dialect.rebuildIndex(table, name),
  };
  return planKind(kind, tables, live, made);
}

/** The indexes of words, which lists are searched by. */
export function planWords(
  dialect: SchemaDialect,
  tables: readonly Table[],
  live: Live,
  made: ReadonlySet<string>,
): Plan {
  const kind: Kind<WordSearch> = {
    dialect: dialect.words,
    wantedBy: ({ wordSearch }) => (wordSearch ? [wordSearch] : []),
    columnsOf: ({ properties }) => properties.map(({ column }) => column).join(', '),
    isOptional: false,
    rebuild: (table, name) => dialect.rebuildIndex(table, name),
  };
  return planKind(kind, tables, live, made);
}

function planKind<S extends { readonly name: string }>(
  kind: Kind<S>,
  tables: readonly Table[],
  live: Live,
  made: ReadonlySet<string>,
): Plan {
  const { unavailable, prerequisite } = kind.dialect;
  const stale = tables.flatMap((table) => staleIn(kind, table, live.get(table.name), made));
  const plans = tables.map((table) => missingIn(kind, table, live.get(table.name)));
  const steps = plans.flatMap((plan) => plan.steps);
  if (steps.length === 0) return { steps: stale, differences: [] };
  if (unavailable)
    return { steps: stale, differences: plans.flatMap(({ names }) => names.map(withReason(unavailable))) };
  return { steps: [...stale, ...(prerequisite ? [prerequisite] : []), ...steps], differences: [] };
}

function missingIn<S extends { readonly name: string }>(
  kind: Kind<S>,
  table: Table,
  existing: LiveTable | undefined,
): { readonly names: readonly string[]; readonly steps: readonly Step[] } {
  const missing = kind.wantedBy(table).filter(({ name }) => !existing?.indexes.get(name)?.isValid);
  const names = missing.map((search) => `${search.name} on ${table.name} (${kind.columnsOf(search)})`);
  return { names, steps: missing.flatMap((search) => madeBy(kind, table, search, existing)) };
}

function madeBy<S extends { readonly name: string }>(
  { dialect, columnsOf, isOptional, rebuild }: Kind<S>,
  table: Table,
  search: S,
  existing: LiveTable | undefined,
): Step[] {
  const { name } = search;
  const isUnfinished = existing?.indexes.has(name) === true;
  const what = `complete search index ${name} on ${table.name} (${columnsOf(search)})`;
  const completed = isUnfinished && !dialect.isOwn(name) && rebuild(table, name);
  if (completed) return [{ what, isOptional, ...completed }];
  const drop = isUnfinished ? dialect.drop(table, name) : [];
  const before = dialect.prepare?.(table, search, existing !== undefined) ?? [];
  const [create, ...others] = dialect.create(table, search, existing !== undefined);
  const made = { ...create!, makes: { kind: 'index', name, table: table.name } } as const;
  if (existing?.indexes.get(name)?.isFilling) return [{ ...made, what, sql: '', isOptional }];
  return [...drop, ...before, made, ...others].map((step) => ({ isOptional, ...step }));
}

/** Those that Lockstep has made for an earlier contract, where they are more than indexes; else they are among these. */
function staleIn<S extends { readonly name: string }>(
  { dialect, wantedBy, isOptional }: Kind<S>,
  table: Table,
  existing: LiveTable | undefined,
  made: ReadonlySet<string>,
): readonly Step[] {
  const wanted = new Set(wantedBy(table).map(({ name }) => name));
  const isValid = (name: string): boolean => existing?.indexes.get(name)?.isValid === true;
  // Instances with the contract before cannot do without the index that another replaces: a later migration drops it.
  const isLate = !isOptional && [...wanted].some((name) => !isValid(name));
  const stale = [...(existing?.indexes.keys() ?? [])].filter(
    (name) => made.has(name) && dialect.isOwn(name) && !wanted.has(name) && !(isLate && isValid(name)),
  );
  // One that is broken may keep anybody from writing.
  return stale.flatMap((name) =>
    dialect.drop(table, name).map((step) => ({ ...step, isOptional: isOptional || isValid(name), drops: name })),
  );
}

const withReason =
  ({ reason, byHand }: NonNullable<SearchDialect<never>['unavailable']>) =>
  (name: string): Difference => ({
    what: `search index ${name} cannot be made: ${reason}; filters with contains read the whole table`,
    byHand,
    isHarmless: true,
  });
