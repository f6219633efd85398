import type { Id } from '../../../descriptor/resource.ts';
import type { Reader } from '../../storage/store.ts';
import type { Resource } from '../resource/resource.ts';

/** The tenants of the rows with these ids: their own, or those of the nearest ancestors that have one. Others are left out. */
export async function tenantsOf(reader: Reader, resource: Resource, ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
  const { tenancy, parent, descriptor } = resource;
  if (!tenancy && !parent) return new Map();
  const rows = await reader.getEach(descriptor.key, ids);
  const named = tenancy?.property ?? descriptor.parent!.property;
  const pairs = rows.map((row) => [resource.valueIn(row, 'id') as Id, resource.valueIn(row, named) as Id] as const);
  if (tenancy) return new Map(pairs);
  const above = await tenantsOf(reader, parent!, [...new Set(pairs.map(([, parentId]) => parentId))]);
  return new Map(pairs.flatMap(([id, parentId]) => (above.has(parentId) ? [[id, above.get(parentId)!]] : [])));
}
