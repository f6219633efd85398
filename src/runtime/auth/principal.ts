/**
 * All claims of a token (RFC 7519, 4), both registered ones and the issuer's own.
 * @example
 * import type { Claims } from 'lockstep';
 *
 * const tenantOf = (claims: Claims): string | undefined =>
 *   typeof claims['tenant'] === 'string' ? claims['tenant'] : undefined;
 */
export type Claims = Readonly<Record<string, unknown>>;

/**
 * An authenticated caller.
 * @example
 * import type { Principal } from 'lockstep';
 *
 * const isStaff = (principal: Principal | undefined): boolean => principal?.scopes.has('orders:admin') ?? false;
 */
export interface Principal {
  /** The token's `sub` (RFC 7519, 4.1.2). */
  readonly subject: string;
  readonly scopes: ReadonlySet<string>;
  /** When the token ends: its `exp` and the leeway, in milliseconds since the epoch. */
  readonly expiresAtMs: number;
  /** Undefined if the credentials are not a token. */
  readonly claims?: Claims;
}
