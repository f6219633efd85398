import { lookUp } from './look-up.ts';
import {
  idProperty,
  isIdChosen,
  isReferring,
  type PropertyDescriptor,
  propertyNamed,
  type ResourceDescriptor,
} from './resource.ts';
import { ownedByTenants } from './tenant.ts';

/** How a Postgres database keeps the rows of tenants, for good. */
export type Layout =
  | { readonly kind: 'plain' }
  /** Keys and references begin with the tenant; the tables have so many hash partitions, or none. */
  | { readonly kind: 'tenants'; readonly partitions: number }
  /** The same, distributed by the tenant over the nodes of Citus. */
  | { readonly kind: 'citus' };

export const PLAIN: Layout = { kind: 'plain' };

const PARTITIONED = /^tenants\/([1-9]\d?)$/;
const [FEWEST, MOST] = [2, 64];

/** The layout of a setting; undefined if no layout is written so. */
export function layoutNamed(text: string): Layout | undefined {
  if (text === 'plain' || text === 'citus') return { kind: text };
  if (text === 'tenants') return { kind: 'tenants', partitions: 0 };
  const partitions = Number(PARTITIONED.exec(text)?.[1]);
  return partitions >= FEWEST && partitions <= MOST ? { kind: 'tenants', partitions } : undefined;
}

/** As it is set: `tenants/16`. */
export const nameOfLayout = (layout: Layout): string =>
  layout.kind === 'tenants' && layout.partitions > 0 ? `tenants/${layout.partitions}` : layout.kind;

/** What the keys of a table begin with, where they begin with the tenant. */
export interface TenantKey {
  /** A property of the resource, or the column that a sub-resource without it has. */
  readonly column: PropertyDescriptor;
  readonly isHidden: boolean;
  /** Some callers see the rows of all tenants. */
  readonly isAcross: boolean;
}

/** The column that names the tenant of a sub-resource's rows; no property has a name like this. */
const HIDDEN = 'tenant_';

/** The keys of all resources whose rows belong to tenants, by the keys of the resources. */
export function tenantKeysOf(resources: readonly ResourceDescriptor[]): ReadonlyMap<string, TenantKey> {
  const owned = ownedByTenants(resources);
  const keyOf = ({ tenant, parent, properties }: ResourceDescriptor): TenantKey => {
    if (tenant)
      return { column: propertyNamed(properties, tenant.property), isHidden: false, isAcross: !!tenant.across };
    const { column, isAcross } = keyOf(lookUp(owned, parent?.resource ?? ''));
    const hidden = { name: HIDDEN, column: HIDDEN, type: column.type, nullable: false, required: true } as const;
    return { column: { ...hidden, origin: 'server' }, isHidden: true, isAcross };
  };
  return new Map([...owned].map(([key, resource]) => [key, keyOf(resource)]));
}

/** Why the tables of a contract cannot be laid out so; each a sentence that names what stands in the way. */
export function layoutFaults(layout: Layout, resources: readonly ResourceDescriptor[]): string[] {
  if (layout.kind === 'plain') return [];
  const owned = ownedByTenants(resources);
  if (owned.size === 0) return [`${nameOfLayout(layout)} needs x-tenant, which the contract does not have.`];
  return resources.flatMap((resource) => {
    const isOwned = owned.has(resource.key);
    const isChosen = isIdChosen(resource) || resource.owner?.property === idProperty(resource).name;
    if (isOwned && isChosen)
      return [
        `callers choose the ids of ${resource.key}. Keys that begin with the tenant cannot keep them unique over all tenants.`,
      ];
    if (isOwned) return [];
    return resource.properties
      .filter(isReferring)
      .flatMap(({ name, references }) =>
        owned.has(references.resource)
          ? [
              `${resource.key}.${name} refers to ${references.resource}. Rows that all tenants share cannot refer to those of one.`,
            ]
          : [],
      );
  });
}
