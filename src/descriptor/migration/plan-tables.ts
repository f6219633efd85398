import { lookUp } from '../look-up.ts';
import type { Table } from '../table.ts';
import { isAlike, type NotRenamed } from './plan-columns.ts';
import type { RowShapes } from './row-shapes.ts';
import type { LiveTable, SchemaDialect } from './schema-dialect.ts';
import type { Difference } from './step.ts';

interface Tables {
  readonly tables: readonly Table[];
  readonly live: ReadonlyMap<string, LiveTable>;
  readonly recorded: RowShapes | undefined;
  readonly notRenamed: NotRenamed;
}

/** Tables with rows that the contract before had and this one has not: each is a question while one like it arrives. */
export function planGoneTables(dialect: SchemaDialect, { tables, live, recorded, notRenamed }: Tables): Difference[] {
  const known = new Set(tables.map(({ name }) => name));
  const gone = Object.keys(recorded?.tables ?? {}).filter(
    (name) => live.has(name) && !known.has(name) && !notRenamed.has(name),
  );
  const arriving = tables.filter(({ name }) => !live.has(name));
  return gone.flatMap((name) => {
    const likely = arriving
      .map((table) => ({ table, shared: sharedBy(dialect, name, lookUp(live, name), table) }))
      .filter(({ shared }) => shared >= HALF)
      .toSorted((a, b) => b.shared - a.shared)[0]?.table;
    return likely ? [question(dialect, name, likely)] : [];
  });
}

const HALF = 0.5;

/** How much of both tables is the same columns, beside those that all tables have; of the smaller one if their names are alike. */
function sharedBy(dialect: SchemaDialect, name: string, { columns }: LiveTable, table: Table): number {
  const isOwn = (property: Table['columns'][number]): boolean =>
    property.origin !== 'managed' && property.name !== 'id';
  const own = table.columns.filter(isOwn);
  const shared = own.filter((property) => columns.get(property.column)?.type === dialect.typeOf(property));
  const sizes = [own.length, columns.size - (table.columns.length - own.length)];
  return shared.length / Math.max(1, isAlike(name, table.name) ? Math.min(...sizes) : Math.max(...sizes));
}

const question = ({ quote }: SchemaDialect, name: string, { name: to, descriptor }: Table): Difference => ({
  what: `table ${name} is not in the contract; if it is ${to} now, declare that before ${to} is created`,
  byHand: [
    `-- to keep the table, and all running instances: write \`x-table: ${name}\` next to the schema ${descriptor.schemas.resource} in the contract`,
    `alter table ${quote(name)} rename to ${quote(to)}`,
    `-- or, if it is something else, in a file: -- lockstep: not renamed ${name}`,
  ],
  isHarmless: false,
  rows: { kind: 'filled', table: name, column: 'id', isHarmless: true },
});
