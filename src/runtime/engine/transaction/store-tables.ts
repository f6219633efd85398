import { lookUp } from '../../../descriptor/look-up.ts';
import type { Id } from '../../../descriptor/resource.ts';
import { ALL_ROWS, ofTenant, type RowScope } from '../../storage/row-scope.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { tableIn } from './table.ts';
import { type TablesIn, tablesBy } from './tables.ts';
import { type UnitOfWork, unitWithin } from './unit-of-work.ts';

/** Names a tenant for code, at a place of it. Throws for what cannot be one. */
export function tenantsGiven(resources: ReadonlyMap<string, Resource>): (place: string, tenant: unknown) => Id {
  const owned = ownedIn(resources);
  return (place, tenant) => {
    if (!owned) throw new Error(`${place}: the contract has no tenants.`);
    return tenantGiven(owned, place, tenant);
  };
}

const ownedIn = (resources: ReadonlyMap<string, Resource>) => [...resources.values()].find(({ tenancy }) => tenancy);

/** What tables of a contract are made by; where it has tenants, they have the ways to the rows of others. */
export function tablesOf(resources: ReadonlyMap<string, Resource>): TablesIn {
  const owned = ownedIn(resources);
  const within = (unit: UnitOfWork, scope: RowScope) => {
    const own = unitWithin(unit, scope);
    return tablesIn(() => own);
  };
  const forTenant = (owner: Resource) => (unit: UnitOfWork) => (tenant: unknown) =>
    within(unit, ofTenant(tenantGiven(owner, 'store.forTenant', tenant)));
  const tablesIn: TablesIn = tablesBy(
    resources,
    tableIn,
    owned && { acrossTenants: (unit) => within(unit, ALL_ROWS), forTenant: forTenant(owned) },
  );
  return tablesIn;
}

/** Throws for what cannot be a tenant. */
function tenantGiven({ tenancy, descriptor, property, fits }: Resource, place: string, tenant: unknown): Id {
  const { property: name } = tenancy!;
  const given = normalize(lookUp(property, name), tenant);
  if (given != null && given !== '' && fits(name, given)) return given as Id;
  throw new Error(`${place}(${JSON.stringify(tenant)}): no ${descriptor.name} can have this \`${name}\`.`);
}
