/** Whose rows statements may reach on a database with a second wall, whatever their conditions say. */
export type RowScope =
  | { readonly kind: 'tenant'; readonly tenant: string }
  /** Callers who see all tenants, and the server's own work. */
  | { readonly kind: 'all' }
  | { readonly kind: 'none' };

export const ALL_ROWS: RowScope = { kind: 'all' };
