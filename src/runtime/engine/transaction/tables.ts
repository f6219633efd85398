import { lookUp } from '../../../descriptor/look-up.ts';
import type { Id } from '../../../descriptor/resource.ts';
import { ALL_ROWS, type RowScope } from '../../storage/row-scope.ts';
import type { AnyTables } from '../interface/untyped.ts';
import { normalize } from '../resource/normalize.ts';
import type { Resource } from '../resource/resource.ts';
import { tableIn } from './table.ts';
import { type UnitOfWork, unitWithin } from './unit-of-work.ts';

/** The tables of all resources inside one transaction, each made on access. */
export type TablesIn = (unit: UnitOfWork) => AnyTables;

const UNIT = Symbol('unit');

interface Made {
  readonly [UNIT]: UnitOfWork;
}

/** What tables of a contract are made by; where it has tenants, they have the ways to the rows of others. */
export function tablesOf(resources: ReadonlyMap<string, Resource>): TablesIn {
  const properties: PropertyDescriptorMap = {};
  // Whoever prints the tables prints nothing of the unit.
  const tablesIn: TablesIn = (unit) => Object.create(Object.prototype, { ...properties, [UNIT]: { value: unit } });
  const define = (name: string, of: (unit: UnitOfWork) => unknown, enumerable: boolean): void => {
    const get = function (this: Made) {
      return of(this[UNIT]);
    };
    properties[name] = { enumerable, get };
  };
  for (const [key, resource] of resources) define(key, (unit) => tableIn(unit, resource), true);
  const owned = [...resources.values()].find(({ tenancy }) => tenancy);
  if (!owned) return tablesIn;
  const within = (unit: UnitOfWork, scope: RowScope) => tablesIn(unitWithin(unit, scope));
  const forTenant = (unit: UnitOfWork) => (tenant: unknown) =>
    within(unit, { kind: 'tenant', tenant: String(tenantGiven(owned, tenant)) });
  define('acrossTenants', (unit) => within(unit, ALL_ROWS), false);
  define('forTenant', forTenant, false);
  return tablesIn;
}

/** Throws for what cannot be a tenant. */
function tenantGiven({ tenancy, descriptor, property, fits }: Resource, tenant: unknown): Id {
  const { property: name } = tenancy!;
  const given = normalize(lookUp(property, name), tenant);
  if (given != null && given !== '' && fits(name, given)) return given as Id;
  throw new Error(`store.forTenant(${JSON.stringify(tenant)}): no ${descriptor.name} can have this \`${name}\`.`);
}
