import type { Id } from '../../../descriptor/resource.ts';
import type { Principal } from '../../auth/principal.ts';

/** Whose rows are whose, for one resource. */
export interface Tenancy {
  readonly property: string;
  /** The caller's tenant; undefined where its token has none. */
  tenantOf(principal: Principal | undefined): Id | undefined;
  /** Whether the caller sees the rows of all tenants. */
  seesAll(principal: Principal | undefined): boolean;
  /** The tenant of what the caller creates. Throws `FORBIDDEN` where it has none. */
  forNew(principal: Principal | undefined): Id;
  /** Throws `FORBIDDEN` for a caller who has no tenant, nor all. */
  checkWriter(principal: Principal | undefined): void;
}
