import type { Id, PropertyType } from '../../descriptor/resource.ts';

/** Whose rows statements may reach, whatever their conditions say. */
export type RowScope =
  | { readonly kind: 'tenant'; readonly tenant: string }
  /** Callers who see all tenants, and the server's own work. */
  | { readonly kind: 'all' }
  /** What belongs to no tenant. */
  | { readonly kind: 'none' };

export const ALL_ROWS: RowScope = { kind: 'all' };

export const ofTenant = (tenant: Id): RowScope => ({ kind: 'tenant', tenant: String(tenant) });

/** The tenant of a scope as a property of this type has it. */
export const tenantAs = (type: PropertyType, tenant: string): Id => (type === 'integer' ? Number(tenant) : tenant);
