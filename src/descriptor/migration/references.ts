import type { PropertyDescriptor } from '../resource.ts';
import type { Table } from '../table.ts';
import type { Reference } from './schema-dialect.ts';

/** Whether each row has a value of the property, other than null. */
export const isRequired = (property: PropertyDescriptor): boolean => property.required && !property.nullable;

/** The table that a property refers to; undefined when it refers to none. */
export function referenced({ references }: PropertyDescriptor, tables: readonly Table[]): Reference | undefined {
  if (!references) return undefined;
  const { name } = tables.find(({ descriptor }) => descriptor.key === references.resource)!;
  return { table: name, onDelete: references.onDelete === 'set-null' ? 'set null' : references.onDelete };
}
