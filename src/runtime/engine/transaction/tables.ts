import { lookUp } from '../../../descriptor/look-up.ts';
import type { Id } from '../../../descriptor/resource.ts';
import { ALL_ROWS, type RowScope } from '../../storage/row-scope.ts';
import type { AnyTables } from '../interface/untyped.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { tableIn } from './table.ts';
import { type UnitOfWork, unitWithin } from './unit-of-work.ts';

/** The tables of all resources inside one transaction, each made on access. */
export function tablesIn(unit: UnitOfWork, resources: ReadonlyMap<string, Resource>): AnyTables {
  const tables = {};
  for (const [key, resource] of resources) {
    Object.defineProperty(tables, key, { enumerable: true, get: () => tableIn(unit, resource) });
  }
  return tables;
}

/** The tables of all resources of a contract with tenants, and the ways to the rows of others. */
export function tenantTablesIn(unit: UnitOfWork, resources: ReadonlyMap<string, Resource>): AnyTables {
  const within = (scope: RowScope) => tenantTablesIn(unitWithin(unit, scope), resources);
  return Object.defineProperties(tablesIn(unit, resources), {
    acrossTenants: { get: () => within(ALL_ROWS) },
    forTenant: {
      value: (tenant: unknown) => within({ kind: 'tenant', tenant: String(tenantGiven(resources, tenant)) }),
    },
  });
}

/** Throws for what cannot be a tenant. */
function tenantGiven(resources: ReadonlyMap<string, Resource>, tenant: unknown): Id {
  const { tenancy, descriptor, property, fits } = [...resources.values()].find((one) => one.tenancy)!;
  const { property: name } = tenancy!;
  const given = normalize(lookUp(property, name), tenant);
  if (given != null && given !== '' && fits(name, given)) return given as Id;
  throw new Error(`store.forTenant(${JSON.stringify(tenant)}): no ${descriptor.name} can have this \`${name}\`.`);
}
