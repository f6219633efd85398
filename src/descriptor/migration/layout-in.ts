import { type Layout, PLAIN } from '../layout.ts';
import type { ResourceDescriptor } from '../resource.ts';
import { ownedByTenants } from '../tenant.ts';
import type { LiveTable } from './schema-dialect.ts';

/** The layout that the tables of a contract have; undefined while none of them keeps rows of tenants. */
export function layoutIn(
  resources: readonly ResourceDescriptor[],
  live: ReadonlyMap<string, LiveTable>,
): Layout | undefined {
  const owned = ownedByTenants(resources);
  const found = resources.flatMap(({ key, table }) => {
    const one = live.get(table);
    return one ? [{ ...one, isOwned: owned.has(key) }] : [];
  });
  if (found.some(({ isDistributed }) => isDistributed)) return { kind: 'citus' };
  const keyed = found.find(({ isKeyedByTenant }) => isKeyedByTenant);
  if (keyed) return { kind: 'tenants', partitions: keyed.partitions ?? 0 };
  return found.some(({ isOwned }) => isOwned) ? PLAIN : undefined;
}
