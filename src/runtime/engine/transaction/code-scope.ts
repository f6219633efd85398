import type { Id } from '../../../descriptor/resource.ts';
import { type MaybePromise, whenKnown } from '../../async/maybe-promise.ts';
import { ALL_ROWS } from '../../storage/row-scope.ts';
import type { Row } from '../../storage/store.ts';
import { parentId } from '../access/find.ts';
import { tenantsOf } from '../access/tenant.ts';
import type { Call, Caller } from '../interface/call.ts';
import type { TenantGroup } from '../interface/engine.ts';
import type { Resource } from '../resource/resource.ts';
import type { Change } from './in-transaction.ts';
import { readerFor } from './reading.ts';
import type { Runtime } from './runtime.ts';

/** The change of a caller who sees all tenants, within that of the row that it is about, of its parent, or of the caller. */
export async function withinTenant(
  runtime: Runtime,
  change: Change,
  resource: Resource,
  { params, caller }: Call,
  row?: Row,
): Promise<Change> {
  const { tenancy } = runtime;
  if (tenancy?.scopeFor(caller.principal).kind !== 'all') return change;
  // What all tenants share may refer to rows of any; code, if there is some, says so.
  const isShared = resource.levels.every((level) => !level.tenancy);
  if (isShared && !runtime.overrides[resource.descriptor.key]) return change;
  const about = row ? resource : resource.parent;
  const id = row ? (resource.valueIn(row, 'id') as Id) : about && parentId(resource, params);
  const tenants = about && (await tenantsOf(change.transaction.unlocked, about, [id!]));
  return change.within(tenancy.scopeIn(caller.principal, tenants?.get(id!)));
}

/** Rows by their tenants, where they may be of others than the caller's; one group else. */
export function tenantGroups(
  runtime: Runtime,
  caller: Caller,
  resource: Resource | undefined,
  ids: readonly Id[],
): MaybePromise<readonly TenantGroup[]> {
  const { tenancy } = runtime;
  const isKnown = !resource || !tenancy || tenancy.scopeFor(caller.principal).kind === 'tenant';
  if (isKnown) return [{ scope: undefined, positions: [...ids.keys()] }];
  // The caller of a field may need no token, though its parent was read with one.
  return whenKnown(readerFor(runtime, caller, ALL_ROWS), async (reader) => {
    const tenants = await tenantsOf(reader, resource, [...new Set(ids)]);
    const groups = Map.groupBy(ids.keys(), (at) => tenants.get(ids[at]!));
    return [...groups].map(([tenant, positions]) => ({ scope: tenancy.scopeIn(caller.principal, tenant), positions }));
  });
}
