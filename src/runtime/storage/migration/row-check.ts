import type { Schema } from '../../../descriptor/document.ts';
import { type TenantKey, tenantKeysOf } from '../../../descriptor/layout.ts';
import { quotedText } from '../../../descriptor/migration/literal.ts';
import type { RowShapes } from '../../../descriptor/migration/row-shapes.ts';
import type { LiveTable, SchemaDialect } from '../../../descriptor/migration/schema-dialect.ts';
import type { Difference } from '../../../descriptor/migration/step.ts';
import { recordedType, storedType } from '../../../descriptor/migration/stored-type.ts';
import { type Tightened, tightened } from '../../../descriptor/migration/tightened.ts';
import type { JsonValue, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { inOrderOf, rowsById } from '../rows-by-id.ts';
import type { Row } from '../store.ts';
import { type Conversion, Converting, type CountedRows, counted, note } from './converting.ts';
import type { MigrationTarget, Report } from './target.ts';

/** How a row deviates from the contract. */
export interface RowFault {
  /** Name of the property; empty: the row as a whole. */
  readonly property: string;
  /** What it must be, after the name: `must have at most 1 character`. */
  readonly detail: string;
}

/**
 * Makes the check for rows of a resource, which may lack properties that are yet to be added. `changed`: values that differ
 * from those of the row, by property.
 */
export type JudgeRows = (
  resource: ResourceDescriptor,
) => (row: Row, changed?: Readonly<Record<string, JsonValue>>) => readonly RowFault[];

/** Rows that have to be read, because a contract is stricter than what they are known to meet. */
export interface RowCheck {
  readonly resource: ResourceDescriptor;
  readonly tightened: Tightened;
  /** Columns whose values are stored in the form of another type than the contract has now. */
  readonly conversions: readonly Conversion[];
  /** What the primary key begins with, if that is the tenant. */
  readonly tenant?: TenantKey | undefined;
}

const REPORTED_ROWS = 10_000;

/** The tables with rows that have to be checked. `before`: what the rows are known to meet. */
export function planRowChecks(
  dialect: SchemaDialect,
  resources: readonly ResourceDescriptor[],
  live: ReadonlyMap<string, LiveTable>,
  before: RowShapes | undefined,
  now: RowShapes,
): RowCheck[] {
  const keys = tenantKeysOf(resources);
  return resources.flatMap((resource) => {
    const columns = live.get(resource.table)?.columns;
    if (!columns) return [];
    const conversions = resource.properties.flatMap((property): Conversion[] => {
      const live = columns.get(property.column)?.type;
      if (live === undefined) return [];
      const from = storedType(dialect, live, property, recordedType(before, resource.table, property));
      return from && from !== property.type ? [{ property, from, isTyped: live !== dialect.typeOf(property) }] : [];
    });
    const found = tightened(before, now, resource.table) ?? { properties: [], isWhole: false };
    // What is added gets the contract's own value.
    const isThere = (name: string): boolean =>
      resource.properties.some((property) => property.name === name && columns.has(property.column));
    const properties = found.properties.filter(isThere);
    const isNeeded = properties.length > 0 || found.isWhole || conversions.length > 0;
    const tenant = live.get(resource.table)?.isKeyedByTenant ? keys.get(resource.key) : undefined;
    return isNeeded ? [{ resource, tightened: { ...found, properties }, conversions, tenant }] : [];
  });
}

interface Group extends RowFault, CountedRows {}

/**
 * Reads all rows of a table and returns how those that the contract does not allow deviate, with their number. `planned`:
 * what the tables show of columns that get another type.
 */
export async function checkRows(
  target: MigrationTarget,
  check: RowCheck,
  judge: JudgeRows,
  shapes: RowShapes,
  report: Report,
  planned: readonly Difference[] = [],
): Promise<Difference[]> {
  const live = (await target.liveTables()).get(check.resource.table)!;
  const conversions = new Map(check.conversions.map((one) => [one.property.name, new Converting(one)]));
  const present = check.resource.properties.flatMap((property) => {
    const conversion = conversions.get(property.name);
    if (conversion) return [{ ...property, type: conversion.readAs }];
    return live.columns.get(property.column)?.type === target.dialect.typeOf(property) ? [property] : [];
  });
  const resource = onlyRows(check.resource, present);
  const faultsOf = judge(resource);
  const groups = new Map<string, Group>();
  const id = present.findIndex(({ name }) => name === 'id');
  let count = 0;
  const { tenant } = check;
  const order = inOrderOf(tenant ? [tenant.column.name, 'id'] : ['id']);
  for await (const rows of rowsById(target.reader(resource, tenant), resource, [], order)) {
    for (const row of rows) {
      const changed = Object.fromEntries(
        present.flatMap(({ name }, i) => {
          const value = row[i] === null ? undefined : conversions.get(name)?.convert(row[i]!, String(row[id]));
          return value === undefined ? [] : [[name, value]];
        }),
      );
      for (const fault of faultsOf(row, changed)) {
        const isConcerned = conversions.has(fault.property) || concerns(check.tightened, fault);
        if (isConcerned && !isEmpty(present, row, fault)) add(groups, fault, String(row[id]));
      }
    }
    count += rows.length;
    if (count % REPORTED_ROWS === 0) report(`check ${count.toLocaleString('en')} rows of ${resource.table}`);
  }
  const { table } = resource;
  const broken = [...groups.values()].map((group): Difference & { readonly property: string } => {
    const schema = conversions.has(group.property) ? undefined : schemaOf(shapes, table, group.property);
    return {
      property: group.property,
      what: `rows of ${table} break the contract: ${group.property || 'the row'} ${group.detail}: ${counted(group)}`,
      byHand: [fix(target, resource, group, schema)],
      isHarmless: false,
    };
  });
  const converting = [...conversions.values()].filter(({ isNeeded }) => isNeeded);
  const names = new Set(converting.map(({ property }) => property.name));
  return [
    ...broken.filter(({ property }) => !names.has(property)),
    ...converting.map((one) =>
      one.difference(target, check.resource, live, {
        planned: planned.find(({ converts }) => converts === `${table}.${one.property.column}`),
        broken: broken.filter(({ property }) => property === one.property.name),
      }),
    ),
  ];
}

/** A resource as far as its rows are read by id: what else it promises may be of properties that are yet to be added. */
function onlyRows(resource: ResourceDescriptor, properties: readonly PropertyDescriptor[]): ResourceDescriptor {
  const { key, name, table, path, idParameter, schemas } = resource;
  return { key, name, table, path, idParameter, schemas, properties, actions: {}, unique: [] };
}

const concerns = ({ properties, isWhole }: Tightened, { property }: RowFault): boolean =>
  isWhole || properties.includes(property);

/** Rows without a required value are counted with the column that is to be required. */
function isEmpty(properties: readonly PropertyDescriptor[], row: Row, { property }: RowFault): boolean {
  const i = properties.findIndex(({ name }) => name === property);
  return i >= 0 && row[i] === null && properties[i]!.required && !properties[i]!.nullable;
}

function add(groups: Map<string, Group>, fault: RowFault, id: string): void {
  const key = `${fault.property} ${fault.detail}`;
  const group = groups.get(key) ?? { ...fault, count: 0, ids: [] };
  groups.set(key, group);
  note(group, id);
}

function fix(
  { dialect }: MigrationTarget,
  { table, properties }: ResourceDescriptor,
  { property: name, ids, count }: Group,
  schema: Schema | undefined,
): string {
  const property = properties.find((one) => one.name === name);
  const more = count > ids.length ? ' /* and the others */' : '';
  const these = `${dialect.quote('id')} in (${ids.map(quotedText).join(', ')}${more})`;
  if (!property) return `select * from ${dialect.quote(table)} where ${these}`;
  const column = dialect.quote(property.column);
  const where = outside(column, schema) ?? these;
  return `update ${dialect.quote(table)} set ${column} = /* what these rows get */ where ${where}`;
}

/** The schema of a property, its reference followed. */
function schemaOf({ tables, definitions }: RowShapes, table: string, property: string): Schema | undefined {
  const schema = tables[table]?.properties[property]?.schema;
  const reference = typeof schema === 'object' && Object.keys(schema).length === 1 ? schema['$ref'] : undefined;
  return typeof reference === 'string' ? definitions[reference] : schema;
}

/** Finds values outside an enum, a length or a bound, where that is all that the schema says. */
function outside(column: string, schema: Schema | undefined): string | undefined {
  if (typeof schema !== 'object') return undefined;
  const { type: _, ...rules } = schema;
  const tests = Object.entries(rules).map(([keyword, value]) => {
    switch (keyword) {
      case 'enum':
        return `${column} not in (${(value as readonly unknown[]).map((one) => quotedText(String(one))).join(', ')})`;
      case 'maxLength':
        return `length(${column}) > ${value}`;
      case 'minLength':
        return `length(${column}) < ${value}`;
      case 'maximum':
        return `${column} > ${value}`;
      case 'minimum':
        return `${column} < ${value}`;
      default:
        return undefined;
    }
  });
  return tests.length > 0 && !tests.includes(undefined) ? tests.join(' or ') : undefined;
}
