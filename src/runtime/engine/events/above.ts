import type { MaybePromise } from '../../async/maybe-promise.ts';
import type { Reader, Row } from '../../storage/store.ts';
import { tenantsOf } from '../access/tenant.ts';
import type { Resource } from '../resource/resource.ts';

/** Whether the tenant of a row is that of another above it. */
export const isTenantAbove = ({ tenancy, parent }: Resource): boolean =>
  !tenancy && parent?.levels.some((level) => level.tenancy) === true;

/** The tenant of a row, or of the nearest row above it that has one. */
export function tenantAbove(resource: Resource, row: Row, reader: Reader): MaybePromise<string | undefined> {
  const { tenancy, parent, valueIn } = resource;
  if (tenancy) return String(valueIn(row, tenancy.property));
  if (!parent || !isTenantAbove(resource)) return undefined;
  const id = resource.parentIdIn(row);
  return tenantsOf(reader, parent, [id]).then((tenants) => (tenants.has(id) ? String(tenants.get(id)) : undefined));
}

/** The rows of the parent, its parent and so on. */
export async function ancestorsOf(resource: Resource, row: Row, reader: Reader): Promise<readonly Row[]> {
  const { parent } = resource;
  if (!parent) return [];
  const id = resource.parentIdIn(row);
  const above = await reader.get(parent.descriptor.key, id);
  return above ? [above, ...(await ancestorsOf(parent, above, reader))] : [];
}
