import type { Principal } from '../../auth/principal.ts';
import { ALL_ROWS, type RowScope } from '../../storage/row-scope.ts';
import type { Resource } from '../resource/resource.ts';

const NO_ROWS: RowScope = { kind: 'none' };

/** Whose rows statements may reach for a caller, in a contract with tenants. */
export interface CallerScopes {
  /** Those of the tenant of its token, or of all where it sees those. */
  scopeOf(principal: Principal | undefined): RowScope;
  /** Those of the tenant of its token, whatever it sees. */
  ownScopeOf(principal: Principal | undefined): RowScope;
}

/** The scopes of the callers of a contract's resources; undefined where it has no tenants. */
export function callerScopes(resources: readonly Pick<Resource, 'tenancy'>[]): CallerScopes | undefined {
  const tenancy = resources.find((one) => one.tenancy)?.tenancy;
  if (!tenancy) return undefined;
  const ownScopeOf = (principal: Principal | undefined): RowScope => {
    const tenant = tenancy.tenantOf(principal);
    return tenant === undefined ? NO_ROWS : { kind: 'tenant', tenant: String(tenant) };
  };
  return {
    ownScopeOf,
    scopeOf: (principal) => (tenancy.seesAll(principal) ? ALL_ROWS : ownScopeOf(principal)),
  };
}
