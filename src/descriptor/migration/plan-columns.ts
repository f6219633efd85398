import { lookUp } from '../look-up.ts';
import { isIdCounted, type PropertyDescriptor } from '../resource.ts';
import type { Table } from '../table.ts';
import { isRequired, referenced } from './references.ts';
import type { RowShapes } from './row-shapes.ts';
import type { LiveColumn, LiveTable, SchemaDialect } from './schema-dialect.ts';
import type { Difference, Plan, Step } from './step.ts';
import { recordedType, storedType } from './stored-type.ts';

interface Alteration {
  readonly dialect: SchemaDialect;
  readonly table: Table;
  readonly existing: LiveTable;
  readonly tables: readonly Table[];
  readonly rowsFit: RowsFit;
  /** What is recorded of the contract before. */
  readonly recorded?: RowShapes | undefined;
  readonly notRenamed: NotRenamed;
}

/** One column that is in the contract and in the table. */
interface Meeting extends Alteration {
  readonly property: PropertyDescriptor;
  readonly live: LiveColumn;
  /** As it is called in a plan. */
  readonly name: string;
}

/** Whether the rows say that a column may have been renamed to a new property's. */
export type RowsFit = (table: string, column: string, property: PropertyDescriptor) => boolean;

/** Columns, `table.column`, and tables that are not another's by now: a file says so. */
export type NotRenamed = ReadonlySet<string>;

/** Names with more in common than this are alike. */
const ALIKE = 0.5;

/** What brings the columns of a table that exists to those of the contract. */
export function planColumns(alteration: Alteration): Plan {
  const { table, existing } = alteration;
  const known = new Set(table.stored.map(({ column }) => column));
  const extra = [...existing.columns.keys()].filter((name) => !known.has(name));
  const missing = table.columns.filter(({ column }) => !existing.columns.has(column));
  const asked = extra.filter((name) => !alteration.notRenamed.has(`${table.name}.${name}`));
  const renames = renamesOf(alteration, asked, missing);
  const plans = table.columns.map((property) => planColumn(alteration, property, renames.get(property.column)));
  const renamed = new Map([...renames].map(([to, from]) => [from, to]));
  const arriving = (name: string) =>
    asked.includes(name)
      ? missing.filter((property) => lookUp(existing.columns, name).type === alteration.dialect.typeOf(property))
      : [];
  return {
    steps: plans.flatMap(({ steps }) => steps),
    differences: [
      ...extra.map((name) => extraColumn(alteration, name, arriving(name), renamed.get(name))),
      ...plans.flatMap((plan) => plan.differences),
    ],
  };
}

/** For each new column the one that it most likely was until now: of the same type, and no longer in the contract. */
function renamesOf(
  { dialect, table, existing, rowsFit }: Alteration,
  extra: readonly string[],
  missing: readonly PropertyDescriptor[],
): ReadonlyMap<string, string> {
  const pairs = missing.flatMap((property) =>
    extra
      .filter((from) => lookUp(existing.columns, from).type === dialect.typeOf(property))
      .map((from) => ({ from, to: property.column, likeness: likenessOf(from, property.column), property })),
  );
  const alike = pairs
    .filter(({ from, likeness, property }) => likeness > ALIKE || rowsFit(table.name, from, property))
    .toSorted((a, b) => b.likeness - a.likeness);
  const renames = new Map<string, string>();
  for (const { from, to } of alike)
    if (!renames.has(to) && ![...renames.values()].includes(from)) renames.set(to, from);
  return renames;
}

export const isAlike = (a: string, b: string): boolean => likenessOf(a, b) > ALIKE;

/** How many pairs of letters of the shorter name the other has, as a part of one: of `name` and `full_name` all. */
function likenessOf(a: string, b: string): number {
  const [shorter, longer] = [pairsIn(a), pairsIn(b)].sort((one, other) => one.size - other.size);
  const shared = [...shorter!].filter((pair) => longer!.has(pair));
  return shared.length / Math.max(1, shorter!.size);
}

const pairsIn = (name: string): Set<string> => new Set([...name].slice(1).map((letter, i) => `${name[i]}${letter}`));

/** A column with values that the contract no longer has is a question while a new one of its type arrives. */
function extraColumn(
  { dialect, table, existing }: Alteration,
  name: string,
  arriving: readonly PropertyDescriptor[],
  renamed: string | undefined,
): Difference {
  const { isRequired: isLiveRequired, hasDefault } = lookUp(existing.columns, name);
  const drop = `alter table ${dialect.quote(table.name)} drop column ${dialect.quote(name)}`;
  const isHarmless = !isLiveRequired || hasDefault;
  const likely = arriving.find(({ column }) => column === renamed) ?? arriving[0];
  // New rows come without it, those that are there keep their values, and old instances work.
  const keep = isHarmless ? [] : dialect.dropRequired(table, name, existing).sql;
  if (!likely)
    return {
      what: `column ${table.name}.${name} is not in the contract`,
      byHand: isHarmless ? [drop] : [...keep, `-- or, to lose its values:\n    -- ${drop}`],
      isHarmless,
    };
  const others = arriving.filter((one) => one !== likely).map((one) => `, or next to ${one.name}`);
  return {
    what: `column ${table.name}.${name} is not in the contract; if it is ${likely.column} now, declare that before ${likely.column} is added`,
    byHand: [
      `-- to keep the column, and all running instances: write \`x-column: ${name}\` next to ${likely.name} in the contract${others.join('')}`,
      `${renamed === undefined ? '-- or, to rename it, in a file: ' : ''}${dialect.renameColumn(table, name, likely.column)}`,
      `-- or, if it is something else, in a file: -- lockstep: not renamed ${table.name}.${name}`,
    ],
    isHarmless: false,
    rows: { kind: 'filled', table: table.name, column: name, isHarmless },
  };
}

