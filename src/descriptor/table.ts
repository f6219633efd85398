import { type Index, indexesOf, shortened } from './indexes.ts';
import { type Layout, PLAIN, type TenantKey, tenantKeysOf } from './layout.ts';
import type { PropertyDescriptor, ResourceDescriptor } from './resource.ts';
import { type Search, searchesOf, type WordSearch, wordSearchOf } from './searches.ts';

/** A resource as a table: its columns by property. */
export interface Table {
  readonly name: string;
  readonly descriptor: ResourceDescriptor;
  /** Those of properties, in the order of a row. */
  readonly columns: readonly PropertyDescriptor[];
  /** All that the database has: those of properties, then the one that names the tenant if no property does. */
  readonly stored: readonly PropertyDescriptor[];
  readonly column: ReadonlyMap<string, PropertyDescriptor>;
  /** Where in a row a property is. */
  readonly position: ReadonlyMap<string, number>;
  /** The properties of the primary key. */
  readonly key: readonly string[];
  /** What names the tenant, if keys and references begin with it. */
  readonly tenant: PropertyDescriptor | undefined;
  /** The names of its hash partitions. */
  readonly partitions: readonly string[];
  /** Its rows, or copies of them, are on other nodes. */
  readonly isDistributed: boolean;
  readonly indexes: readonly Index[];
  /** The properties of the primary key, and of each index, in order. */
  readonly keys: readonly (readonly string[])[];
  /** The properties of the primary key and of each unique one; those of ids alone, if an index leads to them. */
  readonly uniques: readonly (readonly string[])[];
  readonly searches: readonly Search[];
  readonly wordSearch: WordSearch | undefined;
}

/** The tables of all resources of a contract, with what each needs to know of the others. */
export function tablesOf(resources: readonly ResourceDescriptor[], layout = PLAIN): readonly Table[] {
  const keys = layout.kind === 'plain' ? undefined : tenantKeysOf(resources);
  return resources.map((resource) => tableOf(resource, layout, keys));
}

/** `keys`: those of all resources, if they begin with the tenant. */
export function tableOf(
  descriptor: ResourceDescriptor,
  layout: Layout = PLAIN,
  keys?: ReadonlyMap<string, TenantKey>,
): Table {
  const indexes = indexesOf(descriptor, keys);
  const own = keys?.get(descriptor.key);
  const stored = own?.isHidden ? [...descriptor.properties, own.column] : descriptor.properties;
  const key = own ? [own.column.name, 'id'] : ['id'];
  const partitions = own && layout.kind === 'tenants' ? layout.partitions : 0;
  return {
    name: descriptor.table,
    descriptor,
    columns: descriptor.properties,
    stored,
    column: new Map(stored.map((property) => [property.name, property])),
    position: new Map(stored.map(({ name }, i) => [name, i])),
    key,
    tenant: own?.column,
    partitions: Array.from({ length: partitions }, (_, i) => partOf(descriptor.table, i)),
    isDistributed: layout.kind === 'citus',
    indexes,
    keys: [key, ...indexes.map(({ properties }) => properties)],
    uniques: [key, ...indexes.filter(isOfOne).map(({ properties }) => properties)],
    searches: searchesOf(descriptor),
    wordSearch: wordSearchOf(descriptor),
  };
}

/** Ids are unique, also where the primary key has more than them. */
const isOfOne = ({ isUnique, properties }: Index): boolean => isUnique || properties.join() === 'id';

/** What names the tenant of each table whose keys begin with it, by the keys of resources; undefined if no table's do. */
export function tenantColumnsOf(tables: readonly Table[]): ReadonlyMap<string, PropertyDescriptor> | undefined {
  const named = tables.flatMap(({ descriptor, tenant }) => (tenant ? [[descriptor.key, tenant] as const] : []));
  return named.length > 0 ? new Map(named) : undefined;
}

/** The name of the part that a partition has of a table, or of an index. */
export const partOf = (name: string, partition: number): string => shortened(name, `_p${partition}`);

/** Whether the tenant of its rows is in a column that no property has. */
export const hasHiddenTenant = ({ columns, stored }: Table): boolean => stored.length > columns.length;

/** The column of a property; a property that the descriptor lacks is a programming error. */
export function columnOf(table: Table, property: string): PropertyDescriptor {
  const column = table.column.get(property);
  if (!column) throw new Error(`${table.descriptor.name} has no property ${property}`);
  return column;
}

export const positionOf = (table: Table, property: string): number => table.position.get(property)!;
