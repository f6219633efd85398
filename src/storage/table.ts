import type { PropertyDescriptor, ResourceDescriptor } from '../descriptor/resource.ts';

/** A resource as a table: its columns by property. */
export interface Table {
  readonly name: string;
  readonly descriptor: ResourceDescriptor;
  readonly columns: readonly PropertyDescriptor[];
  readonly column: ReadonlyMap<string, PropertyDescriptor>;
}

export function tableOf(descriptor: ResourceDescriptor): Table {
  return {
    name: descriptor.table,
    descriptor,
    columns: descriptor.properties,
    column: new Map(descriptor.properties.map((property) => [property.name, property])),
  };
}

/** The column of a property; a property that the descriptor lacks is a programming error. */
export function columnOf(table: Table, property: string): PropertyDescriptor {
  const column = table.column.get(property);
  if (!column) throw new Error(`${table.descriptor.name} has no property ${property}`);
  return column;
}

/** So few that each stands for a large part of the rows. */
export function hasFewValues({ type, enum: values }: PropertyDescriptor): boolean {
  return type === 'boolean' || values !== undefined;
}
