import type { RowsFit } from '../../../descriptor/migration/plan-columns.ts';
import type { LiveTable } from '../../../descriptor/migration/schema-dialect.ts';
import type { PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import { rowsById } from '../rows-by-id.ts';
import type { JudgedContract, Migration } from './migrator.ts';
import { schemaOf } from './row-check.ts';
import { rowsMet } from './row-test.ts';
import type { MigrationTarget } from './target.ts';

/** Keywords that few texts meet by chance. */
const TELLING = ['enum', 'const', 'pattern', 'format'];

type Live = ReadonlyMap<string, LiveTable>;

/**
 * What rows say of columns that the contract no longer has: whether their values are ones of a new property that few other
 * values are. Nothing without a contract, or without rows.
 */
export async function fittingRows(target: MigrationTarget, migration: Migration, live: Live): Promise<RowsFit> {
  const fitting = new Set<string>();
  for (const resource of migration.contract ? migration.resources : []) {
    const columns = live.get(resource.table)?.columns ?? new Map();
    const known = new Set(resource.properties.map(({ column }) => column));
    for (const property of resource.properties.filter(({ column }) => !columns.has(column)))
      for (const [column, { type }] of columns)
        if (
          !known.has(column) &&
          type === target.dialect.typeOf(property) &&
          (await fits(target, migration, live, resource, { ...property, column }))
        )
          fitting.add(`${resource.table}.${column}.${property.name}`);
  }
  return (table, column, { name }) => fitting.has(`${table}.${column}.${name}`);
}

/** `property`: the new one, with the column that is there. */
async function fits(
  target: MigrationTarget,
  { resources, contract }: Migration,
  live: Live,
  resource: ResourceDescriptor,
  property: PropertyDescriptor,
): Promise<boolean> {
  const { table } = resource;
  const column = target.dialect.quote(property.column);
  const filled = `select 1 from ${target.dialect.quote(table)} where ${column} is not null limit 1`;
  if ((await target.run(filled)).length === 0) return false;
  const referred = resources.find(({ key }) => key === property.references?.resource);
  if (referred) {
    const orphaned = { kind: 'orphaned', table, column: property.column, target: referred.table } as const;
    return live.has(referred.table) && (await rowsMet(target, orphaned)).count === 0;
  }
  const schema = schemaOf(contract!.shapes, table, property.name);
  const isTelling = property.type === 'string' && typeof schema === 'object' && TELLING.some((word) => word in schema);
  return isTelling && meets(target, contract!, live, resource, property);
}

/** Whether the first rows have values that the property allows. */
async function meets(
  target: MigrationTarget,
  { judge }: JudgedContract,
  live: Live,
  resource: ResourceDescriptor,
  property: PropertyDescriptor,
): Promise<boolean> {
  const columns = live.get(resource.table)!.columns;
  const there = resource.properties.filter((one) => columns.get(one.column)?.type === target.dialect.typeOf(one));
  const renamed = { ...resource, properties: [...there, property] };
  const { value: rows = [] } = await rowsById(target.reader(renamed), renamed).next();
  const faultsOf = judge(renamed);
  return rows.every((row) => row.at(-1) === null || faultsOf(row).every((fault) => fault.property !== property.name));
}
