import type { PropertyDescriptor, ResourceDescriptor } from './resource.ts';

/** A resource as a table: its columns by property. */
export interface Table {
  readonly name: string;
  readonly descriptor: ResourceDescriptor;
  readonly columns: readonly PropertyDescriptor[];
  readonly column: ReadonlyMap<string, PropertyDescriptor>;
  /** Where in a row a property is. */
  readonly position: ReadonlyMap<string, number>;
}

export function tableOf(descriptor: ResourceDescriptor): Table {
  return {
    name: descriptor.table,
    descriptor,
    columns: descriptor.properties,
    column: new Map(descriptor.properties.map((property) => [property.name, property])),
    position: new Map(descriptor.properties.map(({ name }, i) => [name, i])),
  };
}

/** The column of a property; a property that the descriptor lacks is a programming error. */
export function columnOf(table: Table, property: string): PropertyDescriptor {
  const column = table.column.get(property);
  if (!column) throw new Error(`${table.descriptor.name} has no property ${property}`);
  return column;
}

export const positionOf = (table: Table, property: string): number => table.position.get(property)!;

/** So few that each stands for a large part of the rows. */
export function hasFewValues({ type, enum: values }: PropertyDescriptor): boolean {
  return type === 'boolean' || values !== undefined;
}
