import { lookUp } from '../../../descriptor/look-up.ts';
import {
  type Id,
  type PropertyDescriptor,
  propertyNamed,
  type ResourceDescriptor,
} from '../../../descriptor/resource.ts';
import type { TenantRule } from '../../../descriptor/row-access.ts';
import { ApiError } from '../../errors/api-error.ts';
import { ALL_ROWS, type RowScope } from '../../storage/row-scope.ts';
import type { Reader } from '../../storage/store.ts';
import type { Tenancy } from '../resource/access.ts';
import type { Resource } from '../resource/resource.ts';
import { claimsOf, type ReadValue, ruleValue } from './values.ts';

/** `x-tenant` of a resource; undefined where its rows are of no tenant. */
export function tenancyOf(
  { name, tenant, properties }: ResourceDescriptor,
  fits: Resource['fits'],
): Tenancy | undefined {
  if (!tenant) return undefined;
  const property = propertyNamed(properties, tenant.property);
  const read = tenantReader(property, tenant);
  const tenantOf: Tenancy['tenantOf'] = (principal) => read(claimsOf(principal)) as Id | undefined;
  const seesAll: Tenancy['seesAll'] = (principal) => principal !== undefined && isAcross(tenant, principal.scopes);
  const scopeIn: Tenancy['scopeIn'] = (principal, own = tenantOf(principal)) =>
    own === undefined ? NO_ROWS : { kind: 'tenant', tenant: String(own) };
  return {
    property: tenant.property,
    tenantOf,
    seesAll,
    scopeIn,
    scopeFor: (principal) => (seesAll(principal) ? ALL_ROWS : scopeIn(principal)),
    forNew(principal) {
      const own = tenantOf(principal) ?? refuse(name, tenant);
      return fits(property.name, own) ? own : refuse(name, tenant);
    },
    checkWriter(principal) {
      if (!seesAll(principal) && tenantOf(principal) === undefined) refuse(name, tenant);
    },
  };
}

const NO_ROWS: RowScope = { kind: 'none' };

function refuse(name: string, { claim }: TenantRule): never {
  throw new ApiError('FORBIDDEN', {
    detail: `The token has no claim \`${claim.join('.')}\` that names a tenant, to whom each ${name} belongs.`,
  });
}

/** Whether a caller with these scopes sees all tenants. */
export const isAcross = ({ across }: Pick<TenantRule, 'across'>, scopes: ReadonlySet<string>): boolean =>
  across !== undefined && scopes.has(across);

/** Reads a caller's tenant. An empty text names nobody, though an issuer may write it for a caller without a tenant. */
export function tenantReader(property: PropertyDescriptor, { claim }: Pick<TenantRule, 'claim'>): ReadValue {
  const read = ruleValue(property, { claim });
  return (claims) => {
    const value = read(claims);
    return value === '' ? undefined : value;
  };
}

/** The tenants of the rows with these ids: their own, or those of the nearest ancestors that have one. Others are left out. */
export async function tenantsOf(reader: Reader, resource: Resource, ids: readonly Id[]): Promise<ReadonlyMap<Id, Id>> {
  const { tenancy, parent, descriptor } = resource;
  if (!tenancy && !parent) return new Map();
  const rows = await reader.getEach(descriptor.key, ids);
  const named = tenancy?.property ?? descriptor.parent!.property;
  const pairs = rows.map((row) => [resource.valueIn(row, 'id') as Id, resource.valueIn(row, named) as Id] as const);
  if (tenancy) return new Map(pairs);
  const above = await tenantsOf(reader, parent!, [...new Set(pairs.map(([, parentId]) => parentId))]);
  return new Map(pairs.flatMap(([id, parentId]) => (above.has(parentId) ? [[id, lookUp(above, parentId)]] : [])));
}
