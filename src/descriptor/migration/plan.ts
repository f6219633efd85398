import { type Index, indexesOf } from '../indexes.ts';
import { isIdCounted, type PropertyDescriptor, type ResourceDescriptor } from '../resource.ts';
import { type Table, tableOf } from '../table.ts';
import { planSearches } from './plan-searches.ts';
import type { LiveTable, Reference, SchemaDialect, Step } from './schema-dialect.ts';

/** What stands against the contract and is not changed by itself. */
export interface Difference {
  readonly what: string;
  /** SQL that would change it, for somebody to look over. */
  readonly byHand: readonly string[];
  /** The server works all the same. */
  readonly isHarmless: boolean;
}

export interface Plan {
  readonly steps: readonly Step[];
  readonly differences: readonly Difference[];
}

type Live = ReadonlyMap<string, LiveTable>;

/** What brings the tables to the contract's shape, and what would have to be lost for it. */
export function planMigration(dialect: SchemaDialect, resources: readonly ResourceDescriptor[], live: Live): Plan {
  const tables = resources.map(tableOf);
  const plans = tables.map((table) => {
    const existing = live.get(table.name);
    if (existing) return alter({ dialect, table, existing, tables });
    return {
      steps: [{ what: `create table ${table.name}`, sql: dialect.createTable(table, tables) }],
      differences: [],
    };
  });
  const fresh = tables.filter(({ name }) => !live.has(name));
  const references = fresh.flatMap((table) => dialect.addReferences(table, tables));
  const indexes = tables.map((table) => planIndexes(dialect, table, live.get(table.name)));
  const searches = planSearches(dialect, tables, live);
  return {
    // All tables come before what refers to them.
    steps: [
      ...plans.flatMap(({ steps }) => steps),
      ...references,
      ...indexes.flatMap((plan) => plan.steps),
      ...searches.steps,
    ],
    differences: [...plans, ...indexes, searches].flatMap((plan) => plan.differences),
  };
}

interface Alteration {
  readonly dialect: SchemaDialect;
  readonly table: Table;
  readonly existing: LiveTable;
  readonly tables: readonly Table[];
}

function alter(alteration: Alteration): Plan {
  const { table, existing } = alteration;
  const plans = table.columns.map((property) => planColumn(alteration, property));
  const known = new Set(table.columns.map(({ column }) => column));
  const extra = [...existing.columns.keys()].filter((name) => !known.has(name));
  return {
    steps: plans.flatMap(({ steps }) => steps),
    differences: [...extra.map((name) => extraColumn(alteration, name)), ...plans.flatMap((plan) => plan.differences)],
  };
}

function extraColumn({ dialect, table, existing }: Alteration, name: string): Difference {
  const { isRequired, hasDefault } = existing.columns.get(name)!;
  return {
    what: `column ${table.name}.${name} is not in the contract`,
    byHand: [`alter table ${dialect.quote(table.name)} drop column ${dialect.quote(name)}`],
    isHarmless: !isRequired || hasDefault,
  };
}

function planColumn({ dialect, table, existing, tables }: Alteration, property: PropertyDescriptor): Plan {
  const live = existing.columns.get(property.column);
  if (!live) return newColumn(dialect, table, property, tables);
  const name = `column ${table.name}.${property.column}`;
  const type = dialect.typeOf(property);
  const steps: Step[] = [];
  const differences: Difference[] = [];
  const differs = (what: string, byHand: readonly string[]) =>
    differences.push({ what: `${name} ${what}`, byHand, isHarmless: false });
  if (live.type !== type) differs(`is ${live.type}, the contract needs ${type}`, dialect.changeType(table, property));
  if (live.isRequired && !isRequired(property)) {
    const relax = dialect.dropRequired(table, property);
    if (relax.isLossless) steps.push({ what: `${name} may be empty`, sql: relax.sql[0]! });
    else differs('is required, the contract says otherwise', relax.sql);
  }
  if (property.name === 'id' && live.type === type && isIdCounted(table.descriptor) && !live.isCounted) {
    const count = dialect.countIds(table);
    if (count.isLossless) steps.push({ what: `${name} is counted`, sql: count.sql.join('; ') });
    else differs('is not counted by the database, the contract says otherwise', count.sql);
  }
  if (!live.isRequired && isRequired(property))
    differs('is optional, the contract says otherwise', dialect.setRequired(table, property));
  const reference = referenced(property, tables);
  if (reference && live.type === type && live.onDelete !== reference.onDelete) {
    const change = dialect.changeReference(table, property, reference, live);
    const what = `refers to ${reference.table} on delete ${reference.onDelete}`;
    if (change.isLossless) steps.push({ what: `${name} ${what}`, sql: change.sql.join('; ') });
    else
      differs(
        `${live.onDelete === undefined ? 'refers to nothing' : `does on delete ${live.onDelete}`}, the contract says: ${what}`,
        change.sql,
      );
  }
  return { steps, differences };
}

function newColumn(dialect: SchemaDialect, table: Table, property: PropertyDescriptor, tables: readonly Table[]): Plan {
  const what = `column ${table.name}.${property.column}`;
  const isFilled = !isRequired(property) || property.initial !== undefined;
  const sql = dialect.addColumn(table, property, tables);
  if (isFilled) return { steps: [{ what: `add ${what}`, sql }], differences: [] };
  const byHand = dialect.addRequired(table, property, tables);
  return {
    steps: [],
    differences: [{ what: `${what} is new and required, with no default`, byHand, isHarmless: false }],
  };
}

export const isRequired = (property: PropertyDescriptor): boolean => property.required && !property.nullable;

export function referenced({ references }: PropertyDescriptor, tables: readonly Table[]): Reference | undefined {
  if (!references) return undefined;
  const { name } = tables.find(({ descriptor }) => descriptor.key === references.resource)!;
  return { table: name, onDelete: references.onDelete === 'set-null' ? 'set null' : references.onDelete };
}

/** An index holds no data of its own: those made for an earlier contract are dropped, others are left alone. */
function planIndexes(dialect: SchemaDialect, table: Table, existing: LiveTable | undefined): Plan {
  const wanted = new Map(indexesOf(table).map((index) => [index.name, index]));
  const live = existing?.indexes ?? new Map();
  const stale = [...live.keys()].filter((name) => !wanted.has(name) && isOwn(table, name));
  const broken = [...wanted.values()].filter(({ name }) => live.get(name)?.isValid === false);
  const missing = [...wanted.values()].filter(({ name }) => !live.has(name));
  const drop = (name: string): Step => ({
    what: `drop index ${name}`,
    isOptional: true,
    ...dialect.dropIndex(name, !!existing),
  });
  const create = (index: Index): Step => ({
    what: `create ${index.isUnique ? 'unique ' : ''}index ${index.name} on ${table.name} (${index.columns.join(', ')})`,
    isOptional: !index.isUnique,
    ...dialect.createIndex(table, index, !!existing),
  });
  return {
    steps: [...[...stale, ...broken.map(({ name }) => name)].map(drop), ...[...missing, ...broken].map(create)],
    differences: [],
  };
}

/** Indexes that this program made are named after their table and their kind. */
const isOwn = ({ name }: Table, index: string): boolean =>
  index.startsWith(`${name}_`) && /_(?:key|index)$/.test(index);
