import { type Index, indexesOf } from './indexes.ts';
import type { PropertyDescriptor, ResourceDescriptor } from './resource.ts';
import { type Search, searchesOf, type WordSearch, wordSearchOf } from './searches.ts';

/** A resource as a table: its columns by property. */
export interface Table {
  readonly name: string;
  readonly descriptor: ResourceDescriptor;
  readonly columns: readonly PropertyDescriptor[];
  readonly column: ReadonlyMap<string, PropertyDescriptor>;
  /** Where in a row a property is. */
  readonly position: ReadonlyMap<string, number>;
  readonly indexes: readonly Index[];
  /** The properties of the primary key, and of each index, in order. */
  readonly keys: readonly (readonly string[])[];
  readonly searches: readonly Search[];
  readonly wordSearch: WordSearch | undefined;
}

/** The tables of all resources of a contract, with what each needs to know of the others. */
export const tablesOf = (resources: readonly ResourceDescriptor[]): readonly Table[] => resources.map(tableOf);

export function tableOf(descriptor: ResourceDescriptor): Table {
  const indexes = indexesOf(descriptor);
  return {
    name: descriptor.table,
    descriptor,
    columns: descriptor.properties,
    column: new Map(descriptor.properties.map((property) => [property.name, property])),
    position: new Map(descriptor.properties.map(({ name }, i) => [name, i])),
    indexes,
    keys: [['id'], ...indexes.map(({ properties }) => properties)],
    searches: searchesOf(descriptor),
    wordSearch: wordSearchOf(descriptor),
  };
}

/** The column of a property; a property that the descriptor lacks is a programming error. */
export function columnOf(table: Table, property: string): PropertyDescriptor {
  const column = table.column.get(property);
  if (!column) throw new Error(`${table.descriptor.name} has no property ${property}`);
  return column;
}

export const positionOf = (table: Table, property: string): number => table.position.get(property)!;
