import type { Principal } from '../../auth/principal.ts';
import { ALL_ROWS, type RowScope } from '../../storage/row-scope.ts';
import type { Resource } from './resource.ts';

const NO_ROWS: RowScope = { kind: 'none' };

/** Whose rows a caller's statements may reach, for the resources of a contract; undefined where it has no tenants. */
export function scopeReader(
  resources: readonly Pick<Resource, 'tenancy'>[],
): (principal: Principal | undefined) => RowScope | undefined {
  const tenancy = resources.find((one) => one.tenancy)?.tenancy;
  if (!tenancy) return () => undefined;
  return (principal) => {
    if (tenancy.seesAll(principal)) return ALL_ROWS;
    const tenant = tenancy.tenantOf(principal);
    return tenant === undefined ? NO_ROWS : { kind: 'tenant', tenant: String(tenant) };
  };
}
