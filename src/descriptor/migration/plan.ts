import type { Layout } from '../layout.ts';
import type { ResourceDescriptor } from '../resource.ts';
import { type Table, tablesOf } from '../table.ts';
import { layoutIn } from './layout-in.ts';
import { type NotRenamed, planColumns, type RowsFit } from './plan-columns.ts';
import { planIndexes } from './plan-indexes.ts';
import { planSearches, planWords } from './plan-searches.ts';
import { planGoneTables } from './plan-tables.ts';
import type { RowShapes } from './row-shapes.ts';
import type { LiveTable, SchemaDialect } from './schema-dialect.ts';
import type { Difference, Plan, Step } from './step.ts';

type Live = ReadonlyMap<string, LiveTable>;

interface Known {
  readonly rowsFit?: RowsFit;
  readonly notRenamed?: NotRenamed;
  readonly recorded?: RowShapes | undefined;
  readonly layout?: Layout;
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
  { rowsFit = () => false, notRenamed = new Set(), recorded, layout = layoutIn(resources, live) }: Known = {},
): Plan {
  const tables = tablesOf(resources, layout);
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
      ...(dialect.distribute?.(tables, live) ?? []),
      ...plans.flatMap(({ steps }) => steps),
      ...references,
      ...indexes,
      ...searches.steps,
      ...words.steps,
    ],
    differences: [
      ...planGoneTables(dialect, { tables, live, recorded, notRenamed }),
      ...tables.flatMap((table) => planKey(dialect, table, live.get(table.name))),
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

/** A key is not changed in place: a table keeps that of the layout that it was made in. */
function planKey(
  { quote }: SchemaDialect,
  { name, tenant, partitions }: Table,
  live: LiveTable | undefined,
): Difference[] {
  const parts = live?.partitions ?? 0;
  if (!live || (!live.isKeyedByTenant === !tenant && parts === partitions.length)) return [];
  const needed = tenant ? `(${tenant.column}, id)` : '(id)';
  const parted = parts === partitions.length ? '' : ` in ${partitions.length} partitions`;
  return [
    {
      what: `table ${name} has another primary key or number of partitions than its layout, which needs ${needed}${parted}`,
      byHand: [
        `-- copy the rows into a new database: npm run copy; or, to lose them:\n    -- drop table ${quote(name)}`,
      ],
      isHarmless: false,
    },
  ];
}
