import type { Id } from '../../../descriptor/resource.ts';
import type { Reader, Row } from '../../storage/store.ts';
import type { Resource } from './resource.ts';
import type { Tenancy } from './tenancy.ts';

/** Whose tenant's its rows are, or those of the nearest ancestor that has the property; undefined where none has it. */
export const tenancyWithin = ({ tenancy, parent }: Resource): Tenancy | undefined =>
  tenancy ?? (parent && tenancyWithin(parent));

/** The tenant of a row: its own, or that of the nearest ancestor that has one; undefined where it is of none. */
export async function tenantOfRow(reader: Reader, resource: Resource, row: Row): Promise<Id | undefined> {
  const { tenancy, parent, descriptor } = resource;
  if (tenancy) return resource.valueIn(row, tenancy.property) as Id;
  if (!parent || !tenancyWithin(parent)) return undefined;
  const above = await reader.get(parent.descriptor.key, resource.valueIn(row, descriptor.parent!.property) as Id);
  return above && tenantOfRow(reader, parent, above);
}
