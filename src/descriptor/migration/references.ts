import type { PropertyDescriptor } from '../resource.ts';
import type { Table } from '../table.ts';
import type { Reference } from './schema-dialect.ts';

/** Whether each row has a value of the property, other than null. */
export const isRequired = (property: PropertyDescriptor): boolean => property.required && !property.nullable;

/** What a property of a table refers to; undefined when it refers to nothing. */
export function referenced(
  table: Pick<Table, 'tenant' | 'isDistributed'>,
  { references }: PropertyDescriptor,
  tables: readonly Table[],
): Reference | undefined {
  if (!references) return undefined;
  const { name, tenant: target } = tables.find(({ descriptor }) => descriptor.key === references.resource)!;
  const own = table.tenant;
  // Citus cannot set one column of several null; the server does before it deletes.
  const setNull = table.isDistributed && own && target ? 'no action' : 'set null';
  const onDelete = references.onDelete === 'set-null' ? setNull : references.onDelete;
  return { table: name, onDelete, ...(own && target && { tenants: { own: own.column, target: target.column } }) };
}