function planColumn(alteration: Alteration, property: PropertyDescriptor, oldName: string | undefined): Plan {
  const { table, existing } = alteration;
  const live = existing.columns.get(property.column);
  if (!live) return newColumn(alteration, property, oldName);
  const meeting = { ...alteration, property, live, name: `column ${table.name}.${property.column}` };
  const plans = [planType, planRelaxed, planCounted, planRequired, planReference].map((part) => part(meeting));
  return {
    steps: plans.flatMap(({ steps = [] }) => steps),
    differences: plans.flatMap(({ differences = [] }) => differences),
  };
}

function newColumn({ dialect, table, tables }: Alteration, property: PropertyDescriptor, oldName?: string): Plan {
  if (!isRequired(property) || property.initial !== undefined) {
    const [add, ...others] = dialect.addColumn(table, property, tables);
    return { steps: [{ ...add!, stopsOlder: true, isShape: true }, ...others], differences: [] };
  }
  const add = dialect.addRequired(table, property, tables);
  const what = `column ${table.name}.${property.column} is new and required, with no default`;
  const byHand =
    oldName === undefined
      ? add
      : [
          dialect.renameColumn(table, oldName, property.column),
          `-- or, if ${oldName} is something else:\n    ${add[0]}`,
          ...add.slice(1),
        ];
  return { steps: [], differences: [{ what, byHand, isHarmless: false, stopsOlder: true }] };
}

type Part = Partial<Plan>;

const hasType = ({ dialect, property, live }: Meeting): boolean => live.type === dialect.typeOf(property);

function planType(meeting: Meeting): Part {
  const { dialect, table, property, live, name, existing, tables, recorded } = meeting;
  if (hasType(meeting)) return {};
  const what = `${name} is ${live.type}, the contract needs ${dialect.typeOf(property)}`;
  const from = storedType(dialect, live.type, property, recordedType(recorded, table.name, property));
  const byHand = dialect.changeType(table, {
    property,
    from,
    existing,
    reference: referenced(table, property, tables),
  });
  return {
    differences: [{ what, byHand, isHarmless: false, stopsOlder: true, converts: `${table.name}.${property.column}` }],
  };
}

function planRelaxed({ dialect, table, property, live, name, existing }: Meeting): Part {
  if (!live.isRequired || isRequired(property)) return {};
  const { sql, isLossless } = dialect.dropRequired(table, property.column, existing);
  if (isLossless) return { steps: [altering(table, `${name} may be empty`, sql)] };
  return {
    differences: [{ what: `${name} is required, but not in the contract`, byHand: sql, isHarmless: false }],
  };
}

function planCounted(meeting: Meeting): Part {
  const { dialect, table, property, live, name } = meeting;
  const isWanted = property.name === 'id' && isIdCounted(table.descriptor);
  if (!isWanted || !hasType(meeting) || live.isCounted) return {};
  const { sql, isLossless } = dialect.countIds(table);
  if (isLossless) return { steps: [altering(table, `${name} is counted`, sql)] };
  const what = `${name} is not counted by the database, as the contract requires`;
  return { differences: [{ what, byHand: sql, isHarmless: false }] };
}

/** The engine writes a value into each row: where no row is without, nothing is missing but the constraint. */
function planRequired({ dialect, table, property, live, name, existing }: Meeting): Part {
  if (live.isRequired || !isRequired(property)) return {};
  return {
    differences: [
      {
        what: `${name} is optional, but required in the contract`,
        byHand: dialect.setRequired(table, property, existing),
        isHarmless: false,
        rows: { kind: 'empty', table: table.name, column: property.column },
      },
    ],
  };
}

function planReference(meeting: Meeting): Part {
  const { dialect, table, property, live, name, tables } = meeting;
  const reference = referenced(table, property, tables);
  if (!reference || !hasType(meeting)) return {};
  const what = `refers to ${reference.table} on delete ${reference.onDelete}`;
  const orphaned = { kind: 'orphaned', table: table.name, column: property.column, target: reference.table } as const;
  const fails = { ...orphaned, tenants: reference.tenants };
  if (live.onDelete === reference.onDelete) {
    if (!live.isUnvalidated || live.constraint === undefined) return {};
    return { steps: [{ what: `all of ${name} ${what}`, fails, ...dialect.validateReference(table, live.constraint) }] };
  }
  const change = dialect.changeReference(table, {
    property,
    reference,
    existing: meeting.existing,
    constraint: live.constraint,
  });
  if (!('byHand' in change)) return { steps: change };
  const is = live.onDelete === undefined ? 'refers to nothing' : `does on delete ${live.onDelete}`;
  return {
    differences: [{ what: `${name} ${is}, but in the contract: ${what}`, byHand: change.byHand, isHarmless: false }],
  };
}

const altering = ({ name }: Table, what: string, sql: readonly string[]): Step => ({
  what,
  sql: sql.join('; '),
  lock: { mode: 'access exclusive', tables: [name] },
});
