import type { Id, PropertyDescriptor, ResourceDescriptor } from '../../../descriptor/resource.ts';
import type { TenantRule } from '../../../descriptor/row-access.ts';
import type { Principal } from '../../auth/principal.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Resource } from '../resource/resource.ts';
import type { Tenancy } from '../resource/tenancy.ts';
import { claimsOf, type ReadValue, ruleValue } from './values.ts';

/** `x-tenant` of a resource; undefined where its rows are of no tenant. */
export function tenancyOf(
  { name, tenant, properties }: ResourceDescriptor,
  fits: Resource['fits'],
): Tenancy | undefined {
  if (!tenant) return undefined;
  const property = properties.find((one) => one.name === tenant.property)!;
  const read = tenantReader(property, tenant);
  const tenantOf = (principal: Principal | undefined) => read(claimsOf(principal)) as Id | undefined;
  const seesAll = (principal: Principal | undefined) => principal !== undefined && isAcross(tenant, principal.scopes);
  return {
    property: tenant.property,
    tenantOf,
    seesAll,
    forNew(principal) {
      const own = tenantOf(principal) ?? refuse(name, tenant);
      return fits(property.name, own) ? own : refuse(name, tenant);
    },
    checkWriter(principal) {
      if (!seesAll(principal) && tenantOf(principal) === undefined) refuse(name, tenant);
    },
  };
}

function refuse(name: string, { claim }: TenantRule): never {
  throw new ApiError('FORBIDDEN', {
    detail: `The token has no claim \`${claim.join('.')}\` that names a tenant, to whom each ${name} belongs.`,
  });
}

/** Whether a caller with these scopes sees all tenants. */
export const isAcross = ({ across }: Pick<TenantRule, 'across'>, scopes: ReadonlySet<string>): boolean =>
  across !== undefined && scopes.has(across);

/** Reads a caller's tenant. An empty text names nobody, though an issuer may write it for who has none. */
export function tenantReader(property: PropertyDescriptor, { claim }: Pick<TenantRule, 'claim'>): ReadValue {
  const read = ruleValue(property, { claim });
  return (claims) => {
    const value = read(claims);
    return value === '' ? undefined : value;
  };
}
