import { type Index, indexesOf, shortened } from './indexes.ts';
import { type Layout, PLAIN, type TenantKey, tenantKeysOf } from './layout.ts';
import type { MappedTable, PropertyDescriptor, ResourceDescriptor } from './resource.ts';
import { type Search, searchesOf, type WordSearch, wordSearchOf } from './searches.ts';

/** One of the columns of a property that has several, and its type as SQL has it. */
interface Part {
  readonly column: string;
  readonly type: string;
}

/** A property as a table has it: in one column, or in several of a table of others. */
export interface Column extends PropertyDescriptor {
  readonly parts?: readonly Part[];
  /** Of a table of others: the type that values are compared as. */
  readonly cast?: string;
  /** A value as its columns are compared with it; null matches nothing. */
  readonly compare?: (value: string | number | null) => string | number | null;
  /** Which of its columns have values that are equal although their texts are not. */
  readonly loose?: readonly boolean[];
}

/** A column that is read. `json`: its value is made JSON of; of an array, each may be a text there. */
export interface SelectedColumn {
  readonly column: string;
  readonly json?: 'values' | 'texts' | undefined;
}

/** A resource as a table: its columns by property. */
export interface Table {
  /** In statements, which columns are qualified by; and in the database, unless it has a `relation`. */
  readonly name: string;
  /** A table of others, by its names in the database. */
  readonly relation?: MappedTable;
  /** The columns that are read of a table of others, each once. */
  readonly selected?: readonly SelectedColumn[];
  readonly descriptor: ResourceDescriptor;
  /** Those of properties, in the order of a row. */
  readonly columns: readonly Column[];
  /** All that the database has: those of properties, then the one that names the tenant if no property does. */
  readonly stored: readonly Column[];
  readonly column: ReadonlyMap<string, Column>;
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
  /** The properties of each unique key, by the names that the database has for it. */
  readonly uniqueNames: ReadonlyMap<string, readonly string[]>;
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
  const count = own && layout.kind === 'tenants' ? layout.partitions : 0;
  const partitions = Array.from({ length: count }, (_, i) => partOf(descriptor.table, i));
  return {
    name: descriptor.table,
    descriptor,
    columns: descriptor.properties,
    stored,
    column: new Map(stored.map((property) => [property.name, property])),
    position: new Map(stored.map(({ name }, i) => [name, i])),
    key,
    tenant: own?.column,
    partitions,
    isDistributed: layout.kind === 'citus',
    indexes,
    keys: [key, ...indexes.map(({ properties }) => properties)],
    uniques: [key, ...indexes.filter(isOfOne).map(({ properties }) => properties)],
    uniqueNames: uniqueNamesOf(descriptor, indexes, partitions),
    searches: searchesOf(descriptor),
    wordSearch: wordSearchOf(descriptor),
  };
}

/** Each partition has an index for each of those of its table. */
function uniqueNamesOf(
  { table, properties: shown }: ResourceDescriptor,
  indexes: readonly Index[],
  partitions: readonly string[],
): ReadonlyMap<string, readonly string[]> {
  const isShown = (property: string): boolean => shown.some(({ name }) => name === property);
  return new Map([
    ...[table, ...partitions].map((name): [string, string[]] => [`${name}_pkey`, ['id']]),
    ...indexes
      .filter(({ isUnique }) => isUnique)
      .flatMap(({ name, properties }) =>
        [name, ...partitions.map((_, i) => partOf(name, i))].map((one): [string, string[]] => [
          one,
          properties.filter(isShown),
        ]),
      ),
  ]);
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
export function columnOf(table: Table, property: string): Column {
  const column = table.column.get(property);
  if (!column) throw new Error(`${table.descriptor.name} has no property ${property}`);
  return column;
}

export const positionOf = (table: Table, property: string): number => table.position.get(property)!;
