import type { ResourceDescriptor } from '../resource.ts';
import { type Table, tablesOf } from '../table.ts';
import { type NotRenamed, planColumns, type RowsFit } from './plan-columns.ts';
import { planIndexes } from './plan-indexes.ts';
import { planSearches, planWords } from './plan-searches.ts';
import { planGoneTables } from './plan-tables.ts';
import type { RowShapes } from './row-shapes.ts';
import type { LiveTable, SchemaDialect } from './schema-dialect.ts';
import type { Plan, Step } from './step.ts';

type Live = ReadonlyMap<string, LiveTable>;

interface Known {
  readonly rowsFit?: RowsFit;
  readonly notRenamed?: NotRenamed;
  readonly recorded?: RowShapes | undefined;
}

/**
 * What brings the tables to the contract's shape, and what would have to be lost for it. `made`: names of the indexes
 * that Lockstep has made, which it drops when the contract no longer needs them. `known`: of rows, from files, and of the
 * contract before.
 */
export function planMigration(
  dialect: SchemaDialect,
  resources: readonly ResourceDescriptor[],
  live: Live,
  made: ReadonlySet<string> = new Set(),
  { rowsFit = () => false, notRenamed = new Set(), recorded }: Known = {},
): Plan {
  const tables = tablesOf(resources);
  const fresh = tables.filter(({ name }) => !live.has(name));
  const plans = tables.flatMap((table) => {
    const existing = live.get(table.name);
    return existing ? planColumns({ dialect, table, existing, tables, rowsFit, notRenamed, recorded }) : [];
  });
  const references = fresh.flatMap((table) => dialect.addReferences(table, tables));
  const indexes = tables.flatMap((table) => planIndexes(dialect, table, live.get(table.name), made));
  const searches = planSearches(dialect, tables, live, made);
  const words = planWords(dialect, tables, live, made);
  return {
    // All tables come before what refers to them.
    steps: [
      ...fresh.map((table) => newTable(dialect, table, tables)),
      ...plans.flatMap(({ steps }) => steps),
      ...references,
      ...indexes,
      ...searches.steps,
      ...words.steps,
    ],
    differences: [
      ...planGoneTables(dialect, { tables, live, recorded, notRenamed }),
      ...plans.flatMap((plan) => plan.differences),
      ...searches.differences,
    ],
  };
}

const newTable = (dialect: SchemaDialect, table: Table, tables: readonly Table[]): Step => ({
  what: `create table ${table.name}`,
  sql: dialect.createTable(table, tables),
  isShape: true,
  stopsOlder: true,
});
